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
    /// The options before the name, which the common ones are not.
    var leading: [String] = []
    var failure: CommandError?
    while let argument = left.popFirst() {
      do throws(CommandError) {
        if try take(argument, &left, CommonOptions.all.list, &options, options, "today") {
          continue
        }
      } catch {
        failure = failure ?? error
        continue
      }
      if argument.hasPrefix("-") {
        rest.append(argument)
        // What follows is for the page, such as a height, and no command.
        if DashboardCommand.isPlaced(by: argument) {
          rest += left
          left = []
        }
      } else {
        name = argument
        leading = rest
        rest += left
        left = []
      }
    }
    // What follows “--” belongs to another program.
    let own = rest.prefix { $0 != "--" }
    // By the name alone: making the summaries of all commands would take a tenth of the time to a first picture.
    let type = name.flatMap { name in CommandTable.types.first { $0.name == name } }
    if let failure, type == nil { throw failure }
    if failure == nil, own.contains("--help") || own.contains("-h") {
      return HelpCommand(topic: name)
    }
    guard let name else { return try DashboardCommand.parse(rest, options) }
    guard let type else {
      // What follows a misspelt option is its value, and no command.
      let known = DashboardCommand.summary.options.map(\.name)
      let stranger = leading.first { argument in
        argument != "-" && !known.contains(String(argument.prefix { $0 != "=" }))
      }
      if let stranger { throw DashboardCommand.unknown(stranger) }
      throw unknown(name)
    }
    return try type.parse(rest, options, after: failure)
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
    // A value may begin with a character that combines with the one before it.
    let scalars = argument.unicodeScalars
    let equals = argument.hasPrefix("--") ? scalars.firstIndex(of: "=") : nil
    let name = String(scalars[..<(equals ?? scalars.endIndex)])
    let option = options.first { option in
      option.summary.isOption && option.summary.name == name || option.summary.letter == name
    }
    guard let option else { return false }
    var value = equals.map { String(scalars[scalars.index(after: $0)...]) }
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
  /// After an error the other arguments are read too, for a command that reports it itself.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - common: The options that stood before the name of the command.
  ///   - failure: What was wrong with those.
  /// - Returns: The command.
  /// - Throws: ``CommandError`` with `usage` if they are not what it takes.
  static func parse(
    _ arguments: [String],
    _ common: CommonOptions,
    after failure: CommandError? = nil
  ) throws(CommandError) -> any Command {
    var (command, failure) = (Self(), failure)
    command.options = common
    var rest = arguments[...]
    var words: [String] = []
    while let argument = rest.popFirst() {
      // What follows “--” are no options.
      if argument == "--" {
        words += rest
        break
      }
      do throws(CommandError) {
        if try command.takeOption(argument, &rest, words) { continue }
        words.append(argument)
      } catch {
        failure = failure ?? error
      }
    }
    do throws(CommandError) {
      try command.take(words)
      if failure == nil { try command.validate() }
    } catch {
      failure = failure ?? error
    }
    guard let failure else { return command }
    guard let reporter = command.reporting(failure) else { throw failure }
    return reporter
  }

  /// Takes an argument that is an option, with its value; false if it is a word.
  private mutating func takeOption(
    _ argument: String,
    _ rest: inout ArraySlice<String>,
    _ words: [String]
  ) throws(CommandError) -> Bool {
    let (present, name) = (options, Self.summary.name)
    let all = CommonOptions.all.list
    if try CommandParser.take(argument, &rest, all, &options, present, name) { return true }
    if try CommandParser.take(argument, &rest, Self.syntax.options, &self, present, name) {
      return true
    }
    guard !argument.hasPrefix("-") || Self.syntax.isWord(argument, words) else {
      throw Self.unknown(argument)
    }
    return false
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
