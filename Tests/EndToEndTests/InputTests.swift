import FoundationEssentials
import Testing
import WidgetTestSupport

/// Lists, fields and folds of a widget, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InputTests {
  private static let delete = "\u{1B}[3~"

  private func open(_ world: TestWorld, columns: Int = 60) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: columns, rows: 30)
    try terminal.waitForText("note milk")
    try terminal.settle()
    return terminal
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `typing goes to a field that has the focus, and to no widget otherwise`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    // No letter reaches the widget: “m” is a key of the page, the others are none, and nothing is found.
    try terminal.type("mbw")
    try terminal.settle()
    #expect(terminal.screen.contains("note bread"))
    try terminal.press(.tab)
    try terminal.type("ea")
    try terminal.wait(for: "what was found") {
      $0.contains("› ea") && $0.contains("note bread") && $0.contains("note tea")
        && !$0.contains("note milk")
    }
    // A pasted text is typed, also its letters that are keys of the page.
    try terminal.type("\u{1B}[200~q\nH\u{1B}[201~")
    try terminal.wait(for: "nothing found") {
      $0.contains("› eaq H") && $0.contains("Nothing found")
    }
    try terminal.press(.escape)
    try terminal.wait(for: "everything again") {
      $0.contains("› Find or add") && $0.contains("note milk")
    }
    // The field has lost the focus, so that q quits.
    try quit(terminal, world)
  }

  @Test func `Enter sends the text, and the widget empties the field`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    try terminal.click("Find or add")
    try terminal.type("quilt")
    try terminal.waitForText("› quilt")
    try terminal.press(.enter)
    try terminal.waitForText("› Find or add")
    try terminal.type("quilt")
    try terminal.waitForText("note quilt")
    try terminal.press(.up)
    try terminal.waitForText("› quilt")
    try terminal.press(.escape)
    try terminal.waitForText("note milk")
    try quit(terminal, world)
  }

  @Test func `Delete removes the selected row, unless the row or the widget forbids it`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    try terminal.type(Self.delete)
    try terminal.waitForText("Select a row with Tab first.")
    try terminal.type("\t\t")
    try terminal.waitForText("x remove")
    try terminal.type(Self.delete)
    try terminal.wait(for: "one row less") { !$0.contains("note milk") && $0.contains("note tea") }
    // The next row has the focus; “keep” is not removed, nor what the widget keeps.
    try terminal.press(.down)
    try terminal.type(Self.delete)
    try terminal.waitForText("This row cannot be removed.")
    try terminal.press(.down)
    try terminal.type(Self.delete)
    try terminal.waitForText("The widget keeps this row.")
    // An error puts the row back.
    try terminal.press(.down)
    try terminal.type(Self.delete)
    try terminal.waitForText("the note is stuck")
    try terminal.wait(for: "the row again") { $0.contains("note stuck") }
    #expect(terminal.screen.contains("note keep") && terminal.screen.contains("note locked"))
    try quit(terminal, world)
  }

  @Test func `a row can be removed and a text typed while the card moves`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    try terminal.click("Show More…")
    try terminal.type("\u{1B}OA\u{1B}OA\u{1B}OA\u{1B}OA\(Self.delete)")
    try terminal.click("Details")
    try terminal.click("Find or add")
    try terminal.type("e")
    try terminal.wait(for: "what was found") {
      $0.contains("› e") && $0.contains("second line") && $0.contains("note keep")
        && !$0.contains("note bread")
    }
    try terminal.press(.escape)
    try terminal.wait(for: "all rows") { $0.contains("note salt") && $0.contains("Show Less") }
    try quit(terminal, world)
  }

  @Test func `a fold opens and closes, and stays over updates`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    try terminal.click("Details")
    try terminal.wait(for: "the children") { $0.contains("▾ Details") && $0.contains("third line") }
    try terminal.type("r")
    try terminal.settle()
    #expect(terminal.screen.contains("third line"))
    try terminal.press(.enter)
    try terminal.wait(for: "the fold closed") {
      $0.contains("▸ Details") && !$0.contains("third line")
    }
    try quit(terminal, world)
  }

  @Test func `a suspended widget is woken by a row that is removed`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let terminal = try open(world)
    // Suspended with the program, and continued with it.
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { status in
        if case .stopped = status { true } else { false }
      }
    )
    terminal.foreground()
    try terminal.wait(for: "the page again") { $0.isAlternate && $0.contains("note milk") }
    try terminal.type("\t\t\(Self.delete)")
    try terminal.wait(for: "one row less") { !$0.contains("note milk") && $0.contains("note tea") }
    try quit(terminal, world)
  }

  @Test func `a locked page takes no text and removes no row`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    try world.saveConfiguration(
      "{ widgets: { 'com.example.fixture.notes': { allowWhenLocked: true } } }"
    )
    let description = world.today(["--locked"])
    let terminal = try PseudoTerminal(description, columns: 60, rows: 30)
    try terminal.waitForText("note milk")
    try terminal.settle()
    try terminal.type("\tx")
    try terminal.waitForText("The page is locked.")
    #expect(terminal.screen.contains("Find or add"))
    try terminal.type("\t\(Self.delete)")
    try terminal.settle()
    #expect(terminal.screen.contains("note milk"))
    try quit(terminal, world)
  }

  @Test func `a printed page shows the first state`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let output = try world.run(["snapshot", "--width", "40"]).outputText
    #expect(output.contains("Find or add") && output.contains("Show More"))
    #expect(output.contains("Details") && !output.contains("second line"))
    #expect(!output.contains("note tea"))
  }

  @Test func `the harness knows lists, fields and folds`() throws {
    let world = try TestWorld(fixtures: ["Notes"])
    let run = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", "\(world.widgets)/Notes.widget"],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    #expect(run.outputText.contains("typing in the field “find” is accepted"))
  }
}
