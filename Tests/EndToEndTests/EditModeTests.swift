import FoundationEssentials
import Testing
import WidgetTestSupport

/// Edit mode of the dashboard.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct EditModeTests {
  private func isFirst(_ one: String, _ other: String, _ screen: TestScreen) -> Bool {
    guard let one = screen.row(of: one), let other = screen.row(of: other) else { return false }
    return one < other
  }

  @Test func `cards are added, moved and removed by keys, and all of it is undone`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    try world.install()
    _ = try world.installed(["add", "Counting"])
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        [],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 70,
      rows: 90
    )
    try terminal.waitForText("started 1 times")
    try terminal.waitForText("1 new")
    try terminal.click("1 new")
    try terminal.waitForText("Installed")
    try terminal.waitForText("Good")
    #expect(world.notes("starts") == 1)
    try terminal.press(.enter)
    try terminal.waitForText("updates: 1")
    #expect(isFirst("started", "updates:", terminal.screen))
    // The card that was added has the focus.
    try terminal.type("K")
    try terminal.wait(for: "the other order") { isFirst("updates:", "started", $0) }
    try terminal.press(.shiftDown)
    try terminal.wait(for: "the order before") { isFirst("started", "updates:", $0) }
    try terminal.press(.shiftUp)
    try terminal.wait(for: "the other order") { isFirst("updates:", "started", $0) }
    try terminal.type("x")
    try terminal.wait(for: "the end of the card") { !$0.contains("updates:") }
    try terminal.waitForText("Removed Good. u takes it back.")
    try terminal.type("u")
    try terminal.wait(for: "the card again") { isFirst("updates:", "started", $0) }
    try terminal.waitForText("Good is on Home again.")
    for order in [["started", "updates:"], ["updates:", "started"], ["started", "updates:"]] {
      try terminal.type("u")
      try terminal.wait(for: "the order before") { isFirst(order[0], order[1], $0) }
    }
    try terminal.type("u")
    try terminal.wait(for: "one card") { !$0.contains("updates:") }
    try terminal.type("u")
    try terminal.waitForText("There is nothing to undo.")
    // Another instance, with the proposed name.
    try terminal.type("a")
    try terminal.waitForText("No description.")
    try terminal.type("count")
    try terminal.wait(for: "one match") { !$0.contains("Good") }
    try terminal.press(.enter)
    try terminal.waitForText("Name of another one: 2")
    try terminal.press(.enter)
    try terminal.waitForText("Counting · 2")
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the mode") { !$0.contains("[ Done ]") }
    // Also without the mode.
    try terminal.type("u")
    try terminal.wait(for: "one card") { !$0.contains("Counting · 2") }
    let undone = try world.installed(["list"]).outputText
    #expect(!undone.contains("com.example.fixture.counting:2"), "\(undone)")
    try terminal.type("ea")
    try terminal.waitForText("Installed")
    try terminal.type("counti")
    try terminal.press(.enter)
    try terminal.waitForText("Name of another one: 2")
    try terminal.press(.enter)
    try terminal.waitForText("Counting · 2")
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the mode") { !$0.contains("[ Done ]") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let list = try world.installed(["list"]).outputText
    #expect(list.contains("com.example.fixture.counting:2"), "\(list)")
    #expect(world.processesLeft() == [])
  }

  @Test func `a card is dragged with the mouse, and removed and made wider by its heading`() throws
  {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try world.openDashboard(columns: 100, rows: 24)
    try terminal.waitForText("started 1 times")
    try terminal.waitForText("updates: 1")
    func column(_ words: String) -> Int? { terminal.screen.position(of: words)?.column }
    let places = try (#require(column("Counting ")), #require(column("Good ")))
    #expect(places.0 < places.1)
    try terminal.type("e")
    try terminal.waitForText("[ Done ]")
    try terminal.drag("Good ", to: "Counting ")
    try terminal.wait(for: "the other order") {
      guard let one = $0.position(of: "Counting ")?.column,
        let two = $0.position(of: "Good ")?.column
      else { return false }
      return two < one
    }
    try terminal.click(" ›")
    try terminal.waitForText(" ‹ 2 ›")
    try terminal.click("✕")
    try terminal.wait(for: "the end of the card") { !$0.contains("updates:") }
    try terminal.click("[ Undo ]")
    try terminal.waitForText("updates:")
    try terminal.click("[ Done ]")
    try terminal.wait(for: "the end of the mode") { !$0.contains("[ Done ]") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a bundle that comes while the page is open is announced`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    try world.install()
    _ = try world.installed(["add", "Counting"])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("1 new")
    try world.add(fixture: "Settable", below: "\(world.path)/data/today/widgets")
    try terminal.waitForText("2 new")
    try terminal.type("e")
    try terminal.type("a")
    try terminal.waitForText("Settable")
    // Apart, as Esc and a letter in one read are a key with Alt.
    try terminal.press(.escape)
    try terminal.settle()
    try terminal.press(.escape)
    try terminal.settle()
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a page of config json is not changed, but its text is offered`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    try world.install()
    try world.saveConfiguration(
      "{ pages: [{ name: 'Home', cards: ['com.example.fixture.counting', 'com.example.fixture.good'] }] }"
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("started 1 times")
    try terminal.type("eJ")
    try terminal.waitForText("is declared at")
    try terminal.type("y")
    try terminal.waitForText("Copied “Home” for pages in config.json")
    #expect(isFirst("started", "updates:", terminal.screen) || !terminal.screen.contains("u undo"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a card that is off the screen is shown before a key acts on it`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 8)
    // The second one has the focus, and the first one is on the screen.
    try terminal.waitForText("started")
    try terminal.press(.down)
    try terminal.waitForText("updates: 1")
    try terminal.type("g")
    try terminal.wait(for: "the first card") { $0.contains("started") && !$0.contains("updates:") }
    // On the page and in edit mode alike.
    try terminal.type("m")
    try terminal.waitForText("updates: ")
    try terminal.type("ge")
    try terminal.wait(for: "the first card") { $0.contains("started") && !$0.contains("updates:") }
    try terminal.type("K")
    try terminal.wait(for: "the card in its new place") { $0.contains("updates: ") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
