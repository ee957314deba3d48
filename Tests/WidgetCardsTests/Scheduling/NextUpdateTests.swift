import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPlatform

/// The date of the next update, as a function of policy, history and time.
struct NextUpdateTests {
  private let schedule = RefreshPolicy()
  private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func history(
    _ ago: Double?,
    wish: Double? = nil,
    failures: Int = 0,
    reload: RefreshHistory.Reload? = nil
  ) -> RefreshHistory {
    var history = RefreshHistory()
    history.lastUpdate = ago.map { now.addingTimeInterval(-$0) }
    history.wish = wish
    history.failures = failures
    history.reload = reload
    history.takesUpdates = true
    return history
  }

  private func wait(_ history: RefreshHistory, isVisible: Bool = true) -> Double? {
    schedule.nextUpdate(history, of: "com.example.A", isVisible: isVisible, now: now)
      .map { $0.timeIntervalSince(now) }
  }

  @Test("a widget that never ran is due at once, one without updates never")
  func knowsTheFirstTime() {
    #expect(wait(history(nil)) == 0)
    var without = history(nil)
    without.takesUpdates = false
    #expect(wait(without) == nil)
    #expect(wait(without, isVisible: false) == nil)
  }

  @Test func `the reason for the next update is in words`() {
    func reason(_ history: RefreshHistory, isVisible: Bool = true) -> String {
      schedule.reason(history, isVisible: isVisible, now: now)
    }
    #expect(reason(history(nil)) == "it was never updated")
    #expect(reason(history(0)) == "every 15 min, the default")
    #expect(reason(history(0, wish: 60)) == "every 60 s, as it asks")
    #expect(reason(history(0, wish: 1)) == "every 15 s, it asks for 1 s")
    #expect(reason(history(0, wish: 1), isVisible: false) == "every 5 min, it asks for 1 s")
    #expect(reason(history(0, failures: 2)) == "retry after 2 failed")
    #expect(reason(history(0, reload: .never)) == "its timeline asks for none")
    #expect(reason(history(0, reload: .at(now + 99))) == "its timeline asks for it")
    var spent = history(0)
    spent.budgetSpentUntil = now.addingTimeInterval(4 * 24 * 3_600 / 70)
    #expect(reason(spent, isVisible: false) == "its budget off the screen is spent")
    #expect(reason(spent) == "every 15 min, the default")
    var saving = schedule
    saving.isSavingPower = true
    #expect(
      saving.reason(history(0), isVisible: false, now: now)
        == "every 30 min, the default, doubled to save power"
    )
  }

  @Test(
    "a requested interval is a hint, never below the minimum",
    arguments: [(1.0, 15.0), (15, 15), (60, 60), (1e9, 86_400)]
  )
  func keepsTheFloor(wish: Double, seconds: Double) {
    #expect(wait(history(0, wish: wish)) == seconds)
  }

  @Test("not visible, the minimum is five minutes, and dates are spread and never early")
  func spreadsBackgroundUpdates() throws {
    var waits: Set<Double> = []
    for number in 0..<50 {
      let due = try #require(
        schedule.nextUpdate(history(0, wish: 10), of: "w\(number)", isVisible: false, now: now)
      )
      let wait = due.timeIntervalSince(now)
      #expect((300...335).contains(wait), "\(wait)")
      #expect(due.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 5) == 0)
      waits.insert(wait)
    }
    #expect((3...7).contains(waits.count), "several share a wake-up: \(waits.sorted())")
  }

  @Test("not visible, the budget limits updates, and a budget of 0 allows none")
  func keepsTheBudget() throws {
    let budget = try #require(HiddenBudget(updatesPerDay: 70))
    var spent = history(600, wish: 10)
    for _ in 0..<70 {
      spent.budgetSpentUntil = budget.charge(spent.budgetSpentUntil, at: spent.lastUpdate ?? now)
    }
    let seconds = try #require(wait(spent, isVisible: false))
    #expect(abs(seconds - (24.0 * 3600 / 70 - 600)) <= 5)
    #expect(wait(spent) == -585)
    var developer = schedule
    developer.isDeveloper = true
    let due = developer.nextUpdate(spent, of: "a", isVisible: false, now: now)
    #expect(due == now.addingTimeInterval(-590))
    var without = schedule
    without.hiddenBudget = 0
    for history in [history(nil), history(1e6), spent] {
      #expect(without.nextUpdate(history, of: "a", isVisible: false, now: now) == nil)
      #expect(without.nextUpdate(history, of: "a", isVisible: true, now: now) != nil)
    }
  }

  /// The updates of a card that is not visible during a day, in seconds from now.
  private func day(
    _ schedule: RefreshPolicy,
    wish: Double?,
    failing: Bool = false,
    sleeping: Range<Double>? = nil
  ) throws -> [Double] {
    var kept = history(0, wish: wish)
    var dates: [Double] = []
    var time = 0.0
    let budget = HiddenBudget(updatesPerDay: schedule.hiddenBudget)
    while true {
      let present = now.addingTimeInterval(time)
      let due = try #require(
        schedule.nextUpdate(kept, of: "com.example.A", isVisible: false, now: present)
      )
      time = max(time, due.timeIntervalSince(now))
      if let sleeping, sleeping.contains(time) { time = sleeping.upperBound }
      guard time < 24 * 3600 else { return dates }
      let outcome = CompletedUpdate(
        result: failing ? .failed : .noData,
        refreshAfter: wish.map { .seconds($0) }
      )
      kept.note(outcome, chargedTo: budget, at: now.addingTimeInterval(time))
      dates.append(time)
    }
  }

  @Test(
    "the updates of a day are spread over the day",
    arguments: [(nil, 70), (10, 70), (300, 70), (3_600, 70), (10, 1), (10, 24), (10, 100_000)]
      as [(Double?, Int)],
    [false, true]
  )
  func spreadsTheBudget(input: (wish: Double?, budget: Int), failing: Bool) throws {
    var schedule = schedule
    schedule.hiddenBudget = input.budget
    let dates = try day(schedule, wish: input.wish, failing: failing)
    #expect(dates.count <= input.budget + 4, "no more than the budget, and what was saved up")
    let wish = input.wish.map { Duration.seconds($0) }
    let interval = schedule.interval(wish: wish, isVisible: false).seconds
    // A minute for spreading, and five seconds for shared wake-ups.
    let longest = max(24 * 3600 / Double(input.budget), interval) + 65
    let gaps = zip([0] + dates, dates + [24 * 3600]).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= longest }, "\(gaps.max() ?? 0) of \(longest)")
  }

  @Test("after a sleep updates come sooner, limited by the saved budget")
  func catchesUp() throws {
    let dates = try day(schedule, wish: 300, sleeping: 10_000..<40_000)
    let after = dates.filter { $0 >= 40_000 }
    #expect(after.first == 40_000)
    #expect(after.count { $0 < 40_000 + 1_200 } == 4)
    #expect(after.count { $0 < 40_000 + 4_000 } <= 7)
  }

  @Test("a budget from the future, or of another size, delays nothing")
  func survivesOddBudgets() throws {
    for date in [
      now.addingTimeInterval(1e9), .distantFuture, .distantPast,
      Date(timeIntervalSince1970: -1e300), Date(timeIntervalSince1970: 1e300),
    ] {
      var odd = history(1_000, wish: 10)
      odd.budgetSpentUntil = date
      #expect(try #require(wait(odd, isVisible: false)) < 0)
      let budget = try #require(HiddenBudget(updatesPerDay: 70))
      let spent = budget.charge(date, at: now).timeIntervalSince(now)
      #expect((0...5_000).contains(spent))
    }
  }

  @Test(arguments: [(1, 15.0), (2, 30), (3, 60), (9, 600)])
  func `failed updates are retried with growing pauses, at most the interval`(
    failures: Int,
    seconds: Double
  ) {
    #expect(wait(history(0, wish: 600, failures: failures)) == seconds)
  }

  @Test("a timeline decides: at a date, later, or not at all")
  func followsTheTimeline() {
    #expect(wait(history(0, reload: .at(now.addingTimeInterval(500)))) == 500)
    #expect(wait(history(0, reload: .at(now.addingTimeInterval(5)))) == 15)
    #expect(wait(history(0, reload: .at(now.addingTimeInterval(-500)))) == 900)
    #expect(wait(history(0, reload: .never)) == nil)
    // A failure takes precedence: what the timeline said did not come.
    #expect(wait(history(0, failures: 1, reload: .never)) == 15)
  }

  @Test("setting the clock back delays no update for years")
  func survivesTheClock() {
    #expect(wait(history(-1e9, wish: 60)) == 0)
    #expect(wait(history(1e9, wish: 60)) == -1e9 + 60)
  }

  @Test("a history is read as it was written, and invalid ones count as missing")
  func isKept() throws {
    let folder = try BundleFolder()
    let histories = RefreshHistories(
      StateFolders(environment: ["XDG_STATE_HOME": folder.path, "HOME": folder.path])
    )
    let id = CardID("com.example.A")
    #expect(histories.read(id) == RefreshHistory())
    var written = history(10, wish: 60, failures: 2, reload: .at(now))
    written.budgetSpentUntil = now.addingTimeInterval(1_234)
    histories.write(written, of: id)
    #expect(histories.read(id) == written)
    for text in ["", "[]", "{\"failures\":\"x\"}", String(repeating: "[", count: 70_000)] {
      try Data(text.utf8).write(to: URL(filePath: "\(histories.folder)/com.example.A.json"))
      #expect(histories.read(id) == RefreshHistory())
    }
  }
}
