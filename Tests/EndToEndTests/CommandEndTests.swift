import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today post --on-exit`, and the lines of `today hook` in real shells.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct CommandEndTests {
  private func notices(_ world: TestWorld) throws -> String {
    try world.run(["notices", "--json"]).outputText
  }

  /// Opens an interactive bash in which `today` is the program.
  private func bash(_ world: TestWorld, _ start: String = "") throws -> PseudoTerminal {
    let program = world.today()
    var environment = program.environment
    environment["HISTCONTROL"] = "ignorespace"
    try world.write(
      "PS1='ready> '; today() { '\(program.path)' \"$@\"; }\n\(start)\n",
      to: "\(world.path)/rc"
    )
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/bin/bash",
        ["--noprofile", "--rcfile", "\(world.path)/rc", "-i"],
        environment: environment,
        directory: world.path
      ),
      columns: 100,
      rows: 30
    )
    try terminal.waitForText("ready>")
    return terminal
  }

  @Test(arguments: [
    ("exit 0", ProgramStatus.exited(code: 0), "ended"), ("exit 7", .exited(code: 7), "failed"),
    ("kill -TERM $$", .killed(signal: SIGTERM), "was ended"),
    ("kill -KILL $$", .killed(signal: SIGKILL), "was ended"),
  ])
  func `it ends as the command does, and tells of it`(
    script: String,
    status: ProgramStatus,
    words: String
  ) throws {
    let world = try TestWorld()
    let arguments = ["post", "--on-exit", "1s", "--", "sh", "-c", "echo out; sleep 1.1; \(script)"]
    let program = world.today(term: nil)
    let run = try ProgramRun(
      ProgramDescription(
        program.path,
        arguments,
        environment: program.environment,
        directory: world.path
      )
    )
    #expect(run.status == status && run.outputText == "out\n", "\(run.errorText)")
    let list = try notices(world)
    #expect(list.contains("\"application\":\"sh\"") && list.contains("\(words)\""), "\(list)")
  }

  @Test func `a command that is short, or not there, is not told`() throws {
    let world = try TestWorld()
    let program = world.today(term: nil)
    for (command, code) in [("true", Int32(0)), ("no-such-program", 127)] {
      let run = try ProgramRun(
        ProgramDescription(
          program.path,
          ["post", "--on-exit", "10s", "--", command],
          environment: program.environment
        )
      )
      #expect(run.status == .exited(code: code))
    }
    #expect(try notices(world) == "[]\n")
  }

  @Test func `of errors in a file the last lines are told`() throws {
    let world = try TestWorld()
    let program = world.today(term: nil)
    try world.write("before\n", to: "\(world.path)/errors")
    let line = """
      '\(program.path)' post --on-exit 1s -- sh -c '
      for n in 1 2 3 4 5 6 7; do echo "error $n" >&2; done; sleep 1.1; exit 1' 2>>errors
      """
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/bash",
        ["-c", line],
        environment: program.environment,
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 1))
    let body = #""body":"exit status 1 after 1 s\nerror 3\nerror 4\nerror 5\nerror 6\nerror 7""#
    let list = try notices(world)
    #expect(list.contains(body), "\(list)")
  }

  @Test func `of errors in a pipe the last lines are told, and all pass as they come`() throws {
    let world = try TestWorld()
    let program = world.today(term: nil)
    // Both streams are one pipe, in which their order stays, and what is left behind can still write to it.
    let command =
      "echo a; echo b >&2; echo c; printf 'x\\0y' >&2; (sleep 1; echo late >&2) & exit 3"
    let line = "'\(program.path)' post --on-exit 0s -- sh -c \"$COMMAND\" 2>&1 | od -c"
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/bash",
        ["-c", line],
        environment: program.environment.merging(["COMMAND": command]) { $1 },
        directory: world.path
      )
    )
    let shown = run.outputText.split(whereSeparator: \.isWhitespace).map(String.init).filter {
      $0.count < 7
    }
    #expect(
      shown == ["a", "\\n", "b", "\\n", "c", "\\n", "x", "\\0", "y", "l", "a", "t", "e", "\\n"],
      "\(run.outputText)"
    )
    let list = try notices(world)
    #expect(list.contains(#"exit status 3 after 0 s\na\nb\nc\nx"#), "\(list)")
    #expect(list.contains(#""title":"sh -c 'echo a;"#), "\(list)")
  }

  @Test func `a command whose errors nobody reads ends as without this program`() throws {
    let world = try TestWorld()
    let program = world.today(term: nil)
    let line = """
      '\(program.path)' post --on-exit 0s -- sh -c 'while echo x >&2; do :; done' 2>&1 >/dev/null | head -n 1
      echo "${PIPESTATUS[0]}"
      """
    let run = try ProgramRun(
      ProgramDescription("/bin/bash", ["-c", line], environment: program.environment)
    )
    #expect(run.outputText == "x\n\(128 + SIGPIPE)\n", "\(run.errorText)")
  }

  @Test func `a terminal of its own has size, keys and stops, and its progress is in the notice`()
    throws
  {
    let world = try TestWorld()
    let terminal = try bash(world)
    try world.write(
      """
      test -t 0 && test -t 1 && test -t 2 && stty size
      printf '\\033]9;4;1;40\\007'; read -r word; echo "got <$word>"; stty size; exec sleep 300

      """,
      to: "\(world.path)/look"
    )
    try terminal.type("today post --on-exit 0s --show-progress --app job -- sh look\r")
    try terminal.waitForText("30 100")
    try terminal.wait(for: "the progress") { (_: TestScreen) in
      (try? notices(world))?.contains("\"progress\":40") == true
    }
    let list = try notices(world)
    #expect(list.contains("sh look is running") && list.contains("\"isOngoing\":true"), "\(list)")
    try terminal.resize(columns: 90, rows: 28)
    try terminal.type("word\r")
    try terminal.waitForText("got <word>")
    try terminal.waitForText("28 90")
    try terminal.press(.controlZ)
    try terminal.waitForText("Stopped")
    try terminal.type("stty -a | grep -o ' icanon'; fg\r")
    try terminal.waitForText(" icanon")
    try terminal.wait(for: "the command in the foreground") {
      $0.text.ranges(of: "\"$@\"").count > 1
    }
    let prompts = terminal.screen.text.ranges(of: "ready>").count
    try terminal.type("\u{3}")
    try terminal.wait(for: "the prompt") { $0.text.ranges(of: "ready>").count > prompts }
    try terminal.type("echo status \"$?\"\r")
    try terminal.waitForText("status 130")
    #expect(try notices(world) == "[]\n")
    terminal.hangUp()
  }

  @Test func `the command has the terminal, Ctrl-C and Ctrl-Z as if it stood alone`() throws {
    let world = try TestWorld()
    let terminal = try bash(world)
    try world.write(
      // A shell that has just made a process does not stop before that has its program.
      "test -t 0 && test -t 1 && test -t 2 && echo all terminals; exec sleep 300\n",
      to: "\(world.path)/look"
    )
    try terminal.type("today post --on-exit 0s -- sh look\r")
    try terminal.waitForText("all terminals")
    try terminal.press(.controlZ)
    try terminal.waitForText("Stopped")
    try terminal.type("echo in \"between\"\r")
    try terminal.waitForText("in between")
    try terminal.type("fg; echo status \"$?\"\r")
    try terminal.wait(for: "the command in the foreground") {
      $0.text.ranges(of: "\"$@\"").count > 1
    }
    let prompts = terminal.screen.text.ranges(of: "ready>").count
    try terminal.type("\u{3}")
    try terminal.wait(for: "the prompt") { $0.text.ranges(of: "ready>").count > prompts }
    try terminal.type("echo it is \"back\"\r")
    try terminal.waitForText("it is back")
    // Whoever has ended it knows.
    #expect(try notices(world) == "[]\n")
    terminal.hangUp()
  }

  @Test func `bash posts the end of long commands, by the names that it remembers`() throws {
    let world = try TestWorld()
    let settings = "\(world.path)/config/today"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try world.write("{ notices: { hookSeconds: 1 } }", to: "\(settings)/config.json")
    let terminal = try bash(
      world,
      "PROMPT_COMMAND='last=$?'; eval \"$(today hook bash)\"; eval \"$(today hook bash)\""
    )
    try terminal.type("true \"short\"\r")
    try terminal.type("sleep 1.2; (exit 3)\r")
    try terminal.type("echo status \"$last\"\r")
    try terminal.waitForText("status 3")
    try terminal.type(" sleep 1.3\r")
    try terminal.type("echo after \"that\"\r")
    try terminal.waitForText("after that")
    try terminal.wait(for: "both notices") { (_: TestScreen) in
      (try? notices(world))?.ranges(of: "\"id\":").count == 2
    }
    let list = try notices(world)
    #expect(list.contains("\"application\":\"sleep\""), "\(list)")
    #expect(list.contains("sleep 1.2; (exit 3) failed"), "\(list)")
    #expect(list.contains("a command ended") && !list.contains("1.3"), "\(list)")
    #expect(!list.contains("short"), "\(list)")
    terminal.hangUp()
  }

  @Test(
    arguments: [
      ("zsh", ["-f", "-i"], "PS1='ready> '; source ./hook; source ./hook"),
      ("fish", ["--no-config", "-i"], "source ./hook; source ./hook"),
    ].filter { access("/usr/bin/\($0.0)", X_OK) == 0 }
  )
  func `zsh and fish post the end of long commands once`(
    shell: String,
    arguments: [String],
    start: String
  ) throws {
    let world = try TestWorld()
    let settings = "\(world.path)/config/today"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try world.write("{ notices: { hookSeconds: 1 } }", to: "\(settings)/config.json")
    try world.write(try world.run(["hook", shell]).outputText, to: "\(world.path)/hook")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/usr/bin/\(shell)",
        arguments,
        environment: world.today().environment,
        directory: world.path
      ),
      columns: 100,
      rows: 30
    )
    try terminal.type("\(start)\r")
    try terminal.type("true \"short\"; echo is \"ready\"\r")
    try terminal.waitForText("is ready")
    try terminal.type("sleep 1.2; sh -c 'exit 3'\r")
    try terminal.type("echo after \"that\"\r")
    try terminal.waitForText("after that")
    try terminal.wait(for: "the notice") { (_: TestScreen) in
      (try? notices(world))?.contains("\"id\":") == true
    }
    let list = try notices(world)
    #expect(list.ranges(of: "\"id\":").count == 1, "\(list)")
    #expect(list.contains("sleep 1.2; sh -c 'exit 3' failed"), "\(list)")
    #expect(list.contains("exit status 3"), "\(list)")
    terminal.hangUp()
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the lines for a shell are read by it without an error`(shell: String) throws {
    let world = try TestWorld()
    let lines = try world.run(["hook", shell])
    #expect(lines.status == .exited(code: 0))
    #expect(lines.outputText.contains("30"))
    guard access("/usr/bin/\(shell)", X_OK) == 0 else { return }
    try world.write(lines.outputText, to: "\(world.path)/hook")
    let run = try ProgramRun(
      ProgramDescription("/usr/bin/\(shell)", ["-n", "\(world.path)/hook"], directory: world.path)
    )
    #expect(run.status == .exited(code: 0) && run.errorText == "", "\(run.errorText)")
  }
}
