/// One command of the program, with its arguments.
///
/// ``syntax`` says what they are; ``CommandParser`` sets the command's properties from them.
protocol Command {
  /// Its name, by which it is found without making the syntax of others.
  static var name: String { get }

  /// Its name, its arguments and the words about them.
  static var syntax: CommandSyntax<Self> { get }

  /// The command without arguments.
  init()

  /// The options that all commands have.
  var options: CommonOptions { get set }

  /// Checks the arguments together, after each of them was read.
  mutating func validate() throws(CommandError)

  /// The command that reports an error before its run itself, as it has something to do first; nil if it has not.
  ///
  /// It is asked of the command with those arguments that could be read.
  func reporting(_ error: CommandError) -> Self?

  /// Runs the command on the main actor, and returns the exit status.
  func run() async throws(CommandError) -> ExitCode
}

extension Command {
  /// What the help, completions and documents say of it.
  static var summary: CommandSummary { syntax.summary }

  mutating func validate() throws(CommandError) {}

  func reporting(_ error: CommandError) -> Self? { nil }
}

/// The options that all commands have.
struct CommonOptions {
  /// The user's environment.
  var environment: [String: String] = [:]
  /// Folders given with `--widgets`.
  var widgetFolders: [String] = []
  /// The file given with `--trace`.
  var tracePath: String?

  /// Their names and words.
  static let all: OptionList<CommonOptions> = [
    .values("--widgets DIR", .folder, \.widgetFolders): """
    look for bundles only in DIR; may be given several times, and be a bundle or a script
    """,
    .value("--trace FILE", .path, \.tracePath): """
    write all messages to FILE, one JSON object per line
    """,
  ]
}
