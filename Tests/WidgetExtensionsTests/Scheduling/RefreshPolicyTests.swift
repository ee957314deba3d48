import Testing

@testable import WidgetExtensions

@Suite struct RefreshPolicyTests {
  private let schedule = RefreshPolicy()

  @Test(
    arguments: [
      (nil, 900), (0, 15), (1, 15), (15, 15), (60, 60), (1e9, 86_400),
    ] as [(Double?, Double)]
  )
  func `a requested interval applies between the minimum and a day`(wish: Double?, seconds: Double)
  {
    #expect(schedule.interval(wish: wish.map { .seconds($0) }) == .seconds(seconds))
  }

  @Test(arguments: [(0, 900), (1, 15), (2, 30), (3, 60), (6, 480), (7, 900), (1_000, 900)])
  func `failed updates are retried soon, then later and later`(failures: Int, seconds: Int) {
    #expect(schedule.pause(wish: nil, failures: failures) == .seconds(seconds))
  }

  @Test func `failures never make updates rarer than requested`() {
    #expect(schedule.pause(wish: .seconds(20), failures: 9) == .seconds(20))
  }

  @Test(
    arguments: [(nil, 15), (1, 1), (0.001, 1), (10, 10), (60, 60), (1e9, 86_400)]
      as [(Double?, Double)]
  )
  func `an interval that the user has chosen can be shorter than the minimum`(
    chosen: Double?,
    seconds: Double
  ) {
    let policy = schedule.allowing(chosen)
    #expect(policy.interval(wish: .seconds(chosen ?? 1)) == .seconds(seconds))
    #expect(policy.interval(wish: .seconds(1), isVisible: false) == .seconds(300))
  }

  @Test func `content is stale when it is older than two intervals`() {
    #expect(!schedule.isStale(age: .seconds(120), wish: .seconds(60)))
    #expect(schedule.isStale(age: .seconds(121), wish: .seconds(60)))
  }
}
