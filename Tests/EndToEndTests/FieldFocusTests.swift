import FoundationEssentials
import Testing
import WidgetTestSupport

/// Lists and fields of the bundled widgets, by keys alone.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct FieldFocusTests {
  /// A page with one bundled widget, whose configuration is `settings`.
  private func open(
    _ widget: String,
    _ settings: String = "{}",
    in world: TestWorld,
    rows: Int = 30
  ) throws -> PseudoTerminal {
    try world.saveConfiguration(
      "{ pages: [{ name: 'Home', cards: ['org.today.\(widget)'] }],"
        + " widgets: { 'org.today.\(widget)': \(settings) } }"
    )
    return try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        [],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 60,
      rows: rows
    )
  }

  private func text(_ name: String, _ world: TestWorld) -> String {
    FileManager.default.contents(atPath: "\(world.path)/home/\(name)")
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func waitForFile(
    _ name: String,
    _ words: String,
    _ terminal: PseudoTerminal,
    _ world: TestWorld
  ) throws {
    try terminal.wait(for: "\(name) to be “\(words)”, not “\(text(name, world))”") {
      (_: TestScreen) in text(name, world) == words
    }
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    // A letter that is read together with Esc is another key.
    try terminal.waitForText("q quit")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  private func beginEditing(_ terminal: PseudoTerminal) throws {
    try terminal.settle()
    try terminal.type("e")
    try terminal.waitForText("[ Done ]")
    try terminal.press(.enter)
    try terminal.waitForText("│ + Add")
  }

  @Test func `a reminder is added by keys alone: the field that + opens has the focus`() throws {
    let world = try TestWorld()
    try world.write("one\ntwo\n", to: "\(world.path)/home/todo.txt")
    let terminal = try open("Reminders", in: world)
    try terminal.waitForText("☐ two")
    try beginEditing(terminal)
    try terminal.type("+")
    try terminal.waitForText("Add a reminder")
    // Letters that are commands elsewhere: e leaves, 2 shows a page, a space ticks off, x removes.
    try terminal.type("xe 2 q+JaL\r")
    try waitForFile("todo.txt", "one\ntwo\nxe 2 q+JaL\n", terminal, world)
    try terminal.waitForText("☐ xe 2 q+JaL")
    // The field is there for the next one.
    try terminal.type("four\r")
    try waitForFile("todo.txt", "one\ntwo\nxe 2 q+JaL\nfour\n", terminal, world)
    try terminal.press(.escape)
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the editing") { !$0.contains("│ + Add") }
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("[ Done ]") }
    try quit(terminal, world)
  }

  @Test func `a reminder is added in the field of the card, and edited in its place`() throws {
    let world = try TestWorld()
    try world.write("one\n", to: "\(world.path)/home/todo.txt")
    let terminal = try open("Reminders", in: world)
    try terminal.waitForText("Add a reminder")
    try terminal.settle()
    // Back from the card is its last element.
    try terminal.type("\u{1B}[Z")
    try terminal.type("milk +shop\r")
    try waitForFile("todo.txt", "one\nmilk +shop\n", terminal, world)
    try terminal.waitForText("☐ milk +shop")
    try terminal.press(.escape)
    try terminal.settle()
    // The row, what edits it, and the field with its text.
    try terminal.type("\t\t\r")
    try terminal.waitForText("› one")
    try terminal.type(" and two\r")
    try waitForFile("todo.txt", "one and two\nmilk +shop\n", terminal, world)
    try terminal.press(.escape)
    try quit(terminal, world)
  }

  @Test func `what is typed before the field is there goes into it`() throws {
    let world = try TestWorld()
    try world.write((1...25).map { "task \($0)\n" }.joined(), to: "\(world.path)/home/todo.txt")
    let terminal = try open("Reminders", in: world, rows: 24)
    try terminal.waitForText("☐ task 1")
    try terminal.settle()
    // All in one read, as from a macro or a slow line.
    try terminal.type("e\r+q 2 e milk\r")
    // 20 rows are shown at first: what is added is not behind “Show More”, and on the screen.
    try terminal.waitForText("☐ q 2 e milk")
    #expect(text("todo.txt", world).hasSuffix("task 25\nq 2 e milk\n"))
    try terminal.type("tea\r")
    try terminal.waitForText("☐ tea")
    // With the field left, + goes back to it.
    try terminal.press(.escape)
    try terminal.type("+oil\r")
    try terminal.waitForText("☐ oil")
    try terminal.press(.escape)
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the editing") { !$0.contains("│ + Add") }
    try terminal.press(.escape)
    try quit(terminal, world)
  }

  @Test func `a row is edited, moved and removed by keys alone, and Esc leaves its text as it was`()
    throws
  {
    let world = try TestWorld()
    try world.write("one\ntwo\nthree\n", to: "\(world.path)/home/todo.txt")
    let terminal = try open("Reminders", in: world)
    try terminal.waitForText("☐ three")
    try beginEditing(terminal)
    // Enter opens the first row as a field, and the row has the focus afterwards.
    try terminal.type("\r")
    try terminal.wait(for: "the field") { !$0.contains("☐ one") }
    try terminal.type(" e2\r")
    try waitForFile("todo.txt", "one e2\ntwo\nthree\n", terminal, world)
    try terminal.waitForText("☐ one e2")
    try terminal.type("J")
    try waitForFile("todo.txt", "two\none e2\nthree\n", terminal, world)
    try terminal.type("\r")
    try terminal.wait(for: "the field again") { !$0.contains("☐ one e2") }
    try terminal.type("zzz")
    try terminal.waitForText("one e2zzz")
    try terminal.press(.escape)
    try terminal.wait(for: "the text as it was") { !$0.contains("zzz") && $0.contains("one e2") }
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the editing") { $0.contains("☐ one e2") }
    #expect(text("todo.txt", world) == "two\none e2\nthree\n")
    try terminal.type("\r")
    try terminal.waitForText("│ + Add")
    try terminal.type("x")
    try waitForFile("todo.txt", "one e2\nthree\n", terminal, world)
    try terminal.waitForText("[ Undo ]")
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the card's editing") { !$0.contains("│ + Add") }
    try terminal.press(.escape)
    try terminal.waitForText("q quit")
    // What the card offers to take back is taken back by the key for that, also while it is edited.
    try terminal.type("u")
    try waitForFile("todo.txt", "two\none e2\nthree\n", terminal, world)
    try terminal.waitForText("☐ two")
    try beginEditing(terminal)
    try terminal.type("x")
    try waitForFile("todo.txt", "one e2\nthree\n", terminal, world)
    try terminal.waitForText("[ Undo ]")
    try terminal.type("u")
    try waitForFile("todo.txt", "two\none e2\nthree\n", terminal, world)
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the card's editing") { !$0.contains("│ + Add") }
    try terminal.press(.escape)
    try quit(terminal, world)
  }

  @Test func `the question of a card is left by Esc, and then the card`() throws {
    let world = try TestWorld()
    let terminal = try open("Processes", "{ order: 'memory' }", in: world)
    try terminal.waitForText("PID")
    try terminal.settle()
    // Into the card: to the headings of its columns, and past them.
    try terminal.type("\r")
    try terminal.waitForText("Esc back")
    try terminal.type("jjjj")
    try terminal.waitForText("asks whether to end it")
    // A process that ends before its row is pressed has no question, and the card says so.
    for _ in 0..<10 {
      try terminal.press(.enter)
      let words = ["[ Cancel ]", "That process has ended."]
      try terminal.wait(for: "an answer") { screen in words.contains(where: screen.contains) }
      if terminal.screen.contains(words[0]) { break }
      try terminal.wait(for: "the end of the words") { !$0.contains(words[1]) }
    }
    try terminal.waitForText("[ Cancel ]")
    try terminal.press(.escape)
    try terminal.wait(for: "the list alone") { !$0.contains("[ Cancel ]") }
    try terminal.press(.escape)
    try quit(terminal, world)
  }

  @Test func `a note and a countdown are typed by keys alone`() throws {
    let world = try TestWorld()
    let terminal = try open("Notes", "{ file: '~/notes.txt' }", in: world)
    try terminal.waitForText("New line")
    try terminal.settle()
    try terminal.type("\tq2 e\r")
    try waitForFile("notes.txt", "q2 e\n", terminal, world)
    try terminal.type("second\r")
    try waitForFile("notes.txt", "q2 e\nsecond\n", terminal, world)
    try terminal.press(.escape)
    try quit(terminal, world)
    let other = try TestWorld()
    let timer = try open("Timer", in: other)
    try timer.waitForText("Countdown, such as 10 min")
    try timer.settle()
    try timer.type("\t\t\t\t7 min\r")
    try timer.waitForText("Countdown")
    try timer.wait(for: "the countdown") { $0.contains("7:00") || $0.contains("6:5") }
    try timer.press(.escape)
    try quit(timer, other)
  }
}
