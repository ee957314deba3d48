import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// Posts the content with a remark, of at most ten characters.
private final class Remark: ShareExtension {
  private var audience = "Everyone"

  var compose: ComposeSheet {
    ComposeSheet(
      placeholder: "Remark",
      configurationItems: [
        .init("audience", title: "Audience", value: audience, choices: ["Everyone", "Friends"])
      ]
    )
  }
  func isContentValid(_ text: String) -> Bool { text.count <= 10 }
  func charactersRemaining(in text: String) -> Int? { 10 - text.count }
  func configurationItemChosen(_ id: String, value: String?) -> (any View)? {
    audience = value ?? audience
    return nil
  }
  func didSelectPost(_ text: String) async throws {
    let content = try await extensionContext.inputItems[0].attachments[0].loadText()
    try await extensionContext.completeRequest(returning: [.text("\(audience): \(content) \(text)")]
    )
  }
}

/// Turns text into capitals.
private struct Capitals: ActionExtension {
  func beginRequest() async throws {
    let text = try await extensionContext.inputItems[0].attachments[0].loadText()
    try await extensionContext.completeRequest(returning: [.text(text.uppercased())])
  }
}

/// Returns how often it was pressed.
private final class Counter: ActionExtension {
  private var count = 0

  var body: some View {
    VStack {
      Text("\(count) presses")
      Button("Press", action: "press")
      Button("Done", action: "done")
    }
  }
  func perform(action: String, value: Bool?) async throws {
    if action == "press" { count += 1 }
    if action == "done" {
      try await extensionContext.completeRequest(returning: [.text("\(count)")])
    }
  }
}

@Suite("A test of a share extension or an action in Swift", .timeLimit(.minutes(5)))
struct RequestHarnessTests {
  @Test func `types in the sheet, chooses and posts`() async throws {
    let harness = try RequestHarness(Remark())
    try await harness.begin(.text("a note"))
    #expect(harness.rows == ["Remark", "Audience  Everyone"])
    try await harness.type("far too long")
    #expect(!harness.isContentValid && harness.charactersRemaining == -2)
    await #expect(throws: HarnessFailure.self) { try await harness.post() }
    try await harness.type("short")
    try await harness.choose("audience", "Friends")
    #expect(harness.text == "short\nAudience  Friends")
    try await harness.post()
    #expect(harness.outcome == .completed)
    #expect(harness.returned.map(\.text) == ["Friends: a note short"])
    await harness.finish()
  }

  @Test func `names a setting that is not declared`() async throws {
    let attributes = """
      <key>TodaySettings</key><array><dict><key>name</key><string>audience</string>
      <key>title</key><string>Audience</string><key>type</key><string>string</string></dict></array>
      """
    let harness = try RequestHarness(Remark(), attributes: attributes)
    try harness.configure("{ \"audience\": \"Friends\" }")
    let error = #expect(throws: HarnessFailure.self) {
      try harness.configure("{ \"audienc\": \"Friends\" }")
    }
    #expect(error?.description.contains("audienc") == true, "\(String(describing: error))")
    var options = HarnessOptions()
    options.configuration = "{ \"indent\": 2 }"
    let other = #expect(throws: HarnessFailure.self) { try RequestHarness(Remark(), options) }
    #expect(other?.description.contains("indent") == true, "\(String(describing: other))")
    await harness.finish()
  }

  @Test func `sees what a filter returns, and why it has failed`() async throws {
    let harness = try RequestHarness(Capitals())
    try await harness.begin(.text("hello"))
    #expect(harness.returned.map(\.text) == ["HELLO"])
    try await harness.begin(HarnessContent(items: [[.init([0xFF, 0xFE, 0x41])]]))
    guard case .failed = harness.outcome else {
      Issue.record("\(String(describing: harness.outcome))")
      return
    }
    await harness.finish()
  }

  @Test func `presses elements of a view`() async throws {
    let harness = try RequestHarness(Counter())
    try await harness.begin(.text("x"))
    #expect(harness.rows.first == "0 presses")
    try await harness.press("Press")
    try await harness.press("press")
    #expect(harness.text.contains("2 presses"))
    try await harness.press("Done")
    #expect(harness.returned.map(\.text) == ["2"])
    try await harness.begin(.text("y"))
    try await harness.cancel()
    #expect(harness.outcome == .cancelled)
    await harness.finish()
  }

  @Test func `says that a widget is no share extension`() throws {
    let authored = try AuthoredBundle()
    #expect(throws: HarnessFailure.self) { try RequestHarness(path: authored.path) }
  }
}
