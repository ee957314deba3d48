import FoundationEssentials
import Testing
import WidgetTestSupport

/// The completions in the shells themselves.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct CompletionTests {
  private func run(_ program: String, _ arguments: [String]) throws -> ProgramRun {
    let world = try TestWorld()
    try world.saveConfiguration(
      """
      { hosts: { nas: "me@nas.local", fleet: ["nas", "me@web-1"] },
        pages: [{ name: "Home", cards: [] }, { name: "Work", cards: [] }] }
      """
    )
    let binary = BuiltProgram.path ?? "/nowhere/today"
    let folder = URL(filePath: binary).deletingLastPathComponent().path
    var environment = world.environment(term: nil)
    environment["PATH"] = folder + ":" + (environment["PATH"] ?? "")
    return try ProgramRun(
      ProgramDescription(program, arguments, environment: environment, directory: world.path)
    )
  }

  private static let places: [([String], String, String)] = [
    (["snap"], "snapshot", "refresh"),
    (["snapshot", "--fo"], "--format", "--fix"),
    (["snapshot", "--format", "s"], "svg", "json"),
    (["snapshot", "--theme", "p"], "paper", "dark"),
    (["snapshot", "org.today.C"], "org.today.Clock", "org.today.System"),
    (["--widgets", "/", "rem"], "remove", "list"),
    (["help", "comp"], "completion", "help"),
    (["schedule", "st"], "status", "off"),
    (["lint", "--"], "--static", "--json"),
    (["snapshot", "--page", "W"], "Work", "Home"),
    (["page", "n"], "nas", "fleet"),
    (["run", "--host", "me@"], "me@web-1", "nas"),
  ]

  @Test(arguments: places)
  func `bash completes commands, options and values`(
    words: [String],
    expected: String,
    other: String
  ) throws {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source <(today completion bash)
      COMP_WORDS=(today \(list)); COMP_CWORD=\(words.count); _today; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try run("/bin/bash", ["--norc", "-c", script])
    let lines = result.outputText.split(separator: "\n").map(String.init)
    #expect(lines.contains(expected), "\(result.outputText)\(result.errorText)")
    #expect(!lines.contains(other))
    #expect(result.errorText.isEmpty)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish")), arguments: places)
  func `fish completes commands, options and values`(
    words: [String],
    expected: String,
    other: String
  ) throws {
    let script =
      "today completion fish | source; complete -C 'today \(words.joined(separator: " "))'"
    let result = try run("/usr/bin/fish", ["--no-config", "-c", script])
    let lines = result.outputText.split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
    #expect(lines.contains(expected), "\(result.outputText)\(result.errorText)")
    #expect(!lines.contains(other))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zsh")), arguments: places)
  func `zsh completes commands, options and values`(
    words: [String],
    expected: String,
    other: String
  ) throws {
    // compadd only works while zsh completes, so that a function of this name prints what it is given.
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      compdef() { : }; compadd() { shift; print -l -- "$@" }
      eval "$(today completion zsh)"
      words=(today \(list)); CURRENT=\(words.count + 1); _today
      """
    let result = try run("/usr/bin/zsh", ["-f", "-c", script])
    let lines = result.outputText.split(separator: "\n").map(String.init)
    #expect(lines.contains(expected), "\(result.outputText)\(result.errorText)")
    // The shell itself chooses among the words that begin as what was typed.
    #expect(result.errorText.isEmpty)
  }
}
