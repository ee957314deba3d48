import Testing
import WidgetTesting

@testable import __NAME__

/// The widget on the page of the dashboard, in the process of its test: “swift test” runs them.
///
/// Scenarios, in Tests of the bundle, say the same without a build.
@MainActor @Suite struct __NAME__Tests {
  @Test func `a press counts a cup, which is there after a restart`() async throws {
    let harness = try WidgetHarness(__NAME__())
    try await harness.appear(width: 40)
    #expect(harness.text.contains("0 of 6 cups"))
    try await harness.press("more")
    #expect(harness.text.contains("1 of 6 cups"))
    try await harness.kill()
    #expect(harness.text.contains("1 of 6 cups"))
    await harness.finish()
  }
}
