import WidgetKitCore
import WidgetPlatform

/// The command of a line in a menu.
enum XbarCommand {
  /// Returns the command that a press runs; nil if the line has none.
  ///
  /// xbar runs a program with arguments; SwiftBar and Argos pass a line to a shell.
  static func command(of line: XbarMenu.Line, _ dialect: XbarDialect) -> ScriptCommand? {
    guard let program = line.parameters["bash"] ?? line.parameters["shell"], !program.isEmpty
    else { return nil }
    return ScriptCommand(
      words(program, arguments(of: line, dialect), dialect),
      terminal: line.isTrue("terminal") ?? dialect.usesTerminal,
      refresh: line.isTrue("refresh") == true
    )
  }

  /// The arguments in the order of their numbers: from 0 in SwiftBar, and up to the first gap in Argos.
  private static func arguments(of line: XbarMenu.Line, _ dialect: XbarDialect) -> [String] {
    if dialect == .argos {
      return Array((1...).lazy.map { line.parameters["param\($0)"] }.prefix { $0 != nil })
        .compactMap(\.self)
    }
    let first = dialect == .swiftbar ? 0 : 1
    return line.parameters.compactMap { name, value -> (Int, String)? in
      guard name.hasPrefix("param"), let number = Int(name.dropFirst("param".count)),
        number >= first
      else { return nil }
      return (number, value)
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func words(
    _ program: String,
    _ arguments: [String],
    _ dialect: XbarDialect
  ) -> [String] {
    switch dialect {
    case .xbar: return [program] + arguments
    case .argos:
      let quoted = arguments.map(ShellWord.quoted)
      return ["/bin/sh", "-c", ([program] + quoted).joined(separator: " ")]
    case .swiftbar:
      let words = [swiftBarProgram(program)] + arguments.map(swiftBarArgument)
      return ["/bin/sh", "-c", words.joined(separator: " ")]
    }
  }

  /// The program as SwiftBar gives it to the shell: a path with blanks is one word.
  private static func swiftBarProgram(_ program: String) -> String {
    let hasBlanks = program.unicodeScalars.contains { $0 == " " || $0 == "\t" }
    guard hasBlanks, !isQuoted(program) else { return program }
    // The shell finds the home folder only outside of quotes.
    if program.hasPrefix("~/") { return "~/" + ShellWord.quoted(String(program.dropFirst(2))) }
    // A name without a slash is none of a file; what follows it are its arguments.
    let name = program.prefix { $0 != " " && $0 != "\t" }
    return name.contains("/") ? ShellWord.quoted(program) : program
  }

  /// An argument as SwiftBar gives it to the shell: in quotes where it needs them, unless it has its own or is an
  /// operator.
  private static func swiftBarArgument(_ argument: String) -> String {
    if operators.contains(argument) || isQuoted(argument) { return argument }
    let isPlain = argument.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "=", ",", "+", "@", "%": true
      default: !scalar.isASCII && !scalar.isWhitespace
      }
    }
    return isPlain && !argument.isEmpty ? argument : ShellWord.quoted(argument)
  }

  /// What is between commands, and for their input and output.
  private static let operators: Set<String> = [
    "&&", "||", ";", "|", "&", "|&", ">", ">>", "<", "2>", "2>>", "&>", "2>&1", "1>&2", ">&2",
  ]

  /// Whether a text is a single word in quotes.
  private static func isQuoted(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > 1, let quote = scalars.first, quote == scalars.last,
      quote == "'" || quote == "\""
    else { return false }
    let inner = scalars.dropFirst().dropLast()
    return !inner.contains(quote) && (quote == "'" || !inner.contains("\\"))
  }
}
