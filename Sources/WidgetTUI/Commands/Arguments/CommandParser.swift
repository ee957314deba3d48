import WidgetKitCore

/// Turns arguments into a command.
enum CommandParser {
  /// Reads the arguments without the program's name.
  ///
  /// - Throws: ``CommandError`` with `usage` if they are not a command.
  static func parse(
    _ arguments: [String],
    environment: [String: String]
  ) throws(CommandError) -> any Command {
    var options = CommonOptions(environment: environment)
    // Common options may also precede the name of the command.
    var left = arguments[...]
    var name: String?
    var rest: [String] = []
    while let argument = left.popFirst() {
      if try take(argument, &left, CommonOptions.all.list, &options, options, "today") { continue }
      if argument.hasPrefix("-") {
        rest.append(argument)
      } else {
        name = argument
        rest += left
        left = []
      }
    }
    // What follows “--” belongs to another program.
    let own = rest.prefix { $0 != "--" }
    if own.contains("--help") || own.contains("-h") { return HelpCommand(topic: name) }
    guard let name else { return try DashboardCommand.parse(rest, options) }
    guard let type = CommandTable.types.first(where: { $0.summary.name == name }) else {
      throw unknown(name)
    }
    do throws(CommandError) {
      return try type.parse(rest, options)
    } catch {
      guard let command = type.reporting(error, in: rest) else { throw error }
      return command
    }
  }

  /// Takes an argument that is one of some options, with its value; false if it is none of them.
  fileprivate static func take<Target>(
    _ argument: String,
    _ rest: inout ArraySlice<String>,
    _ options: [CommandOption<Target>],
    _ target: inout Target,
    _ common: CommonOptions,
    _ command: String
  ) throws(CommandError) -> Bool {
    // --width=80 reads as --width 80.
    let equals = argument.hasPrefix("--") ? argument.firstIndex(of: "=") : nil
    let name = String(argument[..<(equals ?? argument.endIndex)])
    let option = options.first { option in
      option.summary.isOption && option.summary.name == name || option.summary.letter == name
    }
    guard let option else { return false }
    var value = equals.map { String(argument[argument.index(after: $0)...]) }
    if option.summary.value == nil {
      guard value == nil else {
        throw .usage("\(name) has no value; see “\(help(command))”")
      }
    } else if value == nil {
      value = rest.popFirst()
      guard value != nil else { throw .usage("\(name) needs a value; see “\(help(command))”") }
    }
    let text = value ?? ""
    try option.take(&target, Argument(text: text, subject: "\(name) \(text)", common: common))
    return true
  }

  /// The command that lists the options of a command.
  fileprivate static func help(_ command: String) -> String {
    command == DashboardCommand.summary.name ? "today help" : "today help \(command)"
  }

  /// The error for a command that there is not, with the one that was probably meant.
  static func unknown(_ name: String) -> CommandError {
    let options = (DashboardCommand.summary.options + CommandTable.common).map(\.name)
    let near =
      options.first { $0 == "--" + name.lowercased() }
      ?? NearName.nearest(to: name, among: CommandTable.commands.map(\.name))
      ?? NearName.nearest(to: "--" + name, among: options)
    let advice = near.map { "did you mean “\($0)”? " } ?? ""
    return .usage("unknown command “\(name)”; \(advice)“today help” lists all commands")
  }
}

extension Command {
  /// Reads the arguments of the command.
  ///
  /// - Throws: ``CommandError`` with `usage` if they are not what it takes.
  static func parse(
    _ arguments: [String],
    _ common: CommonOptions
  ) throws(CommandError) -> any Command {
    let (syntax, name) = (syntax, summary.name)
    var command = Self()
    command.options = common
    var rest = arguments[...]
    var words: [String] = []
    while let argument = rest.popFirst() {
      // What follows “--” are no options.
      if argument == "--" {
        words += rest
        break
      }
      let present = command.options
      let isCommon = try CommandParser.take(
        argument,
        &rest,
        CommonOptions.all.list,
        &command.options,
        present,
        name
      )
      if isCommon { continue }
      if try CommandParser.take(argument, &rest, syntax.options, &command, present, name) {
        continue
      }
      guard !argument.hasPrefix("-") || syntax.isWord(argument, words) else {
        throw unknown(argument)
      }
      words.append(argument)
    }
    try command.take(words)
    try command.validate()
    return command
  }

  /// Takes the arguments without a name.
  private mutating func take(_ words: [String]) throws(CommandError) {
    var left = words[...]
    var needed = Self.syntax.operands.reduce(0) { $0 + $1.count.lowerBound }
    guard words.count >= needed else { throw Self.misused }
    for operand in Self.syntax.operands {
      needed -= operand.count.lowerBound
      let count = min(operand.count.upperBound, left.count - needed)
      for text in left.prefix(count) {
        try operand.take(&self, Argument(text: text, subject: "“\(text)”", common: options))
      }
      left = left.dropFirst(count)
    }
    if let surplus = left.first {
      throw Self.syntax.expected == nil ? Self.unknown(surplus) : Self.misused
    }
  }

  /// The error for arguments that are missing or too many.
  static var misused: CommandError { misused("expected \(syntax.expected ?? "no argument")") }

  /// An error with the command that says how this one is used.
  static func misused(_ words: String) -> CommandError {
    summary.isHidden
      ? .usage(words) : .usage("\(words); see “\(CommandParser.help(summary.name))”")
  }

  /// The error for an option that the command does not have.
  static func unknown(_ option: String) -> CommandError {
    let name = option.hasPrefix("--") ? String(option.prefix { $0 != "=" }) : option
    let names = (summary.options + CommandTable.common).map(\.name)
    let near = NearName.nearest(to: name, among: names).map { "did you mean “\($0)”? " } ?? ""
    let help = CommandParser.help(summary.name)
    return .usage("unknown option “\(name)” for \(summary.name); \(near)see “\(help)”")
  }
}
