import Testing
import WidgetTesting

@testable import __NAME__

/// The view as “today act” shows it, in the process of its test: “swift test” runs them.
///
/// Scenarios, in Tests of the bundle, say the same without a build, and with other settings.
@MainActor @Suite struct __NAME__Tests {
  @Test func `the lines are shown in order, and returned so`() async throws {
    let harness = try RequestHarness(__NAME__())
    try await harness.begin(.text("Pear\nfig\napple\n"))
    #expect(harness.rows.prefix(3) == ["Pear", "apple", "fig"])
    try await harness.press("ignore-case")
    #expect(harness.rows.prefix(3) == ["apple", "fig", "Pear"])
    try await harness.press("Sort")
    #expect(harness.outcome == .completed)
    #expect(harness.returned.map(\.text) == ["apple\nfig\nPear\n"])
    await harness.finish()
  }
}
