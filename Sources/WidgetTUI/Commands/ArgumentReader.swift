import WidgetKitCore

/// Reads a command's arguments in order: options that begin with `--`, their values, and others.
nonisolated struct ArgumentReader {
  private var rest: ArraySlice<String>
  private let command: String

  init(_ arguments: some Sequence<String>, of command: String) {
    rest = Array(arguments)[...]
    self.command = command
  }

  /// The next argument; nil at the end.
  mutating func next() -> String? {
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return argument
    }
    // --width=80 reads as --width 80.
    rest.insert(String(argument[argument.index(after: equals)...]), at: rest.startIndex)
    return String(argument[..<equals])
  }

  /// All arguments that are left, as they were given.
  mutating func takeRest() -> [String] {
    defer { rest = [] }
    return Array(rest)
  }

  /// The value of an option.
  mutating func value(of option: String) throws(CommandError) -> String {
    guard let value = rest.popFirst() else {
      throw .usage("\(option) needs a value; see “\(help)”")
    }
    return value
  }

  /// The value of an option, a bundle or a script, as an absolute path.
  @MainActor
  mutating func bundle(of option: String) throws(CommandError) -> String {
    let path = try value(of: option)
    guard let absolute = NamedBundles.absolute(path) else {
      throw .missing("\(option) \(path): no such bundle or script")
    }
    return absolute
  }

  /// The value of an option, a whole number in a range.
  mutating func number(
    of option: String,
    in range: ClosedRange<Int>
  ) throws(CommandError) -> Int {
    let text = try value(of: option)
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(option) \(text): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return number
  }

  /// The value of an option, one of a few words.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    of option: String
  ) throws(CommandError) -> Choice where Choice.RawValue == String {
    let text = try value(of: option)
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("\(option) \(text): expected one of \(names)")
    }
    return choice
  }

  /// The value of an option, seconds, 0 or more.
  mutating func seconds(of option: String) throws(CommandError) -> Duration {
    let text = try value(of: option)
    guard let seconds = Double(text), seconds >= 0, seconds <= 1e9 else {
      throw .usage("\(option) \(text): expected seconds, 0 or more")
    }
    return .seconds(seconds)
  }

  /// The value of an option, seconds, at least a hundredth of one.
  mutating func positiveSeconds(of option: String) throws(CommandError) -> Duration {
    let seconds = try seconds(of: option)
    guard seconds >= .milliseconds(10) else {
      throw .usage("\(option) \(seconds.components.seconds): expected more than 0 seconds")
    }
    return seconds
  }

  /// The error for an option that the command does not have.
  func unknown(_ option: String) -> CommandError {
    let names = (CommandTable.options(of: command) + CommandTable.common).map(\.name)
    let near = NearName.nearest(to: option, among: names).map { "did you mean “\($0)”? " } ?? ""
    return .usage("unknown option “\(option)” for \(command); \(near)see “\(help)”")
  }

  /// The command that lists the options.
  private var help: String { command == "today" ? "today help" : "today help \(command)" }
}

nonisolated extension Duration {
  /// The time in a sentence: `10 s`, `0.5 s`.
  var inSeconds: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
