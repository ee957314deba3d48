import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import NoticeCard

/// The widget with its host: what it reads, and what the user does.
@MainActor struct NoticesWidgetTests {
  private static let attributes =
    "<key>TodaySettings</key><array><dict><key>name</key>"
    + "<string>applications</string><key>type</key><string>list</string></dict></array>"
  private static let entitlements = "<key>org.today.notices</key><true/>"

  private func harness() throws -> WidgetHarness {
    var options = HarnessOptions()
    options.now = Date(timeIntervalSince1970: 1_795_539_780)
    return try WidgetHarness(
      NoticesWidget(),
      attributes: Self.attributes,
      entitlements: Self.entitlements,
      options
    )
  }

  @Test
  func `what is posted appears with critical ones first, and leaves the list when it is dismissed`()
    async throws
  {
    let harness = try harness()
    try await harness.appear(width: 60)
    #expect(harness.rows.first == "No notices")
    try await harness.post(PostedNotice("Backup ended", body: "12 GB"), from: "backup")
    try await harness.post(PostedNotice("Disk full", urgency: .critical), from: "disk")
    #expect(harness.rows.first?.hasPrefix("! disk   Disk full") == true, "\(harness.rows)")
    #expect(harness.rows.dropFirst().first?.hasPrefix("• backup Backup ended") == true)
    try await harness.change(.remove, row: "2")
    #expect(harness.rows.first?.hasPrefix("• backup") == true, "\(harness.rows)")
    await harness.finish()
  }

  @Test func `a press performs the default action, or shows the whole text`() async throws {
    let harness = try harness()
    try await harness.appear(width: 60)
    let link = UserNotice.Action("Log", url: "https://example.com/4711")
    try await harness.post(PostedNotice("failed", actions: [link]), from: "ci")
    try await harness.press("open 1")
    #expect(harness.openedURLs == ["https://example.com/4711"])
    #expect(harness.rows.first == "Nothing waits", "\(harness.rows)")
    let body = (1...9).map { "line \($0)" }.joined(separator: "\n")
    try await harness.post(PostedNotice("long", body: body), from: "ci")
    try await harness.expand(true)
    #expect(!harness.rows.contains { $0.contains("line 9") }, "\(harness.rows)")
    try await harness.press("open 3")
    #expect(harness.rows.contains { $0.contains("line 9") }, "\(harness.rows)")
    #expect(harness.updates.last?.error == nil)
    await harness.finish()
  }

  @Test func `what is typed in the expanded card finds notices`() async throws {
    let harness = try harness()
    try await harness.appear(width: 60)
    for title in ["apples", "pears"] { try await harness.post(PostedNotice(title), from: "shop") }
    try await harness.expand(true)
    try await harness.type("pea", in: "find")
    let text = harness.rows.joined(separator: "\n")
    #expect(text.contains("pears") && !text.contains("apples"), "\(text)")
    await harness.finish()
  }

  @Test func `without the permission it says so`() async throws {
    let harness = try WidgetHarness(NoticesWidget())
    try await harness.appear(width: 60)
    #expect(harness.rows.joined().contains("org.today.notices is not granted"))
    await harness.finish()
  }
}
