import FoundationEssentials
import Testing
import WidgetTesting

@testable import __NAME__

/// The sheet as “today share” shows it, in the process of its test: “swift test” runs them.
///
/// Scenarios, in Tests of the bundle, say the same without a build, and with other settings.
@MainActor @Suite struct __NAME__Tests {
  @Test func `Post appends the text and the content to a file, and returns its path`() async throws {
    let harness = try RequestHarness(__NAME__())
    try await harness.begin(.text("a note"))
    try await harness.type("from a walk")
    #expect(harness.charactersRemaining == 189)
    try await harness.post()
    #expect(harness.outcome == .completed)
    let path = "\(harness.containers.data)/shared.txt"
    #expect(harness.returned.map(\.text) == [path])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "from a walk\na note\n")
    await harness.finish()
  }

  @Test func `a text of more than 200 characters cannot be posted`() async throws {
    let harness = try RequestHarness(__NAME__())
    try await harness.begin(.text("a note"))
    try await harness.type(String(repeating: "a", count: 201))
    #expect(!harness.isContentValid)
    #expect(harness.charactersRemaining == -1)
    await harness.finish()
  }
}
