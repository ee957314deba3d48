import ExtensionContent
import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetRequests
@testable import WidgetSessions

/// How long extensions may be silent, and may work on when a request is complete.
@Suite(.timeLimit(.minutes(5))) struct RequestTimesTests {
  private let world: TestWorld
  private let clock = SteppedClock()

  /// Completes the request if its content is “done”, and notes what it is told afterwards.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    def say(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for line in sys.stdin:
        call = json.loads(line)
        method = call.get("method")
        if method == "initialize":
            say(id=call["id"], result={"protocolVersion": 1, "implements": ["requestDidComplete"]})
            if "completes" in sys.argv[0]:
                say(id="done", method="completeRequest", params={})
        elif method == "requestDidComplete":
            with open(folder + "/told", "a") as file:
                file.write("%s\\n" % call["params"].get("expired"))
        elif "id" in call and method:
            say(id=call["id"], result={})
    """

  init() throws { world = try TestWorld() }

  private final class Ends {
    var outcome: String?
    var hasFinished = false
  }

  /// A request to an action without a view whose program has a name.
  private func request(_ name: String, _ ends: Ends) throws -> ExtensionRequest {
    let folder = "\(world.path)/config/widgets/\(name).appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.\(name)"; CFBundleExecutable = \(name);
        NSExtension = { NSExtensionPointIdentifier = "com.apple.services";
          NSExtensionAttributes = { NSExtensionActivationRule = {
            NSExtensionActivationSupportsText = YES; }; }; }; }
      """,
      to: "\(folder)/Info.plist"
    )
    try world.write(Self.program, to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
    let paths = SearchPaths(
      named: ["\(world.path)/config/widgets"],
      environment: world.environment(),
      executable: nil
    )
    let target = try #require(BundleCatalog.scan(paths).contentExtensions.first)
    var configuration = CenterConfiguration(
      environment: world.environment(),
      executablePath: "/nowhere/today"
    )
    (configuration.sandbox, configuration.clock) = (.off, clock)
    var content = RequestContent(.standard)
    let spool = try RequestSpool(in: world.path)
    try spool.append(Array("hello".utf8))
    content.add(
      ExtensionItem(),
      [ItemProvider([.init(types: [.plainText], source: .spool(spool))], size: 5)]
    )
    let request = try RequestHost(configuration).request(target, content)
    request.onEnd = { outcome in
      switch outcome {
      case .completed: ends.outcome = "completed"
      case .cancelled: ends.outcome = "cancelled"
      case .failed(let reason): ends.outcome = "failed: \(reason)"
      }
    }
    request.onFinish = { ends.hasFinished = true }
    request.start()
    return request
  }

  @Test func `an action without a view that is silent for 30 s is ended`() async throws {
    let ends = Ends()
    let request = try request("waits", ends)
    await eventually("its start") { request.stage == .ready }
    clock.advance(by: .seconds(29))
    #expect(ends.outcome == nil)
    clock.advance(by: .seconds(1))
    #expect(ends.outcome == "failed: it was silent for 30 s")
    await eventually("its end") { ends.hasFinished }
  }

  @Test func `content that it is given does not count for what an extension stores`() async throws {
    let ends = Ends()
    let request = try request("waits", ends)
    await eventually("its start") { request.stage == .ready }
    let (limit, given) = (ResourceLimits().containerBytes, UInt64("hello".utf8.count))
    request.session.note(.storage(limit + given))
    #expect(ends.outcome == nil)
    request.session.note(.storage(limit + given + 1))
    await eventually("its end") { ends.hasFinished }
    #expect(ends.outcome?.contains("storage full") == true)
  }

  @Test func `what works on after its request is told when 10 s are over, and is ended`()
    async throws
  {
    let ends = Ends()
    let request = try request("completes", ends)
    await eventually("the result") { ends.outcome == "completed" }
    func told() -> String? {
      try? String(contentsOfFile: "\(world.path)/config/told", encoding: .utf8)
    }
    await eventually("the end of the request") { told() == "False\n" }
    clock.advance(by: .seconds(9))
    #expect(!ends.hasFinished)
    clock.advance(by: .seconds(1))
    await eventually("the end of its time") { told() == "False\nTrue\n" }
    #expect(!ends.hasFinished)
    clock.advance(by: .seconds(1))
    await eventually("its end") { ends.hasFinished }
    withExtendedLifetime(request) {}
  }

  @Test func `a script that is silent for 30 s is ended`() async throws {
    try world.script(
      "silent.sh",
      "# today: action accepts=\"public.plain-text\"\necho begin; touch \"$HOME/begun\"; tail -f /dev/null"
    )
    let paths = SearchPaths(named: [], environment: world.environment(), executable: nil)
    let target = try #require(BundleCatalog.scan(paths).contentExtensions.first)
    let spool = try RequestSpool(in: world.path)
    try spool.append(Array("hello".utf8))
    var outcome: SafeText?
    let run = try FilterRun(
      target,
      spool,
      FilterRun.Request(type: .plainText),
      environment: world.environment(),
      limits: HostLimits(),
      clock: clock
    ) { ended in
      if case .cancelled(let reason) = ended { outcome = reason }
    }
    let begun = "\(world.path)/home/begun"
    await eventually("its start") { FileManager.default.fileExists(atPath: begun) }
    // What it has printed begins the time again, whenever it is read.
    clock.advance(by: .seconds(29))
    #expect(outcome == nil)
    clock.advance(by: .seconds(30))
    await eventually("its end") { outcome == "it was silent for 30 s" }
    withExtendedLifetime(run) {}
  }
}
