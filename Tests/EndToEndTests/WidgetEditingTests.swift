import FoundationEssentials
import Testing
import WidgetTestSupport

/// The editing of a widget, and dragging, in edit mode of the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct WidgetEditingTests {
  private func open(
    _ fixtures: [String] = ["Notes"],
    columns: Int = 60,
    rows: Int = 30
  ) throws -> (TestWorld, PseudoTerminal) {
    let world = try TestWorld(fixtures: fixtures)
    let terminal = try world.openDashboard(columns: columns, rows: rows)
    try terminal.waitForText("note milk")
    try terminal.settle()
    try terminal.type("e")
    try terminal.waitForText("[ Done ]")
    return (world, terminal)
  }

  private func changes(_ world: TestWorld) -> [String] {
    world.lines(of: "changes", fixture: "notes")
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// Clicks words below the first line, which has other buttons.
  private func click(_ words: String, _ terminal: PseudoTerminal) throws {
    let rows = terminal.screen.rows
    let row = try #require(rows.indices.dropFirst().first { rows[$0].contains(words) })
    let place = try #require(rows[row].firstRange(of: words)?.lowerBound)
    let column = rows[row].distance(from: rows[row].startIndex, to: place) + 1
    try terminal.type(terminal.screen.click(.left, column: column, row: row))
  }

  private func isFirst(_ one: String, _ other: String, _ screen: TestScreen) -> Bool {
    guard let one = screen.row(of: one), let other = screen.row(of: other) else { return false }
    return one < other
  }

  @Test func `rows are moved, removed and added by keys while their widget is edited`() throws {
    let (world, terminal) = try open()
    #expect(terminal.screen.contains(" Edit ") && !terminal.screen.contains("≡"))
    try terminal.press(.enter)
    try terminal.wait(for: "the marks") {
      $0.contains("≡ note milk") && $0.contains(" Done ") && $0.contains("+ Add")
    }
    // “keep” cannot be removed.
    #expect(terminal.screen.rows.first { $0.contains("note milk") }?.contains("✕") == true)
    #expect(terminal.screen.rows.first { $0.contains("note keep") }?.contains("✕") == false)
    try terminal.type("J")
    try terminal.wait(for: "the other order") { isFirst("note bread", "note milk", $0) }
    // The row keeps the focus.
    try terminal.type("J")
    try terminal.wait(for: "the next order") { isFirst("note keep", "note milk", $0) }
    try terminal.type("K")
    try terminal.wait(for: "the order before") { isFirst("note milk", "note keep", $0) }
    try terminal.type("x")
    try terminal.wait(for: "one row less") { !$0.contains("note milk") }
    try terminal.type("+")
    try terminal.wait(for: "the answer") { (_: TestScreen) in
      changes(world).contains { $0.contains("widgetListPerformAddAction") }
    }
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the marks") { !$0.contains("≡") && $0.contains(" Edit ") }
    #expect(terminal.screen.contains("[ Done ]"))
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the mode") { !$0.contains("[ Done ]") }
    try quit(terminal, world)
    #expect(
      changes(world) == [
        "widgetDidBeginEditing",
        #"["listDidMoveRow", {"before": "keep", "list": "notes", "row": "milk"}]"#,
        #"["listDidMoveRow", {"before": "locked", "list": "notes", "row": "milk"}]"#,
        #"["listDidMoveRow", {"before": "keep", "list": "notes", "row": "milk"}]"#,
        #"["listDidRemoveRow", {"list": "notes", "row": "milk"}]"#,
        #"["widgetListPerformAddAction", {"list": "notes"}]"#,
        "widgetDidEndEditing",
      ]
    )
  }

  @Test func `the mouse begins and ends the editing, drags rows, and presses their marks`() throws {
    let (world, terminal) = try open()
    try terminal.click(" Edit ")
    try terminal.waitForText("≡ note milk")
    let place = try #require(terminal.screen.position(of: "note locked"))
    try terminal.hold("≡ note milk", overColumn: place.column, row: place.row)
    // The row is at the pointer, and the others have moved up.
    try terminal.wait(for: "the drag") {
      $0.position(of: "note milk")?.row == place.row && $0.contains("Drop")
    }
    #expect(isFirst("note locked", "note milk", terminal.screen))
    try terminal.press(.escape)
    try terminal.wait(for: "the order as it was") { isFirst("note milk", "note bread", $0) }
    try terminal.letGo(overColumn: place.column, row: place.row)
    try terminal.hold("≡ note milk", overColumn: place.column, row: place.row)
    try terminal.letGo(overColumn: place.column, row: place.row)
    try terminal.wait(for: "the other order") { isFirst("note locked", "note milk", $0) }
    let mark = try #require(terminal.screen.row(of: "note bread"))
    let column = try #require(terminal.screen.rows[mark].firstIndex(of: "✕"))
    let columns = terminal.screen.rows[mark].distance(
      from: terminal.screen.rows[mark].startIndex,
      to: column
    )
    try terminal.type(terminal.screen.click(.left, column: columns, row: mark))
    try terminal.wait(for: "one row less") { !$0.contains("note bread") && $0.contains("note tea") }
    // The card has come to rest.
    try terminal.settle(calm: .milliseconds(300))
    try click("+ Add", terminal)
    try terminal.wait(for: "the answer") { (_: TestScreen) in
      changes(world).contains { $0.contains("widgetListPerformAddAction") }
    }
    try click(" Done ", terminal)
    try terminal.wait(for: "the end") { (_: TestScreen) in
      changes(world).last == "widgetDidEndEditing"
    }
    try quit(terminal, world)
    #expect(
      changes(world) == [
        "widgetDidBeginEditing",
        #"["listDidMoveRow", {"before": "stuck", "list": "notes", "row": "milk"}]"#,
        #"["listDidRemoveRow", {"list": "notes", "row": "bread"}]"#,
        #"["widgetListPerformAddAction", {"list": "notes"}]"#, "widgetDidEndEditing",
      ]
    )
  }

  @Test(arguments: ["q", "\u{1A}", "H", "e", "L"])
  func `quitting, Ctrl-Z, hiding, locking and the end of the mode end the editing`(key: String)
    throws
  {
    let (world, terminal) = try open()
    try terminal.press(.enter)
    try terminal.waitForText("≡ note milk")
    try terminal.type(key)
    try terminal.wait(for: "the message") { (_: ProgramStatus) in
      changes(world) == ["widgetDidBeginEditing", "widgetDidEndEditing"]
    }
    if key == "\u{1A}" {
      try terminal.wait(
        for: "the stop",
        status: { status in
          if case .stopped = status { true } else { false }
        }
      )
      terminal.foreground()
      try terminal.wait(for: "the page again") { $0.isAlternate && $0.contains("note milk") }
      #expect(!terminal.screen.contains("≡"))
    }
    if key == "H" { try terminal.type(" ") }
    if key != "q" { try terminal.type("q") }
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test
  func `a widget that does not allow it says so, and one that crashes is not edited any more`()
    throws
  {
    let (world, terminal) = try open(["Notes", "Good"], rows: 40)
    try terminal.press(.enter)
    try terminal.waitForText("has nothing to edit")
    try terminal.type("j")
    try terminal.press(.enter)
    try terminal.waitForText("≡ note milk")
    ProcessList.killAll(naming: "\(world.widgets)/Notes.widget")
    try terminal.wait(for: "the end of the marks") { !$0.contains("≡") }
    try quit(terminal, world)
  }

  @Test func `a card that is dragged follows the pointer, and it is shown where it lands`() throws {
    let (world, terminal) = try open(["Notes", "Good"], columns: 100, rows: 24)
    let cards = { (screen: TestScreen) in Array(screen.rows.dropLast()) }
    let before = cards(terminal.screen)
    let other = try #require(terminal.screen.position(of: "Notes "))
    try terminal.hold("Good ", overColumn: other.column + 4, row: other.row + 1)
    try terminal.wait(for: "the place") { $0.contains("══ here ══") && $0.contains("“Notes”") }
    try terminal.move(toColumn: 10, row: 20)
    try terminal.wait(for: "no place") {
      !$0.contains(" here ") && $0.contains("leaves it") && $0.position(of: "Good ")?.row == 1
    }
    #expect(terminal.screen.rows[20].contains("Good "))
    try terminal.press(.escape)
    try terminal.wait(for: "the page as before") { cards($0) == before }
    try terminal.letGo(overColumn: other.column + 4, row: other.row + 1)
    // Another size ends a drag, and what leaves the screen changes nothing.
    try terminal.hold("Good ", overColumn: other.column + 4, row: other.row + 1)
    try terminal.waitForText("══ here ══")
    try terminal.resize(columns: 101, rows: 24)
    try terminal.wait(for: "the end of the drag") { !$0.contains(" here ") }
    try terminal.letGo(overColumn: other.column + 4, row: other.row + 1)
    try terminal.hold("Good ", overColumn: 500, row: 500)
    try terminal.waitForText("leaves it")
    try terminal.letGo(overColumn: 99, row: 23)
    try terminal.wait(for: "the keys of the mode") { $0.contains("J K") }
    #expect(isBeside("Good ", "Notes ", terminal.screen))
    let place = try #require(terminal.screen.position(of: "Notes "))
    try terminal.hold("Good ", overColumn: place.column, row: place.row + 1)
    try terminal.waitForText("══ here ══")
    try terminal.letGo(overColumn: place.column, row: place.row + 1)
    try terminal.wait(for: "the other order") { isBeside("Notes ", "Good ", $0) }
    try terminal.press(.escape)
    try quit(terminal, world)
    #expect(String(decoding: terminal.screen.bytes, as: UTF8.self).contains("\u{1B}[?1002l"))
  }

  private func isBeside(_ one: String, _ other: String, _ screen: TestScreen) -> Bool {
    guard let one = screen.position(of: one), let other = screen.position(of: other) else {
      return false
    }
    return one.column < other.column
  }
}
