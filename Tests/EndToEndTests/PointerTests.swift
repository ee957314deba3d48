import FoundationEssentials
import Testing
import WidgetTestSupport

/// Mouse presses go to the element under the pointer, also while it moves.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct PointerTests {
  @Test(.enabled(if: BundledWidgets.isThere), arguments: [40, 80, 120, 200], [1, 3, 5])
  func `a click on the moving Less of ClownTown reverses the animation`(
    columns: Int,
    moment: Int
  ) throws {
    let world = try TestWorld()
    let program = ProgramDescription(
      BuiltProgram.path ?? "/nowhere/today",
      // No other card grows into the room that this one leaves.
      [
        "--widgets", "\(BundledWidgets.path ?? "/nowhere")/ClownTown.app", "--trace",
        "\(world.path)/trace",
      ],
      environment: world.environment(),
      directory: world.path
    )
    // As many rows as the page needs: drawing more takes time in which the motion ends.
    let terminal = try PseudoTerminal(program, columns: columns, rows: columns < 100 ? 100 : 45)
    try terminal.waitForText("More ]")
    try terminal.settle(calm: .milliseconds(300))
    // Cards above may still get their first content, and the button may go on before the click arrives.
    for _ in 0..<5 where !terminal.screen.contains("Less ]") {
      try terminal.click("More ]")
      try terminal.settle(calm: .milliseconds(600))
    }
    let expanded = try #require(terminal.screen.position(of: "Less ]"))
    let picture = terminal.screen.rows
    var rounds = 1
    // On a busy machine frames are skipped, and the button may have gone on before the click arrives.
    while try !reverse(terminal, from: expanded.row, after: moment), rounds < 20 {
      try terminal.settle(calm: .milliseconds(600))
      // The widget has answered the second press late.
      guard isSmall(terminal.screen) else { break }
      try terminal.click("More ]")
      try terminal.wait(for: "the tall card") { $0.position(of: "Less ]")?.row == expanded.row }
      try terminal.settle(calm: .milliseconds(300))
      rounds += 1
    }
    let row = picture.firstIndex { $0.contains("Less ]") }
    try terminal.wait(for: "the tall card as it was") { $0.row(of: "Less ]") == row }
    try terminal.settle(calm: .milliseconds(300))
    #expect(terminal.screen.row(of: "Less ]") == row)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    // Each press turns the card over; a click for which the button had gone on is none.
    #expect(try presses(in: world) % 2 == 1)
  }

  /// Clicks the button of a tall card that is at rest, and again when it has moved up some rows.
  ///
  /// - Returns: Whether the card is tall again; otherwise it is small, as a click came too late.
  private func reverse(_ terminal: PseudoTerminal, from row: Int, after rows: Int) throws -> Bool {
    try terminal.click("Less ]")
    try terminal.wait(for: "the button on its way, or the small card") { screen in
      isSmall(screen) || screen.position(of: "Less ]").map { $0.row <= row - rows } ?? false
    }
    guard !isSmall(terminal.screen) else { return false }
    try terminal.click("Less ]")
    try terminal.settle(calm: .milliseconds(600))
    return !isSmall(terminal.screen)
  }

  private func isSmall(_ screen: TestScreen) -> Bool {
    screen.contains("More ]") && !screen.contains("Less ]")
  }

  /// How many presses the widget received.
  private func presses(in world: TestWorld) throws -> Int {
    let trace = try String(contentsOf: URL(filePath: "\(world.path)/trace"), encoding: .utf8)
    return trace.split(separator: "\n").count { $0.contains("\"method\":\"performAction\"") }
  }

  @Test(arguments: [2, 3, 4, 5, 6, 8])
  func `clicks that arrive together are all handled`(count: Int) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today(["--trace", "\(world.path)/trace"])
    let terminal = try PseudoTerminal(program, columns: 60, rows: 40)
    try terminal.waitForText("updates: 1")
    try terminal.settle(calm: .milliseconds(100))
    let place = try #require(terminal.screen.position(of: "More"))
    let click = terminal.screen.click(.left, column: place.column, row: place.row)
    try terminal.type(Array(repeatElement(click, count: count).joined()))
    try terminal.settle(calm: .milliseconds(500))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try presses(in: world) == count)
  }

  @Test func `invalid bytes do not stop the keys`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 24)
    try terminal.waitForText("updates: 1")
    try terminal.type([0xFF, 0xC3, 0x28, 0xF0, 0x9F, 0xFE] + Key.escape.bytes)
    // A key right behind them may be taken for a part of them.
    try terminal.hold("?".utf8, for: "the list of keys") { $0.contains("next, previous card") }
    // The first one closes the list.
    try terminal.type("qq")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
