import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetExtensions
@testable import WidgetPages

/// The daily budget of a card that is not visible, and which updates count.
@Suite struct HiddenBudgetTests {
  /// A page whose widget always has new data and requests an update after an interval.
  private func host(
    refreshAfter seconds: Int,
    beside other: EngineWorld? = nil
  ) throws -> EngineWorld {
    let update = #"{"result":"newData","view":\#(stack(2)),"refreshAfter":\#(seconds)}"#
    return try EngineWorld(["widgetPerformUpdate": update], folder: other?.folder) {
      if let other { $0.clock = other.clock }
      // Nobody presses a key for hours here.
      $0.schedule.savesPower = false
    }
  }

  @Test func `updates of a visible card do not count towards the budget`() throws {
    let world = try host(refreshAfter: 60)
    try world.open()
    world.pass(.seconds(2 * 3600), step: .seconds(10))
    #expect(world.updates.count > 60)
    #expect(world.center.resources.histories.read(EngineWorld.id).budgetSpentUntil == nil)

    // Once it is hidden, all that may be saved up is there: four updates at the shortest pause.
    world.center.screen.setVisible([])
    let before = world.updates.count
    world.pass(.seconds(4 * 6 * 60 + 60), step: .seconds(10))
    #expect(world.updates.count - before >= 4)
    #expect(world.center.resources.histories.read(EngineWorld.id).budgetSpentUntil != nil)
    // After that the budget is their least distance: a day has 70 of them.
    let afterBurst = world.updates.count
    world.pass(.seconds(2 * 3600), step: .seconds(10))
    #expect((4...7).contains(world.updates.count - afterBurst))
  }

  @Test func `two hosts share one budget over a day`() throws {
    let first = try host(refreshAfter: 60)
    try first.open()
    let second = try host(refreshAfter: 60, beside: first)
    try second.open(innerWidth: 80)
    for world in [first, second] { world.center.screen.setVisible([]) }
    first.pass(.seconds(10), step: .seconds(1))
    second.settle()

    let before = first.updates.count + second.updates.count
    for _ in 0..<(24 * 3600 / 20) {
      first.pass(.seconds(20), step: .seconds(20))
      second.settle()
    }
    let updates = first.updates.count + second.updates.count - before
    // 70 a day, and the four that may be saved up at its start.
    #expect((60...74).contains(updates), "\(updates)")
  }

  @Test func `what is left of the budget is counted in updates`() throws {
    let budget = try #require(HiddenBudget(updatesPerDay: 70))
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    #expect(budget.left(nil, now: now) == 4)
    var spent: Date?
    for left in [3, 2, 1, 0, 0] {
      spent = budget.charge(spent, at: now)
      #expect(budget.left(spent, now: now) == left)
    }
    #expect(budget.left(spent, now: now.addingTimeInterval(2.5 * budget.spacing)) == 2)
    #expect(budget.left(now.addingTimeInterval(1e9), now: now) == 4)
  }
}
