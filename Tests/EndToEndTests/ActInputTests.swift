import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What becomes of the standard input of a filter that does nothing.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ActInputTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.replaceBundledExtensions()
    try world.script("upper.sh", "# today: action accepts=public.text title=Upper\ntr a-z A-Z")
    try world.script("same.sh", "# today: action accepts=public.data title=Same\ncat")
    // A file that is called like an action.
    try world.write("file", to: "\(world.path)/upper")
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  private func program(
    _ line: String,
    term: String?,
    _ variables: [String: String]
  ) -> ProgramDescription {
    var environment = world.environment(term: term).merging(variables) { $1 }
    environment["today"] = BuiltProgram.path
    return ProgramDescription(
      "/bin/sh",
      ["-c", line],
      environment: environment,
      directory: world.path
    )
  }

  /// Runs a command line of a shell in the folder of the world; `$today` is the program.
  private func shell(_ line: String, _ variables: [String: String] = [:]) throws -> ProgramRun {
    try ProgramRun(program(line, term: nil, variables))
  }

  // MARK: - Errors before the input is read

  @Test(
    arguments: [
      ("\"$today\" act --with nosuch", [:], 66, "today: no share or action extension “nosuch”"),
      ("\"$today\" act --with ''", [:], 64, "today: --with “”: expected an action"),
      ("\"$today\" act --with upper --bogus", [:], 64, "today: unknown option “--bogus”"),
      ("\"$today\" act --with upper -o upper --bogus", [:], 64, "today: unknown option"),
      ("\"$today\" act - --with upper --in-place", [:], 64, "today: --in-place needs files"),
      ("\"$today\" --widgets nowhere act --with upper", [:], 66, "today: --widgets nowhere"),
      ("\"$today\" act --popup", [:], 69, "today: there is no tmux, zellij or kitty"),
      ("\"$today\" act --popup --with upper", [:], 69, "today: there is no tmux"),
      ("\"$today\" act --with upper", ["TMPDIR": "/nowhere"], 1, "today: could not make a file"),
      ("\"$today\" act --popup", ["TMUX": "/nowhere,1,0"], 69, "opened no popup"),
      ("\"$today\" act", ["TMUX": "/nowhere,1,0"], 69, "opened no popup"),
      ("\"$today\" act --popup", ["TMUX": "a", "PATH": "/nowhere"], 69, "today: sh: "),
    ] as [(String, [String: String], Int32, String)]
  )
  func `input that was not read is printed as it was, and what is wrong is said`(
    line: String,
    variables: [String: String],
    status: Int32,
    words: String
  ) throws {
    let run = try shell("printf 'keep\\0\\377me' | \(line)", variables)
    #expect(run.status == .exited(code: status), "\(run.errorText)")
    #expect(run.output == Array("keep\0".utf8) + [0xFF] + Array("me".utf8))
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  @Test(arguments: [
    "act upper --bogus", "act --text a --bogus", "act --undo --bogus", "act --redo --in-place",
    "act --on-failure empty --bogus", "act --on-failure empty --with ''",
    "act --on-failure empty --popup", "act --with upper --in-place -o out nosuch",
  ])
  func `input that is no content of the command, or not wanted, is not printed`(
    arguments: String
  ) throws {
    let run = try shell("printf keep | \"$today\" \(arguments)")
    #expect(run.outputText.isEmpty)
    #expect(!run.errorText.isEmpty && run.status != .exited(code: 0))
  }

  @Test func `input is given back whole where the disk is full`() throws {
    let run = try shell(
      "seq 100000 | cksum; trap '' XFSZ; ulimit -f 16; seq 100000 | \"$today\" act --with upper | cksum"
    )
    let sums = run.outputText.split(separator: "\n")
    #expect(sums.count == 2 && sums[0] == sums[1], "\(run.errorText)")
    #expect(run.errorText.hasPrefix("today: could not write the content"), "\(run.errorText)")
  }

  @Test func `a terminal is not read`() throws {
    for arguments in ["--bogus", "--with ''", "--popup --with upper", "--with nosuch"] {
      let line = "\"$today\" act \(arguments); echo \"status $?\""
      let terminal = try PseudoTerminal(program(line, term: "xterm-256color", [:]), rows: 24)
      try terminal.waitForEnd()
      #expect(terminal.screen.contains("status 64"), "\(terminal.screen.text)")
    }
    let line = "\"$today\" share --popup; echo \"status $?\""
    let variables = ["TMUX": "/nowhere,1,0"]
    let terminal = try PseudoTerminal(program(line, term: "xterm-256color", variables), rows: 24)
    try terminal.waitForEnd()
    #expect(terminal.screen.contains("status 64"), "\(terminal.screen.text)")
  }

  // MARK: - Popups

  @Test(.enabled(if: MultiplexerWindow.Kind.installed.contains(.tmux), "tmux is not installed"))
  func `a popup of tmux passes on the result, and the input where nothing was done`() throws {
    let window = try MultiplexerWindow(.tmux, in: world, columns: 80, rows: 24)
    defer { window.end() }
    let terminal = window.terminal
    let today = try #require(BuiltProgram.path)
    try world.write(
      "printf keep | '\(today)' act --popup $1 >out 2>errors; echo \"status $?\"\n",
      to: "\(world.path)/filter"
    )
    try terminal.type("sh filter '--with nosuch'\r")
    try terminal.waitForText("status 66")
    #expect(text("out") == "keep")
    #expect(text("errors")?.hasPrefix("today: no share or action extension “nosuch”") == true)

    try terminal.type("clear; sh filter\r")
    try terminal.waitForText("Upper")
    try terminal.press(.escape)
    try terminal.waitForText("status 130")
    #expect(text("out") == "keep")

    try terminal.type("clear; sh filter\r")
    try terminal.waitForText("Upper")
    try terminal.type("upper\r")
    try terminal.waitForText("status 0")
    #expect(text("out") == "KEEP" && text("errors") == "")
  }

  // MARK: - Results on a terminal

  @Test func `what an action returns cannot act on a terminal, and elsewhere has all its bytes`()
    throws
  {
    try Data("a\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}2Jb".utf8)
      .write(to: URL(filePath: "\(world.path)/evil"))
    let lines = [
      "cat evil | \"$today\" act --with same", "\"$today\" act --with same evil",
      "cat evil | \"$today\" act --with nosuch", "cat evil | \"$today\" act --bogus",
    ]
    for line in lines {
      let shown = "echo prompt; \(line) 2>errors; echo end"
      let terminal = try PseudoTerminal(program(shown, term: "xterm-256color", [:]), rows: 24)
      try terminal.waitForEnd()
      #expect(terminal.screen.titleChangeCount == 0, "\(line)")
      let rows = terminal.screen.rows.filter { !$0.isEmpty }
      #expect(rows.count == 3 && rows.first == "prompt" && rows.last == "end", "\(line): \(rows)")
      let same = try shell("(\(line)) >out 2>errors; cmp out evil && echo same")
      #expect(same.outputText == "same\n", "\(line)")
    }
  }
}
