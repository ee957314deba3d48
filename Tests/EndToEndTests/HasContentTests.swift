import Testing
import WidgetTestSupport

/// A widget that has nothing to show is neither shown nor run.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct HasContentTests {
  private let counting = "com.example.fixture.counting"

  @Test("a widget that an app set to off is not started, also after restarts, until it is on")
  func isNotStarted() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    #expect(try world.run(["has-content", counting, "off"]).status == .exited(code: 0))
    for _ in 0..<2 {
      let run = try world.run(["snapshot"])
      #expect(run.status == .exited(code: 1))
      #expect(run.errorText.contains("\(counting): has nothing to show"))
      #expect(!run.outputText.contains("Counting"))
      #expect(run.outputText.contains("All is well"))
    }
    _ = try world.run(["refresh"])
    let terminal = try world.openDashboard(columns: 60, rows: 30)
    try terminal.waitForText("updates: 1")
    #expect(!terminal.screen.contains("Counting"))
    #expect(world.notes("starts") == 0)
    #expect(try world.run(["reload", counting]).outputText == "0\n")

    #expect(try world.run(["has-content", counting, "on"]).status == .exited(code: 0))
    try terminal.waitForText("started 1 times")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test("an open dashboard removes the card, and never shows its old content again")
  func reactsAtOnce() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 30)
    try terminal.waitForText("started 1 times")
    try terminal.waitForText("updates: 1")
    _ = try world.run(["has-content", counting, "off"])
    try terminal.wait(for: "the card's end") { !$0.contains("Counting") }
    #expect(try world.run(["list"]).outputText.contains("no content"))
    #expect(
      try world.run(["snapshot", "--cached", counting]).outputText.contains("started") == false
    )
    _ = try world.run(["has-content", counting, "on"])
    var hasSeenTheOldOne = false
    try terminal.wait(for: "the new picture") {
      hasSeenTheOldOne = hasSeenTheOldOne || $0.contains("started 1 times")
      return $0.contains("started 2 times")
    }
    #expect(!hasSeenTheOldOne)
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
  }

  @Test("a widget can hide itself permanently, and cannot hide a foreign widget")
  func hidesItself() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try world.openDashboard(columns: 100, rows: 30)
    try terminal.waitForText("started 1 times")
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    try terminal.click("foreign")
    try terminal.waitForText("params.bundleIdentifier")
    #expect(terminal.screen.contains("All is well"))
    try terminal.click("hide")
    try terminal.wait(for: "the card's end") { !$0.contains("Counting") }
    try terminal.type("q")
    try terminal.waitForEnd()

    let again = try world.openDashboard(columns: 100, rows: 30)
    try again.waitForText("All is well")
    try again.settle(calm: .milliseconds(200))
    #expect(!again.screen.contains("Counting"))
    #expect(world.notes("starts") == 1)
    try again.type("q")
    try again.waitForEnd()
    #expect(
      try world.run(["snapshot", "--cached", counting]).errorText.contains("nothing to show")
    )
  }
}
