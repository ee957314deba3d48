import Foundation
import Testing
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

/// A widget whose time the host keeps current.
private final class Watch: Widget {
  var body: some View { Text(.currentDate, style: .time) }
}

@Suite("A test of a widget", .timeLimit(.minutes(5)))
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

  @Test(arguments: [("Asia/Tokyo", "02:46:40"), ("UTC", "17:46:40")])
  func `has the zone of the test, whatever that of the machine is`(
    zone: String,
    words: String
  ) async throws {
    var options = HarnessOptions()
    options.now = Date(timeIntervalSince1970: 1_900_000_000)
    options.timeZone = zone
    let harness = try WidgetHarness(Watch(), options)
    try await harness.appear()
    #expect(harness.rows == [words] && harness.rows(width: 20) == [words])
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

  /// What a widget does in its first update, and the files that are there when it was killed.
  private nonisolated static let kills: [(steps: String, files: [String])] = [
    ("keep('begin'); pause(); keep('end')", ["begin"]),
    ("say('log', {'level': 'info', 'message': 'begun'}); pause(); keep('end')", []),
    ("print('begun', file=sys.stderr, flush=True); pause(); keep('end')", []),
    // The answer is its first write, or the middle of its time comes first.
    ("pass", []), ("time.sleep(60)", []),
  ]

  @Test(arguments: Self.kills)
  func `kills a widget after its first write in an update, or in the middle of its time`(
    steps: String,
    files: [String]
  ) async throws {
    let authored = try AuthoredBundle()
    defer { authored.remove() }
    try authored.write(
      program: """
        #!/usr/bin/env python3
        import json, os, sys, time

        data = os.environ["TODAY_DATA"]

        def say(method, params):
            print(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}), flush=True)

        def keep(name):
            open(data + "/" + name, "w").close()

        def pause():
            time.sleep(2)

        def update():
            \(steps)

        for line in sys.stdin:
            call = json.loads(line)
            answer = {}
            if call.get("method") == "initialize":
                first = not os.path.exists(data + "/first")
                keep("first")
                answer = {"protocolVersion": 1, "implements": ["widgetPerformUpdate"]}
            elif call.get("method") == "widgetPerformUpdate":
                if first:
                    update()
                answer = {"result": "newData", "view": "first" if first else "second"}
            if "id" in call:
                answer = {"jsonrpc": "2.0", "id": call["id"], "result": answer}
                print(json.dumps(answer), flush=True)

        """
    )
    var options = HarnessOptions(environment: authored.world.environment(term: nil))
    options.faults = [.killDuringUpdate]
    options.patience = .seconds(20)
    if steps.contains("60") { options.patience = .seconds(4) }
    let harness = try WidgetHarness(bundle: try authored.bundle, options)
    try await harness.appear()
    let data = harness.containers.data
    let found = try FileManager.default.contentsOfDirectory(atPath: data).sorted()
    #expect(found.filter { !$0.hasPrefix(".") } == (files + ["first"]).sorted())
    try await harness.advance(by: .seconds(10))
    try await harness.update()
    #expect(harness.rows == ["second"])
    await harness.finish()
  }
}
