import Testing

@testable import WidgetPlatform

@Suite struct WorkBudgetTests {
  private let start = ContinuousClock.now

  @Test func `a burst may begin at once, and then a share of the time`() {
    var budget = WorkBudget(share: 0.1, burst: .seconds(1))
    #expect(budget.wait(at: start) == .zero)
    budget.spend(.seconds(1), at: start)
    #expect(budget.wait(at: start) == .zero)
    budget.spend(.seconds(1), at: start)
    #expect(budget.wait(at: start) > .seconds(9.9))
    #expect(budget.wait(at: start + .seconds(5)) < .seconds(5.1))
    #expect(budget.wait(at: start + .seconds(11)) == .zero)
  }

  @Test func `a clock that goes backwards, and a negative time, cost nothing`() {
    var budget = WorkBudget(share: 0.5, burst: .seconds(1))
    budget.spend(.seconds(-5), at: start)
    budget.spend(.milliseconds(500), at: start - .seconds(60))
    #expect(budget.wait(at: start - .seconds(120)) == .zero)
  }
}
