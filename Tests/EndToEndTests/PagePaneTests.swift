import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The pane at the row of the page whose content is shared, and what becomes of what an action
/// returns.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PagePaneTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.replaceBundledExtensions()
    // Cards of three rows each: the first has room below it, and the last above it.
    for number in 1...4 {
      try world.script("card\(number).1d.sh", "echo one of \(number); echo two; echo three")
    }
    try world.saveConfiguration(
      "{ pages: [{ name: 'Home', cards: [\((1...4).map { "'script.card\($0)'" }.joined(separator: ", "))] }] }"
    )
    try world.script(
      "keep.sh",
      """
      # today: share accepts="public.text, public.url" title=Keep leaves=false
      # today: option name=mark title=Mark default=none
      cat >'\(world.path)/kept'
      """
    )
    try world.script("upper.sh", "# today: action accepts=public.text title=Upper\ntr a-z A-Z")
    try world.script("none.sh", "# today: action accepts=public.text title=Nothing\ncat >/dev/null")
    try world.script(
      "slow.sh",
      "# today: action accepts=public.text title=Slow\necho $$ >'\(world.path)/pid'; exec sleep 100"
    )
    try world.script(
      "picture.sh",
      "# today: action accepts=public.text title=Picture\nprintf '\\211PNG\\r\\n\\032\\n\\000\\000'"
    )
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  private func open(columns: Int = 60, rows: Int = 30) throws -> PseudoTerminal {
    var variables = world.environment(term: "xterm-256color")
    variables["TMPDIR"] = world.path
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        [],
        environment: variables,
        directory: world.path
      ),
      columns: columns,
      rows: rows
    )
    try terminal.wait(for: "all cards") { screen in
      (1...4).allSatisfy { screen.contains("one of \($0)") }
    }
    try terminal.settle()
    return terminal
  }

  /// Whatever of the screen a pane may change.
  private struct Shot: Equatable {
    var cells: [[ScreenCell]]
    var isAlternate: Bool
    var isCursorVisible: Bool
    var reportsMouse: Bool
    var modes: [Int: Bool]
    var keyboardDepth: Int
    var hasApplicationKeypad: Bool
    var attributes: TerminalAttributes

    init(_ terminal: PseudoTerminal) {
      let screen = terminal.screen
      // The first line has the time, and the last one what is said.
      cells = (1..<screen.lineCount - 1).map { row in
        (0..<screen.columns).map { screen.cell(column: $0, row: row) }
      }
      (isAlternate, isCursorVisible) = (screen.isAlternate, screen.isCursorVisible)
      let state = screen.state
      (reportsMouse, modes) = (screen.reportsMouse, state.modes)
      (keyboardDepth, hasApplicationKeypad) = (state.keyboardDepth, state.hasApplicationKeypad)
      attributes = terminal.attributes
    }
  }

  private func waitForPage(_ terminal: PseudoTerminal, _ shot: Shot) throws {
    try terminal.wait(for: "the page as before") { _ in Shot(terminal) == shot }
  }

  private func quit(_ terminal: PseudoTerminal) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  private func rows(_ terminal: PseudoTerminal, outside words: String) throws -> Range<Int> {
    let first = try #require(terminal.screen.row(of: "╭ \(words)"))
    let last = try #require(
      terminal.screen.rows.lastIndex { $0.contains("╰ ") && $0.contains("esc") }
    )
    return first..<last + 1
  }

  // MARK: - The place

  @Test func `the pane is below the card, or above one without room, and the page around it stays`()
    throws
  {
    let terminal = try open()
    let shot = Shot(terminal)
    let before = terminal.screen.rows
    for (keys, isBelow) in [("", true), ("G", false)] {
      // From the last card on, there is no room below.
      if !keys.isEmpty { for _ in 1...3 { try terminal.type("j") } }
      try terminal.settle()
      let present = terminal.screen.rows
      try terminal.type("a")
      try terminal.waitForText("Upper")
      let pane = try rows(terminal, outside: "Act")
      let own = try #require(present.firstIndex { $0.contains("one of \(isBelow ? 1 : 4)") })
      // The heading is above the first line, and two lines and the border are below it.
      if isBelow {
        #expect(pane.lowerBound == own + 4)
      } else {
        #expect(pane.upperBound == own - 1)
      }
      for row in terminal.screen.rows.indices where !pane.contains(row) {
        #expect(terminal.screen.rows[row] == present[row])
      }
      try terminal.press(.escape)
      try terminal.wait(for: "the page") { $0.rows == present }
    }
    for _ in 1...3 { try terminal.type("k") }
    try terminal.wait(for: "the first card") { $0.rows == before }
    try waitForPage(terminal, shot)
    try quit(terminal)
  }

  @Test func `a resize while the pane is open moves it, and the page is right afterwards`() throws {
    let terminal = try open()
    try terminal.type("a")
    try terminal.waitForText("Upper")
    for (columns, rows) in [(40, 15), (120, 40), (20, 6), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.wait(for: "the pane at \(columns)×\(rows)") { screen in
        // The lowest has room for three actions.
        screen.rows.contains { $0.contains("╭ Act") }
          && screen.contains(rows < 10 ? "Slow" : "Upper")
      }
      #expect(terminal.screen.rows.count { $0.contains("╭ Act") } == 1)
    }
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("╭ Act") && $0.contains("one of 4") }
    let after = terminal.screen.rows
    try terminal.type([0x0C])
    try terminal.settle()
    #expect(terminal.screen.rows == after)
    try quit(terminal)
  }

  @Test func `Ctrl-Z gives the terminal to the shell, and the pane is there again after it`() throws
  {
    let terminal = try open()
    let page = Shot(terminal)
    try terminal.type("a")
    try terminal.waitForText("Upper")
    try terminal.type("upp")
    try terminal.wait(for: "one row") { !$0.contains("Slow") }
    let shot = Shot(terminal)
    try terminal.press(.controlZ)
    try terminal.wait(for: "the stop", status: { if case .stopped = $0 { true } else { false } })
    try terminal.settle()
    try expectShellTerminal(terminal)
    terminal.foreground()
    try waitForPage(terminal, shot)
    try terminal.press(.enter)
    try terminal.waitForText("[ Copy ]")
    try terminal.press(.escape)
    try waitForPage(terminal, page)
    try quit(terminal)
  }

  // MARK: - Quick keys

  @Test func `keys that are typed at once go to what they are for, and none is lost`() throws {
    let terminal = try open()
    let shot = Shot(terminal)
    for number in 1...4 {
      // The list, the sheet, Post, and the next card of the page.
      try terminal.type("skeep\r\u{13}j")
      try terminal.wait(for: "the content") { _ in
        text("kept")?.hasPrefix("one of \(number)") == true
      }
    }
    try terminal.type("kkkaupper\rcq")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let copied = Data("ONE OF 1\nTWO\nTHREE".utf8).base64EncodedString()
    #expect(String(decoding: terminal.screen.bytes, as: UTF8.self).contains("]52;c;\(copied)"))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [] && shot.isAlternate)
  }

  // MARK: - Ends

  @Test(arguments: [SIGTERM, SIGHUP], ["", "upper\r", "slow\r", "upper\rs"])
  func `a signal ends the page with the pane, and the terminal is as before`(
    number: Int32,
    keys: String
  ) throws {
    let terminal = try open()
    try terminal.type("a")
    try terminal.waitForText("Upper")
    try terminal.type(keys)
    switch keys {
    case "upper\r": try terminal.waitForText("[ Copy ]")
    case "slow\r": try terminal.wait(for: "the script") { _ in text("pid")?.isEmpty == false }
    case "upper\rs": try terminal.waitForText("Save as")
    default: break
    }
    terminal.signal(number)
    try terminal.waitForEnd()
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test
  func `an action that works is cancelled by Esc, and one that was killed is said to have ended`()
    throws
  {
    let terminal = try open()
    let shot = Shot(terminal)
    for kills in [false, true] {
      _ = unsafe unlink("\(world.path)/pid")
      try terminal.type("aslow\r")
      try terminal.waitForText("Working")
      try terminal.wait(for: "the script") { _ in text("pid")?.hasSuffix("\n") == true }
      let pid = try #require(Int32(text("pid")?.dropLast() ?? ""))
      if kills { kill(pid, SIGKILL) } else { try terminal.press(.escape) }
      try waitForPage(terminal, shot)
      if kills { try terminal.waitForText("Slow: ") }
    }
    try quit(terminal)
  }

  // MARK: - Results

  @Test func `an action that returns nothing asks nothing`() throws {
    let terminal = try open()
    let shot = Shot(terminal)
    try terminal.type("anothing\r")
    try terminal.waitForText("Nothing has returned nothing.")
    try waitForPage(terminal, shot)
    try quit(terminal)
  }

  @Test func `a result is saved whole under a name, and a file of that name only after a question`()
    throws
  {
    let terminal = try open()
    let shot = Shot(terminal)
    try terminal.type("aupper\r")
    try terminal.waitForText("[ Save… ]")
    try terminal.type("s")
    try terminal.waitForText("card1.txt")
    try terminal.press(.enter)
    try terminal.waitForText("Saved \(world.path)".prefix(30).description)
    #expect(text("card1.txt") == "ONE OF 1\nTWO\nTHREE\n")
    try waitForPage(terminal, shot)
    // Another file is suggested; the name of the first one is typed.
    try world.write("mine", to: "\(world.path)/taken.txt")
    try terminal.type("aupper\rs")
    try terminal.waitForText("card1-2.txt")
    try terminal.type([0x15])
    try terminal.type("taken.txt\r")
    try terminal.waitForText("“taken.txt” exists. Replace it?")
    try terminal.press(.enter)
    try terminal.waitForText("Save as")
    #expect(text("taken.txt") == "mine")
    try terminal.press(.enter)
    try terminal.waitForText("Replace it?")
    try terminal.type("r")
    try terminal.wait(for: "the file") { _ in text("taken.txt") == "ONE OF 1\nTWO\nTHREE\n" }
    try waitForPage(terminal, shot)
    try terminal.type("aupper\rs")
    try terminal.waitForText("Save as")
    try terminal.type([0x15])
    try terminal.type("nowhere/a.txt\r")
    try terminal.waitForText("file or directory")
    try terminal.type([0x03])
    try waitForPage(terminal, shot)
    try quit(terminal)
  }

  @Test func `a picture is neither copied nor pinned`() throws {
    let terminal = try open()
    try terminal.type("apicture\r")
    try terminal.waitForText("[ Save… ]")
    #expect(!terminal.screen.contains("[ Copy ]") && !terminal.screen.contains("[ Pin ]"))
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("[ Save… ]") }
    try quit(terminal)
  }

  @Test func `a pinned result is a card at once, with the focus`() throws {
    let terminal = try open()
    try terminal.type("aupper\rp")
    try terminal.waitForText("Upper: card1")
    try terminal.waitForText("ONE OF 1")
    let scripts = "\(world.path)/data/today/scripts"
    let names = try FileManager.default.contentsOfDirectory(atPath: scripts)
    #expect(names == ["Upper-card1.sh"])
    // It has the focus.
    try terminal.type("skeep\r\u{13}")
    try terminal.wait(for: "its text") { _ in text("kept") == "ONE OF 1\nTWO\nTHREE\n" }
    try quit(terminal)
  }
}
