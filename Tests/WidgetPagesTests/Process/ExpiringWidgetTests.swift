import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite(.timeLimit(.minutes(5))) struct ExpiringWidgetTests {
  private func page(
    _ kind: String,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) async throws -> RealPage {
    let page = try RealPage("Expiring", environment: ["TODAY_TEST_ACTIVITY": kind]) {
      $0.policy.activityGrace = .milliseconds(300)
      configure(&$0)
    }
    try await page.appear()
    return page
  }

  private func story(_ page: RealPage) throws -> [String] {
    let path = page.center.folders.containers(of: try page.card.id).data + "/story"
    let bytes = DurableFile.read(path, byteLimit: 1 << 16) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("a granted activity runs to its end before the widget is suspended")
  func granted() async throws {
    let page = try await page("short")
    try page.disappear()
    _ = try await page.suspended()
    #expect(try story(page) == ["granted", "ended"])
    await page.end()
  }

  @Test("an open activity is told once that its time has run out")
  func expired() async throws {
    let page = try await page("cancel")
    try page.disappear()
    _ = try await page.suspended()
    #expect(try story(page) == ["granted", "expired", "ended"])
    await page.end()
  }

  @Test("an activity that does not end is suspended, and its reason is logged")
  func deaf() async throws {
    let page = try await page("deaf") { $0.policy.lastMoments = .milliseconds(200) }
    try page.disappear()
    _ = try await page.suspended()
    #expect(try story(page) == ["granted", "expired"])
    #expect(try page.log.contains("suspended with expiring activity “flush” still open"))
    await page.end()
  }

  @Test("an activity that is not granted is only told so")
  func refused() async throws {
    let page = try await page("short") {
      $0.policy.deniesActivities = true
      $0.policy.lastMoments = .milliseconds(200)
    }
    try page.disappear()
    _ = try await page.suspended()
    #expect(try story(page) == ["refused"])
    await page.end()
  }

  @Test func `at the end of the host an activity is granted, and the widget exits in time`()
    async throws
  {
    let page = try await page("short")
    await page.end()
    #expect(try story(page) == ["granted", "ended", "shutdown"])
  }

  /// Ends the page, calls `then`, and waits for the end of what continues without it.
  private func leave(_ page: RealPage, then: () throws -> Void = {}) async throws {
    var goesOn: Bool?
    page.center.shutdown { goesOn = !ProcessList.entries(naming: page.world.widgets).isEmpty }
    await eventually("the end of the page") { goesOn != nil }
    // Had the page waited for the activity, or for its time to run out, no process would be left.
    #expect(goesOn == true)
    try then()
    #expect(page.world.processesLeft().isEmpty)
  }

  @Test func `an activity that is open at the end of the host is told before its time runs out`()
    async throws
  {
    let page = try await page("cancel") { $0.policy.afterQuit = .milliseconds(1_500) }
    try await leave(page)
    #expect(try story(page) == ["granted", "expired", "ended", "shutdown"])
    #expect(try page.log.contains("the host has quit; expiring activity “flush”"))
  }

  @Test func `an activity that ends after the end of the host lets its widget exit`() async throws {
    let page = try await page("late")
    let pipe = page.center.folders.containers(of: try page.card.id).data + "/end"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // Open until the end, as the widget may open it after the word was written.
    let end = try #require(FileHandle(forUpdatingAtPath: pipe))
    try await leave(page) {
      #expect(try !story(page).contains("ended"))
      try end.write(contentsOf: [10])
    }
    try end.close()
    #expect(try story(page) == ["granted", "ended", "shutdown"])
  }

  @Test(arguments: ["deaf", "flood", "daemon", "blocked"])
  func `a widget that does not end its activity is killed with all its processes`(kind: String)
    async throws
  {
    let page = try await page(kind) {
      $0.policy.afterQuit = .milliseconds(1_500)
      $0.policy.lastMoments = .milliseconds(700)
    }
    let start = ContinuousClock.now
    try await leave(page)
    #expect(start.duration(to: .now) > .milliseconds(1_500))
    #expect(try story(page).starts(with: ["granted"]))
    #expect(try !story(page).contains("shutdown"))
  }

  // MARK: - In Swift

  @Test(
    "a block of a Swift widget runs once, again on expiry, or only with true",
    arguments: [
      ("short", false, ["called with false", "returned"]),
      ("long", false, ["called with false", "called with true", "returned"]),
      ("short", true, ["called with true"]),
    ]
  )
  func swift(kind: String, isDenied: Bool, expected: [String]) async throws {
    let page = try RealPage("SavingFixture", environment: ["TODAY_TEST_ACTIVITY": kind]) {
      $0.policy.activityGrace = .milliseconds(300)
      $0.policy.deniesActivities = isDenied
    }
    try await page.appear()
    try page.disappear()
    _ = try await page.suspended()
    #expect(try story(page) == expected)
    await page.end()
  }
}
