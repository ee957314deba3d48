import FoundationEssentials
import WidgetTestSupport

/// The program under test: the one that `TODAY_BINARY` names, else the one built in this package.
enum BuiltProgram {
  static let missing = "no program to test: build `today`, or name one with TODAY_BINARY"

  static let path: String? = {
    if let named = ProcessInfo.processInfo.environment["TODAY_BINARY"], !named.isEmpty {
      return named
    }
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let built = tests.deletingLastPathComponent().appending(path: ".build/debug/today")
      .path(percentEncoded: false)
    return FileManager.default.isExecutableFile(atPath: built) ? built : nil
  }()

  static var isThere: Bool { path != nil }
}

extension TestWorld {
  /// The program with these arguments, this world's widgets and nothing of the outer environment.
  func today(
    _ arguments: [String] = [],
    term: String? = "xterm-256color",
    variables: [String: String] = [:]
  ) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "/nowhere/today",
      arguments + ["--widgets", widgets],
      environment: environment(term: term).merging(variables) { $1 },
      directory: path
    )
  }

  /// Lets none of the extensions that come with the program accept content: scripts take their places.
  func replaceBundledExtensions() throws {
    guard let path = BuiltProgram.path else { return }
    let folder = URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/today/extensions").path(percentEncoded: false)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      try script(name, "# today: action accepts=com.example.nothing")
    }
  }

  /// Opens the dashboard in a new terminal.
  func openDashboard(
    columns: Int = 80,
    rows: Int = 24,
    term: String = "xterm-256color",
    variables: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(today(term: term, variables: variables), columns: columns, rows: rows)
  }

  /// Runs a command of the program to its end, without a terminal and without `TERM`.
  func run(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(today(arguments, term: nil))
  }
}
