import Testing
import WidgetTesting

@testable import __NAME__

/// The action as “today act” runs it, in the process of its test: “swift test” runs them.
///
/// Scenarios, in Tests of the bundle, say the same without a build, and with other settings.
@MainActor @Suite struct __NAME__Tests {
  @Test func `a margin is put before each line, also an empty one`() async throws {
    let harness = try RequestHarness(__NAME__())
    try await harness.begin(.text("one\n\ntwo\n"))
    #expect(harness.outcome == .completed)
    #expect(harness.returned.map(\.text) == ["> one\n> \n> two\n"])
    await harness.finish()
  }
}
