public import WidgetKitCore

/// The question whether a script may run a command.
public struct CommandQuestion: Hashable, Sendable {
  /// The name of the card.
  public var name: SafeText
  /// The command, as a shell would read it, with `\u{202E}` for characters that cannot be seen.
  public var line: SafeText
  /// Whether it has such characters: then no answer for later is offered that permits it.
  public var hasInvisibleCharacters: Bool
  /// The machine on which it runs; nil for this one.
  public var machine: SafeText?
  /// Whether it uses the terminal.
  public var usesTerminal: Bool
  /// Where it runs, for a script that is to be in the sandbox; nil for others.
  public var sandbox: SafeText?
  /// The program, if it may be permitted with any arguments; nil for one that runs others.
  public var program: SafeText?
  /// Whether an answer for later is one for every row on which the command is run.
  public var isForEveryRow: Bool

  /// Creates a question.
  public init(
    name: SafeText,
    line: SafeText,
    hasInvisibleCharacters: Bool = false,
    machine: SafeText? = nil,
    usesTerminal: Bool,
    sandbox: SafeText? = nil,
    program: SafeText? = nil,
    isForEveryRow: Bool = false
  ) {
    self.name = name
    self.line = line
    self.hasInvisibleCharacters = hasInvisibleCharacters
    self.machine = machine
    self.usesTerminal = usesTerminal
    self.sandbox = sandbox
    self.program = program
    self.isForEveryRow = isForEveryRow
  }

  /// What the user answers.
  public enum Answer: Hashable, Sendable {
    /// It runs, and the script may run it with these arguments from now on.
    case always
    /// It runs, and the script may run its program with any arguments from now on.
    case anyArguments
    /// It runs, and the next time is asked for again.
    case once
    /// It does not run, and the next time is asked for again.
    case notNow
    /// It does not run, and the script may not run it with these arguments.
    case never
  }
}
