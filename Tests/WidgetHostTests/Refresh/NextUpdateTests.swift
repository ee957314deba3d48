import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

/// When the next update is due, as a function of policy, history and time.
struct NextUpdateTests {
  private let schedule = RefreshSchedule()
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

  @Test("what never ran is due at once, what takes no updates never (D1)")
  func knowsTheFirstTime() {
    #expect(wait(history(nil)) == 0)
    var without = history(nil)
    without.takesUpdates = false
    #expect(wait(without) == nil)
    #expect(wait(without, isVisible: false) == nil)
  }

  @Test(
    "D14: a wish is a hint, never below the floor",
    arguments: [(1.0, 15.0), (15, 15), (60, 60), (1e9, 86_400)]
  )
  func keepsTheFloor(wish: Double, seconds: Double) {
    #expect(wait(history(0, wish: wish)) == seconds)
  }

  @Test("off the screen the floor is five minutes, and the date spread and never early")
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

  @Test("off the screen no more than the budget of a day")
  func keepsTheBudget() throws {
    var spent = history(1_000, wish: 10)
    spent.backgroundUpdates = (0..<70).map { now.addingTimeInterval(-Double(70 - $0) * 600) }
    let seconds = try #require(wait(spent, isVisible: false))
    #expect(abs(seconds - (24 * 3600 - 42_000)) <= 5)
    #expect(wait(spent) == -985)
    var developer = schedule
    developer.isDeveloper = true
    let due = developer.nextUpdate(spent, of: "a", isVisible: false, now: now)
    #expect(due == now.addingTimeInterval(-990))
  }

  @Test(arguments: [(1, 15.0), (2, 30), (3, 60), (9, 600)])
  func `D6: failures are tried again with growing pauses, capped by the interval`(
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

  @Test("a clock that was set back makes nothing wait for years")
  func survivesTheClock() {
    #expect(wait(history(-1e9, wish: 60)) == 0)
    #expect(wait(history(1e9, wish: 60)) == -1e9 + 60)
  }

  @Test("D17: a history is read as it was written, and odd ones are none")
  func isKept() throws {
    let folder = try BundleFolder()
    let histories = RefreshHistories(
      StateFolders(environment: ["XDG_STATE_HOME": folder.path, "HOME": folder.path])
    )
    let id = CardID("com.example.A")
    #expect(histories.read(id) == RefreshHistory())
    let written = history(10, wish: 60, failures: 2, reload: .at(now))
    histories.write(written, of: id)
    #expect(histories.read(id) == written)
    for text in ["", "[]", "{\"failures\":\"x\"}", String(repeating: "[", count: 70_000)] {
      try Data(text.utf8).write(to: URL(filePath: "\(histories.folder)/com.example.A.json"))
      #expect(histories.read(id) == RefreshHistory())
    }
  }
}
