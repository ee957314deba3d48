import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

@Suite(.timeLimit(.minutes(1))) struct ExpiringWidgetTests {
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

  @Test("at the end of the host no activity is granted, and the widget exits in time")
  func quitting() async throws {
    let page = try await page("cancel")
    await page.end()
    #expect(try story(page) == ["refused", "shutdown"])
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
