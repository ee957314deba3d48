import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The chooser and the sheet below the prompt, while standard input and output are pipes.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SharePaneTests {
  /// A way in which the pane is left without a post.
  enum Way: String, CaseIterable {
    case escape, controlC, terminate, hangUp, kill
  }

  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    // The list has ten rows.
    try world.replaceBundledExtensions()
    try world.script(
      "keep.sh",
      """
      # today: share accepts="public.text" title="Keep It" leaves=false
      # today: option name=mark title=Mark choices="!, ?" default=!
      # today: option name=text title="Say something"
      printf '%s%s %s\\n' "$(cat)" "$TODAY_OPTION_MARK" "$TODAY_OPTION_TEXT"
      """
    )
    try world.script(
      "paste.sh",
      "# today: share accepts=public.text title=Paste\ncat >'\(world.path)/sent'; echo https://paste.test/1"
    )
    try world.script("slow.sh", "# today: share accepts=public.text title=Slow\nsleep 100")
    try world.script("upper.sh", "# today: action accepts=public.text title=Upper\ntr a-z A-Z")
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// Runs a command line of a shell in a terminal; `$today` is the program.
  private func open(
    _ line: String,
    rows: Int = 24,
    variables: [String: String] = [:]
  ) throws -> PseudoTerminal {
    var environment = world.environment(term: "xterm-256color").merging(variables) { $1 }
    environment["today"] = BuiltProgram.path
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      rows: rows
    )
  }

  private func end(_ terminal: PseudoTerminal, with code: Int32) throws {
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: code), "\(terminal.screen.text)")
  }

  // MARK: - Choosing and posting

  @Test func `keys alone choose an extension and post`() throws {
    let terminal = try open("printf 'hello\\nworld\\n' | \"$today\" share >out")
    try terminal.waitForText("Keep It")
    #expect(terminal.screen.contains("plain text · 12 bytes"), "\(terminal.screen.text)")
    #expect(terminal.screen.contains("hello"))
    #expect(!terminal.screen.isAlternate && !terminal.screen.isCursorVisible)
    try terminal.type("keep")
    try terminal.wait(for: "one row") { !$0.contains("Paste") }
    try terminal.press(.enter)
    try terminal.waitForText("Say something")
    try terminal.type("so it is")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("take")
    try terminal.press(.down)
    try terminal.press(.enter)
    try terminal.wait(for: "the choice") { $0.contains("? ›") }
    try terminal.type([0x13])
    try end(terminal, with: 0)
    #expect(text("out") == "hello\nworld? so it is\n")
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test func `the mouse chooses an extension and posts`() throws {
    let terminal = try open("echo prompt; printf a | \"$today\" share >out")
    try terminal.click("Paste")
    try terminal.waitForText("[ Post ]")
    #expect(text("sent") == nil)
    try terminal.click("[ Post ]")
    try end(terminal, with: 0)
    #expect(text("out") == "https://paste.test/1\n")
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
  }

  @Test func `share extensions are before actions, and those used last are first`() throws {
    func order(_ terminal: PseudoTerminal) -> [Int?] {
      ["Keep It", "Paste", "Slow", "Upper"].map { terminal.screen.row(of: $0) }
    }
    let first = try open("printf a | \"$today\" share >out")
    try first.waitForText("Upper")
    let rows = order(first).compactMap(\.self)
    #expect(rows.count == 4 && rows == rows.sorted())
    try first.click("Paste")
    try first.click("[ Post ]")
    try end(first, with: 0)
    let second = try open("printf a | \"$today\" share >out")
    try second.waitForText("Upper")
    let paste = try #require(second.screen.row(of: "Paste"))
    #expect(try paste < #require(second.screen.row(of: "Keep It")))
  }

  @Test func `an extension that was used with its sheet may be used without it`() throws {
    let refused = try open("printf a | \"$today\" share --with paste --yes")
    try end(refused, with: 77)
    let terminal = try open("printf a | \"$today\" share --with paste >out")
    try terminal.waitForText("[ Post ]")
    try terminal.press(.enter)
    try end(terminal, with: 0)
    let agreed = try open("url=$(printf b | \"$today\" share --with paste --yes); echo \"<$url>\"")
    try end(agreed, with: 0)
    #expect(agreed.screen.contains("<https://paste.test/1>"))
    #expect(text("sent") == "b")
  }

  @Test func `Copy reaches the clipboard of the terminal, although its script has none`() throws {
    let world = try TestWorld()
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    let line = "printf 'copied' | \"$today\" share --with script.copy --option to=terminal --yes"
    for command in [line, "(\(line)) >out 2>&1"] {
      let terminal = try PseudoTerminal(
        ProgramDescription(
          "/bin/sh",
          ["-c", command],
          environment: environment,
          directory: world.path
        ),
        rows: 24
      )
      try end(terminal, with: 0)
      let bytes = String(decoding: terminal.screen.bytes, as: UTF8.self)
      #expect(bytes.contains("]52;c;\(Data("copied".utf8).base64EncodedString())"), "\(command)")
    }
  }

  @Test func `a post can be cancelled while it runs`() throws {
    let terminal = try open("printf a | \"$today\" share --with slow")
    try terminal.waitForText("[ Post ]")
    try terminal.press(.enter)
    try terminal.waitForText("Posting")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(world.processesLeft() == [])
    try expectShellTerminal(terminal)
  }

  @Test func `what was typed for a script that fails is there to be tried again`() throws {
    try world.script(
      "away.sh",
      """
      # today: share accepts="public.text" title="Send It"
      # today: option name=text title="Say something"
      [ "$TODAY_OPTION_TEXT" != no ] || { echo no route >&2; exit 1; }
      printf '%s %s\\n' "$(cat)" "$TODAY_OPTION_TEXT"
      """
    )
    let terminal = try open("printf 'some text' | \"$today\" share --with away >out")
    try terminal.waitForText("Say something")
    try terminal.type("no")
    try terminal.waitForText("no")
    try terminal.type([0x13])
    try terminal.waitForText("no route")
    try terminal.type("body")
    try terminal.waitForText("nobody")
    try terminal.type([0x13])
    try end(terminal, with: 0)
    #expect(text("out") == "some text nobody\n")
    #expect(world.processesLeft() == [])
    try expectShellTerminal(terminal)
  }

  @Test func `an action that is not named is chosen, and the content is back after Esc`() throws {
    let terminal = try open("printf 'abc' | \"$today\" act >out")
    try terminal.waitForText("Upper")
    #expect(!terminal.screen.contains("Paste"))
    try terminal.type("upper")
    try terminal.press(.enter)
    try end(terminal, with: 0)
    #expect(text("out") == "ABC")
    try expectShellTerminal(terminal)
    let cancelled = try open("printf 'abc' | \"$today\" act >out 2>errors")
    try cancelled.waitForText("Upper")
    try cancelled.press(.escape)
    try end(cancelled, with: 130)
    #expect(text("out") == "abc")
    #expect(text("errors") == "today: cancelled; nothing has changed\n")
  }

  // MARK: - The terminal afterwards

  @Test(arguments: Way.allCases, [2, 23])
  func `without a post nothing is sent, and the terminal is as before`(
    way: Way,
    line: Int
  ) throws {
    let terminal = try open(
      "i=1; while [ $i -lt \(line) ]; do echo line $i; i=$((i+1)); done; exec \"$today\" share --text a"
    )
    try terminal.waitForText("Upper")
    let state = terminal.originalAttributes
    switch way {
    case .escape: try terminal.press(.escape)
    case .controlC: try terminal.press(.controlC)
    case .terminate: terminal.signal(SIGTERM)
    case .hangUp: terminal.signal(SIGHUP)
    case .kill: terminal.signal(SIGKILL)
    }
    try terminal.waitForEnd()
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in terminal.attributes == state }
    try terminal.settle()
    let rows = terminal.screen.rows.filter { !$0.isEmpty }
    #expect(rows.last == "line \(line - 1)" && !rows.contains { $0.contains("Share") })
    #expect(terminal.screen.cursor.row == rows.count)
    switch way {
    case .escape, .controlC: #expect(terminal.status == .exited(code: 130))
    case .terminate: #expect(terminal.status == .exited(code: 143))
    case .hangUp: #expect(terminal.status == .exited(code: 129))
    case .kill: break
    }
    #expect(text("sent") == nil)
    try expectShellTerminal(terminal)
  }

  @Test func `the cursor is in its column again`() throws {
    let terminal = try open("printf 'some words'; exec \"$today\" share --text a")
    try terminal.waitForText("Upper")
    #expect(terminal.screen.rows[0] == "some words")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(terminal.screen.cursor.column == 10 && terminal.screen.cursor.row == 0)
    #expect(terminal.screen.text.split(separator: "\n") == ["some words"])
  }

  @Test func `the pane follows the size of the terminal`() throws {
    let terminal = try open("echo prompt; exec \"$today\" share --text a", rows: 30)
    try terminal.waitForText("Upper")
    // One row, so that the pane fits into the smallest size.
    try terminal.type("upper")
    try terminal.wait(for: "one row") { !$0.contains("Keep It") }
    for (columns, rows) in [(50, 20), (100, 40), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.wait(for: "a picture of \(columns)×\(rows)") { screen in
        screen.rows.contains { $0.hasPrefix("╭ Share") && $0.count == min(columns, 84) }
      }
      #expect(terminal.screen.rows.count { $0.contains("╭ Share") } == 1)
    }
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
  }

  @Test func `after Ctrl-Z the shell has the terminal, and the pane comes back`() throws {
    let terminal = try open("echo prompt; exec \"$today\" share --text a")
    try terminal.waitForText("Upper")
    try terminal.press(.controlZ)
    try terminal.wait(for: "the stop", status: { if case .stopped = $0 { true } else { false } })
    try terminal.settle()
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
    terminal.foreground()
    try terminal.waitForText("Upper")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    try expectShellTerminal(terminal)
  }

  // MARK: - What it is drawn with

  @Test func `without UTF-8 and colours it is in plain ASCII`() throws {
    let terminal = try open(
      "printf 'h\\303\\244llo' | \"$today\" share",
      variables: ["LC_ALL": "C", "NO_COLOR": "1"]
    )
    try terminal.waitForText("+ Share ")
    #expect(terminal.screen.bytes.allSatisfy { $0 < 0x80 })
    #expect(!String(decoding: terminal.screen.bytes, as: UTF8.self).contains("38;"))
  }

  @Test func `names and content cannot act on the terminal`() throws {
    try world.script(
      "evil.sh",
      "# today: share accepts=public.text title=\"Evil\u{1B}]0;owned\u{7}\u{9B}2J\""
    )
    let name = "a\u{1B}[2Jb.txt"
    try Data("\u{1B}]0;owned\u{7}\u{1B}[2Jtext".utf8)
      .write(to: URL(filePath: "\(world.path)/\(name)"))
    let terminal = try open("echo prompt; exec \"$today\" share a*b.txt")
    try terminal.waitForText("Evil")
    #expect(terminal.screen.titleChangeCount == 0 && terminal.screen.rows[0] == "prompt")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    try expectShellTerminal(terminal)
  }
}
