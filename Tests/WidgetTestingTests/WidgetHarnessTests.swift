import Foundation
import Testing
import WidgetHost
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// A widget that counts presses, and says what time it is.
private final class Counter: Widget {
  private var count = 0
  private var updates = 0

  var body: some View {
    VStack {
      Text("\(count) cups").id("count")
      Text("\(updates) updates at \(Int(extensionContext.now.timeIntervalSince1970) % 1000)")
      Button("More", action: "more").id("more")
    }
  }

  func widgetPerformUpdate(reason: UpdateReason) async -> UpdateResult {
    updates += 1
    return .newData
  }

  func perform(action: String, value: Bool?) async {
    count += 1
  }
}

@Suite("A test of a widget", .timeLimit(.minutes(1)))
struct WidgetHarnessTests {
  @Test func `in the process of the test sees what a page shows`() async throws {
    let harness = try WidgetHarness(Counter())
    try await harness.appear(width: 30)
    #expect(harness.rows.first == "0 cups")
    #expect(harness.updates.map(\.result) == [.newData])
    try await harness.press("more")
    #expect(harness.text.contains("1 cups"))
    try await harness.press("more")
    #expect(harness.text.contains("2 cups"))
    await harness.finish()
  }

  @Test func `has a time that passes only as it says`() async throws {
    var options = HarnessOptions()
    options.now = Date(timeIntervalSince1970: 1_900_000_000)
    let harness = try WidgetHarness(Counter(), options)
    try await harness.appear()
    #expect(harness.text.contains("updates at 0"))
    try await harness.advance(by: .seconds(300))
    #expect(harness.text.contains("updates at 300"))
    await harness.finish()
  }

  @Test func `runs the program of a bundle as the page does`() async throws {
    let authored = try AuthoredBundle()
    defer { authored.remove() }
    let harness = try WidgetHarness(bundle: try authored.bundle)
    try await harness.appear(width: 40)
    #expect(harness.rows.first == "0 cups")
    #expect(harness.updates.map(\.result) == [.newData])
    let methods = harness.messages.filter { !$0.isFromWidget && !$0.isAnswer }.compactMap(\.method)
    #expect(methods == ["initialize", "viewWillAppear", "widgetPerformUpdate"], "\(methods)")
    await harness.finish()
    #expect(harness.messages.contains { $0.method == "shutdown" })
  }
}
