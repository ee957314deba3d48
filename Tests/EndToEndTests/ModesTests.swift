import FoundationEssentials
import Testing
import WidgetTestSupport

/// The modes of the page, and keys of the user, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ModesTests {
  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  private func sent(_ terminal: PseudoTerminal) -> String {
    String(decoding: terminal.screen.bytes, as: UTF8.self)
  }

  @Test func `cards are found by their text while it is typed`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Private"])
    let terminal = try world.openDashboard(columns: 120, rows: 30)
    try terminal.wait(for: "all cards") { $0.contains("All is well") && $0.contains("Statement") }
    try terminal.type("/all is")
    try terminal.wait(for: "one card") { $0.contains("All is well") && !$0.contains("Statement") }
    try terminal.type("\u{7F}\u{7F}\u{15}state")
    try terminal.wait(for: "the other card") {
      !$0.contains("All is well") && $0.contains("Statement")
    }
    try terminal.press(.enter)
    try terminal.waitForText("/state Esc shows all")
    try terminal.press(.escape)
    try terminal.wait(for: "all cards") { $0.contains("All is well") && $0.contains("Statement") }
    try quit(terminal, world)
  }

  @Test func `a pasted text is typed where text is typed, and presses no key elsewhere`() throws {
    let world = try TestWorld(fixtures: ["Good", "Private"])
    let terminal = try world.openDashboard(columns: 120, rows: 30)
    try terminal.wait(for: "both cards") { $0.contains("All is well") && $0.contains("Statement") }
    try terminal.type("\u{1B}[200~q?:H\u{1B}[201~")
    try terminal.type("/\u{1B}[200~all\nis\u{1B}\u{1B}[201~")
    try terminal.wait(for: "one card") {
      $0.contains("/ all is") && $0.contains("All is well") && !$0.contains("Statement")
    }
    // The cursor moves in the text: by words, to the start and to the end.
    try terminal.type("\u{1B}[1;5D\u{1B}OD\u{1B}[3~X\u{01}Y\u{05}Z")
    try terminal.waitForText("/ YallXisZ")
    // Without its end, a paste goes on until nothing comes any more.
    try terminal.type("\u{15}\u{1B}[200~all")
    try terminal.wait(for: "the text") { $0.contains("/ all ") && $0.contains("All is well") }
    try terminal.type("\u{1B}[201~\u{1B}")
    try terminal.wait(for: "all cards") { $0.contains("Statement") && $0.contains("All is well") }
    try quit(terminal, world)
  }

  @Test func `the terminal has its cursor where text is typed, also while cards change`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking"])
    let terminal = try world.openDashboard(columns: 120, rows: 30)
    try terminal.wait(for: "both cards") { $0.contains("All is well") && $0.contains("tick ") }
    func expectCursor(behind words: String, _ column: Int) {
      let lines = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      let row = lines.firstIndex { $0.contains(words) }
      #expect(terminal.screen.cursor.row == row)
      #expect(terminal.screen.cursor.column == column)
    }
    try terminal.type("/tick")
    try terminal.wait(for: "what was typed") { $0.contains("/ tick ") && !$0.contains("All is") }
    expectCursor(behind: "/ tick ", 7)
    let shown = terminal.screen.text
    try terminal.wait(for: "another number") { $0.text != shown }
    expectCursor(behind: "/ tick ", 7)
    try terminal.type("\u{1B}[D")
    try terminal.wait(for: "the cursor") { _ in terminal.screen.cursor.column == 6 }
    try terminal.press(.escape)
    try terminal.waitForText("All is well")
    try quit(terminal, world)
  }

  @Test func `a key that a card has nothing for says so`() throws {
    let world = try TestWorld(fixtures: ["Ticking"])
    let terminal = try world.openDashboard(columns: 120, rows: 30)
    try terminal.waitForText("tick ")
    for (key, words) in [
      ("\r", "Nothing on Ticking can be pressed."),
      ("t", "Ticking has not stopped. r asks it for new data."),
      ("m", "Ticking has a single form."),
    ] {
      try terminal.type(key)
      try terminal.waitForText(words)
    }
    try quit(terminal, world)
  }

  @Test func `a theme is seen while it is selected, and stays after the next start`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let background = "48;2;250;245;234"
    let terminal = try world.openDashboard(variables: ["COLORTERM": "truecolor"])
    try terminal.waitForText("updates: 1")
    try terminal.type(":paper")
    try terminal.wait(for: "the background of the theme") { (screen: TestScreen) in
      screen.contains("Theme: Paper") && sent(terminal).contains(background)
    }
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("Commands") }
    try terminal.settle()
    #expect(terminal.screen.cell(column: 40, row: 20).background == .standard)
    try terminal.type(":paper\r")
    try terminal.wait(for: "the page in the theme") {
      !$0.contains("Commands") && $0.cell(column: 40, row: 20).background != .standard
    }
    try quit(terminal, world)
    let again = try world.openDashboard(variables: ["COLORTERM": "truecolor"])
    try again.wait(for: "the page in the theme") {
      $0.contains("updates: ") && $0.cell(column: 40, row: 20).background != .standard
    }
    try quit(again, world)
  }

  @Test func `a letter presses what it is on`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.type("f")
    try terminal.waitForText("a-z press")
    try terminal.type("a")
    try terminal.waitForText("extra row 8")
    #expect(!terminal.screen.contains("a-z press"))
    try quit(terminal, world)
  }

  @Test func `keys of the user are followed, and a wrong one is reported with its place`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try world.saveConfiguration("{ keys: { 'ctrl-e': 'help',\n 'ctrl-c': 'help' } }")
    let terminal = try world.openDashboard(columns: 160, rows: 40)
    try terminal.waitForText("config.json:2:2: keys.ctrl-c: expected a key")
    // The first row names the key of the list of keys.
    // In place, as a shell writes.
    let keys = "{ keys: { 'ctrl-e': 'help', '?': 'none', f1: 'none' } }"
    try world.write(keys, to: world.configurationPath)
    try terminal.wait(for: "no problem") {
      $0.contains("Ctrl-E keys") && !$0.contains("config.json:2")
    }
    try terminal.type("?\u{05}")
    try terminal.waitForText("close this list")
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("close this list") }
    try world.saveConfiguration("{ keys: { 'ctrl-e': 'quit' } }")
    try terminal.waitForText("? keys")
    try terminal.type("\u{05}")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `y copies the text of the card to the clipboard of the terminal`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.type("y")
    try terminal.waitForText("Copied 3 lines to the terminal (OSC 52).")
    let text = Data("All is well\nupdates: 1\n[ More ]".utf8).base64EncodedString()
    #expect(sent(terminal).contains("\u{1B}]52;c;\(text)\u{1B}\\"))
    try quit(terminal, world)
  }

  @Test func `where a link leads is in the footer before it is opened`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("Statement")
    try terminal.press(.tab)
    try terminal.waitForText("opens https://example.com/statement")
    // The terminal gets the link too, unless the page is locked.
    #expect(sent(terminal).contains("\u{1B}]8;;https://example.com/statement\u{1B}\\"))
    try quit(terminal, world)
  }

  @Test func `a hidden page shows nothing, and a key brings it back`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.type("H")
    try terminal.wait(for: "nothing of the page") {
      $0.contains("The page is hidden.") && !$0.contains("All is well") && !$0.contains("Today")
    }
    try terminal.type("x")
    try terminal.waitForText("All is well")
    try quit(terminal, world)
  }

  /// The card is shown on a locked page.
  private static let allowed =
    "{ widgets: { 'com.example.fixture.private': { allowWhenLocked: true } } }"

  @Test func `a locked page covers what is private, presses nothing and stores nothing of it`()
    throws
  {
    let world = try TestWorld(fixtures: ["Private"])
    try world.saveConfiguration(Self.allowed)
    let description = world.today(["--locked"])
    let terminal = try PseudoTerminal(description, columns: 80, rows: 24)
    try terminal.waitForText("presses: 0")
    try terminal.settle()
    #expect(terminal.screen.rows.first?.contains("locked") == true)
    #expect(!terminal.screen.contains("4711"))
    try terminal.click("Count")
    try terminal.waitForText("The page is locked.")
    #expect(terminal.screen.contains("presses: 0"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    // Nothing was stored, so a page without widgets has nothing to show.
    let cached = try world.run(["snapshot", "--cached"])
    #expect(cached.outputText.contains("No stored content"), "\(cached.outputText)")
  }

  @Test func `L locks the page for the URLs of widgets too, and unlocks it`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    try world.saveConfiguration(Self.allowed)
    let terminal = try world.openDashboard()
    try terminal.waitForText("balance 4711")
    try terminal.click("Count")
    try terminal.waitForText("presses: 1")
    try terminal.type("L")
    try terminal.wait(for: "the cover") { !$0.contains("4711") && $0.contains("presses: 1") }
    // Within 10 s of a press a widget may open a URL, but not while the page is locked.
    try terminal.type("r")
    try terminal.waitForText("opened: false")
    try terminal.waitForText("the page is locked")
    try terminal.type("L")
    try terminal.waitForText("balance 4711")
    try quit(terminal, world)
  }

  @Test func `a scheme that only the user has registered is asked for once`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    try world.saveConfiguration(
      "{ openers: { 'x-nobody': ['true'] }, limits: { openURLSeconds: 0 } }"
    )
    let question = "Private wants to open a “x-nobody:” link"
    let terminal = try world.openDashboard()
    try terminal.waitForText("balance 4711")
    try terminal.click("Count")
    try terminal.waitForText("presses: 1")
    try terminal.type("r")
    try terminal.waitForText(question)
    // What is typed while it comes was meant for the page, and answers nothing, nor does Enter later.
    try terminal.type("oad")
    try terminal.readQuestion()
    try terminal.press(.enter)
    #expect(terminal.screen.contains(question))
    try terminal.answer("\u{1B}")
    try terminal.wait(for: "the refusal") { !$0.contains(question) && $0.contains("opened: false") }
    // Esc says nothing: the user knows.
    try terminal.settle()
    #expect(!terminal.screen.contains("not opened"))
    try terminal.type("r")
    try terminal.waitForText(question)
    try terminal.answer("o")
    try terminal.wait(for: "the answer") { !$0.contains(question) && $0.contains("opened: true") }
    try quit(terminal, world)

    // The answer holds for the next start, also as a refusal.
    let again = try world.openDashboard()
    try again.waitForText("balance 4711")
    try again.click("Count")
    // The update at the start may come after the press, and opens the link, too.
    try again.waitForText("presses: 1")
    try again.type("r")
    try again.waitForText("opened: true")
    try quit(again, world)
  }

  @Test func `a question that comes while somebody types waits until the field is left`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    try world.saveConfiguration("{ openers: { 'x-nobody': ['true'] } }")
    // It asks for a link while the user types.
    try world.write(
      """
      #!/usr/bin/python3 -ESB
      import json, sys
      def send(message): print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)
      field = {"type": "field", "id": "f", "placeholder": "Type here"}
      hears = ["fieldDidChange"]
      asked = False
      for line in sys.stdin:
          call = json.loads(line)
          if call.get("method") == "shutdown": break
          if call.get("method") == "fieldDidChange" and not asked:
              asked = True
              send({"id": "o", "method": "openURL", "params": {"url": "x-nobody:1"}})
          elif call.get("id") == "o" and "method" not in call:
              said = {"type": "vstack", "children": [field, f"opened {call['result']['success']}"]}
              send({"method": "setView", "params": {"view": said}})
          elif "id" in call:
              send({"id": call["id"], "result": {"protocolVersion": 1, "implements": hears, "view": field}})

      """,
      to: "\(world.widgets)/Private.widget/private"
    )
    let terminal = try world.openDashboard()
    try terminal.waitForText("Type here")
    try terminal.settle()
    try terminal.type("\to")
    try terminal.waitForText("Private has a question; Esc leaves the field.")
    try terminal.type("ood")
    try terminal.waitForText("oood")
    try terminal.readQuestion()
    try terminal.type("o")
    try terminal.waitForText("ooodo")
    #expect(!terminal.screen.contains("wants to open") && !terminal.screen.contains("opened "))
    try terminal.press(.escape)
    try terminal.waitForText("wants to open a “x-nobody:” link")
    try terminal.answer("o")
    try terminal.waitForText("opened True")
    try quit(terminal, world)
  }

  @Test func `a quit with a question open answers the widget before it ends`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    try world.saveConfiguration("{ openers: { 'x-nobody': ['true'] } }")
    let trace = "\(world.path)/trace"
    let description = world.today(["--trace", trace])
    let terminal = try PseudoTerminal(description, columns: 80, rows: 24)
    try terminal.waitForText("balance 4711")
    try terminal.click("Count")
    try terminal.waitForText("presses: 1")
    try terminal.type("r")
    try terminal.waitForText("wants to open a “x-nobody:” link")
    try terminal.type("\u{3}")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let answer = lines.firstIndex {
      $0.contains(#""success":false"#) || $0.contains(#"\"success\":false"#)
    }
    let end = lines.firstIndex { $0.contains("shutdown") }
    #expect(answer != nil && end.map { end in answer.map { $0 < end } ?? false } ?? true)
  }
}
