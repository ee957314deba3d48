import FoundationEssentials
import Testing
import WidgetHost
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// The authors' harness answers requests as the page does.
@Suite(.timeLimit(.minutes(1))) struct ScriptedHostTests {
  /// Runs a widget that makes `request` when it is initialized, and returns what it was answered.
  private func answer(
    to request: String,
    _ configure: (ScriptedHost) -> Void = { _ in }
  ) async throws -> (text: String, host: ScriptedHost) {
    let world = try TestWorld()
    let bundle = try world.add(fixture: "Good")
    let script = """
      #!/usr/bin/env python3
      import json, sys
      for line in sys.stdin:
          call = json.loads(line)
          if call.get("method") == "initialize":
              reply = {"protocolVersion": 1, "implements": []}
              print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": reply}))
              print(json.dumps({"jsonrpc": "2.0", "id": "a", \(request)}), flush=True)
          elif call.get("id") == "a":
              words = json.dumps(call.get("result", call.get("error")), sort_keys=True)
              print(json.dumps({"jsonrpc": "2.0", "method": "log", "params": {"message": words}}))
              print(json.dumps({"jsonrpc": "2.0", "method": "setView", "params": {"view": "done"}}),
                    flush=True)
          elif call.get("method") == "shutdown":
              break

      """
    try Data(script.utf8).write(to: URL(filePath: "\(bundle)/good"))
    let host = ScriptedHost(bundle: try WidgetBundle(path: bundle))
    configure(host)
    try host.launch(environment: ["PATH": "/usr/bin:/bin"])
    _ = try await host.call(
      InitializeRequest(
        host: HostInfo(name: "test", version: HostVersion.current),
        bundleIdentifier: host.bundle.bundleIdentifier,
        reason: .test,
        activeDisplayMode: .compact,
        maximumSize: Size(columns: 40, rows: 4),
        marginInsets: EdgeInsets(),
        locale: "en",
        timeZone: "UTC",
        appearance: Appearance(colors: 256, dark: true),
        containers: Containers(data: world.path, cache: world.path)
      ),
      within: .seconds(20)
    )
    try #require(await host.waitForView(within: .seconds(20)), "\(host.faults) \(host.log)")
    host.kill()
    return (host.log.map(\.string).joined(separator: "\n"), host)
  }

  private static let identifier = "com.example.fixture.good"

  @Test func `a widget can hide its own card`() async throws {
    let request =
      #""method": "setHasContent", "params": {"flag": False, "bundleIdentifier": "\#(Self.identifier)"}"#
    let (text, host) = try await answer(to: request)
    #expect(text == "{}")
    #expect(!host.hasContent && host.faults == [])
  }

  @Test func `the card of another app cannot be hidden, and the answer has the reason`()
    async throws
  {
    let request =
      #""method": "setHasContent", "params": {"flag": False, "bundleIdentifier": "com.example.other"}"#
    let (text, host) = try await answer(to: request)
    #expect(text.contains("expected com.example.fixture.good or another widget of its app"))
    #expect(host.hasContent && host.faults.count == 1)
  }

  @Test(arguments: [true, false])
  func `an opened URL is recorded and answered as the test decides`(opens: Bool) async throws {
    let request = #""method": "openURL", "params": {"url": "clowntown://post/7"}"#
    let (text, host) = try await answer(to: request) { $0.opensURLs = opens }
    #expect(text == "{\"success\": \(opens)}")
    #expect(host.openedURLs == ["clowntown://post/7"])
  }

  @Test func `an activity requires a reason`() async throws {
    let good = #""method": "beginExpiringActivity", "params": {"reason": "save"}"#
    #expect(try await answer(to: good).text == #"{"activity": 1, "expired": false}"#)
    let bad = #""method": "beginExpiringActivity", "params": {"reason": ""}"#
    #expect(try await answer(to: bad).text.contains("expected a short word for the developer"))
  }

  /// Runs a widget that states a height when its view has appeared, and returns the host.
  private func runStatingHeight(_ more: String = "") async throws -> ScriptedHost {
    let world = try TestWorld()
    let bundle = try world.add(fixture: "Good")
    let script = """
      #!/usr/bin/env python3
      import json, sys
      def send(message):
          print(json.dumps({"jsonrpc": "2.0"} | message), flush=True)
      for line in sys.stdin:
          call = json.loads(line)
          if call.get("method") == "initialize":
              send({"id": call["id"], "result": {"protocolVersion": 1, "implements": [], "view": "a"}})
          elif call.get("method") == "viewDidAppear":
              \(more)
              send({"method": "setPreferredContentSize", "params": {"height": 7}})
          elif "id" in call:
              send({"id": call["id"], "result": {}})
      """
    try Data(script.utf8).write(to: URL(filePath: "\(bundle)/good"))
    let host = ScriptedHost(bundle: try WidgetBundle(path: bundle))
    try host.launch(environment: ["PATH": "/usr/bin:/bin"])
    _ = try await host.call(
      InitializeRequest(
        host: HostInfo(name: "test", version: HostVersion.current),
        bundleIdentifier: host.bundle.bundleIdentifier,
        reason: .test,
        activeDisplayMode: .compact,
        maximumSize: Size(columns: 40, rows: 4),
        marginInsets: EdgeInsets(),
        locale: "en",
        timeZone: "UTC",
        appearance: Appearance(colors: 256, dark: true),
        containers: Containers(data: world.path, cache: world.path)
      ),
      within: .seconds(20)
    )
    host.notify(ViewDidAppearNotification())
    _ = try await host.call(ViewWillDisappearRequest(), within: .seconds(20))
    host.kill()
    return host
  }

  @Test func `a height that comes after the first view is noted`() async throws {
    #expect(try await runStatingHeight().lateHeight == 7)
    let view = #"send({"method": "setView", "params": {"view": "b"}})"#
    #expect(try await runStatingHeight(view).lateHeight == nil)
  }

  @Test func `an unknown method is answered with its name`() async throws {
    let (text, host) = try await answer(to: #""method": "fly", "params": {}"#)
    #expect(text.contains("-32601") && text.contains("fly"))
    #expect(host.faults.count == 1)
  }
}
