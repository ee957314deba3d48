import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// Traces that are listed and played again.
@Suite(.timeLimit(.minutes(2)))
struct TraceTests {
  private func trace(_ lines: [String], header: String? = nil) throws -> Trace {
    let world = try TestWorld()
    let path = "\(world.path)/trace"
    let first = header ?? #"{"trace":1,"t":10,"date":"2031-02-03T04:05:06Z","theme":"dark"}"#
    try world.write(([first] + lines).joined(separator: "\n"), to: path)
    return try Trace(path: path)
  }

  private func line(_ time: Double, _ direction: String, _ message: String) -> String {
    #"{"t":\#(time),"widget":"a.b","run":1,"direction":"\#(direction)","message":\#(message)}"#
  }

  private func request(_ id: Int, _ method: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{"reason":"user"}}"#
  }

  private func listing(_ lines: [String]) throws -> [String] {
    var listing = TraceListing(try trace(lines))
    return listing.lines(of: nil)
  }

  @Test func `an answer has its time, and a pause is marked`() throws {
    let lines = try listing([
      line(10.5, "to", request(1, "widgetPerformUpdate")),
      line(12.5, "from", #"{"jsonrpc":"2.0","id":1,"result":{"result":"newData","view":"a"}}"#),
    ])
    #expect(lines[0] == "2031-02-03T04:05:06Z, dark")
    #expect(lines[1].hasPrefix("    0.500        a.b #1 → widgetPerformUpdate (1) user, "))
    #expect(
      lines[2].hasPrefix("    2.500 +2 s  a.b #1 ← widgetPerformUpdate (1) in 2 s newData a view")
    )
    #expect(lines.count == 3)
  }

  @Test(
    arguments: [
      (
        [#"{"jsonrpc":"2.0","id":7,"result":{}}"#], "answers no open request"
      ),
      (["\"print\""], "not JSON, or not a JSON-RPC message"),
      (
        [#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no luck"}}"#],
        "the widget refuses: no luck"
      ),
    ] as [([String], String)]
  )
  func `a broken rule is marked`(messages: [String], words: String) throws {
    let start = line(10, "to", request(1, "initialize"))
    let lines = try listing([start] + messages.map { line(10.1, "from", $0) })
    #expect(lines.last == "               ! \(words)")
  }

  @Test func `a late answer and one that never came are marked`() throws {
    let lines = try listing([
      line(10, "to", request(1, "initialize")),
      line(17, "from", #"{"jsonrpc":"2.0","id":1,"result":{}}"#),
      #"{"t":18,"widget":"a.b","run":1,"direction":"host","event":"timeout","deadline":"initialize"}"#,
    ])
    #expect(lines.contains("               ! late: initialize is to be answered within 5 s"))
    #expect(lines.last == "               ! no answer in its time")
  }

  @Test(arguments: ["1e308", "-1e308", "1e18", "-5", "0"])
  func `odd numbers and lines that are cut off are survived`(number: String) throws {
    let lines = try listing([
      #"{"t":\#(number),"widget":"a.b","run":\#(number),"direction":"host","event":"start"}"#,
      #"{"t":\#(number),"direction":"host","event":"size","width":\#(number),"height":\#(number)}"#,
      #"{"t":11,"widget":"a.b","run":1,"direction":"to","mess"#,
    ])
    #expect(lines.last == "line 4 cannot be read")
  }

  @Test(arguments: ["", "text", "{}", #"{"trace":2,"date":"2031-02-03T04:05:06Z"}"#, #"{"t":1}"#])
  func `a file that is no trace is an error`(header: String) throws {
    let error = #expect(throws: HarnessFailure.self) { try trace([], header: header) }
    #expect(error?.description.contains("is not a trace") == true)
  }

  // MARK: - Playing

  /// Records a widget under test: its start, two presses and an update.
  private func record(_ authored: AuthoredBundle) async throws -> (path: String, rows: [String]) {
    let path = "\(authored.world.path)/trace"
    var options = HarnessOptions(environment: authored.world.environment(term: nil))
    options.tracePath = path
    let harness = try WidgetHarness(bundle: try authored.bundle, options)
    try await harness.appear(width: 30)
    try await harness.press("more")
    try await harness.press("more")
    try await harness.update()
    let rows = harness.rows
    await harness.finish()
    return (path, rows)
  }

  /// A replay that has come to its end, without a difference.
  private func replay(_ trace: Trace, of authored: AuthoredBundle) async throws -> WidgetReplay {
    let environment = authored.world.environment(term: nil)
    let replay = try WidgetReplay(trace, "com.example.Cups", environment: environment)
    await replay.run()
    #expect(replay.differences == [])
    return replay
  }

  @Test func `a trace that is played gives the same cells`() async throws {
    let authored = try AuthoredBundle()
    let (path, rows) = try await record(authored)
    #expect(rows.first == "2 cups")
    let trace = try Trace(path: path)
    #expect(trace.widgets == ["com.example.Cups"])
    let replay = try await replay(trace, of: authored)
    #expect(replay.harness.rows == rows)
    await replay.harness.finish()
    authored.remove()
  }

  @Test func `a replay stands at the time of the picture, however late the page ends`() async throws
  {
    let authored = try AuthoredBundle()
    let (path, rows) = try await record(authored)
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let end = try #require(lines.firstIndex { $0.contains(#""method":"viewWillDisappear""#) })
    // As on a busy machine: the page ends two minutes after its picture.
    let number = #/"t":([0-9.]+)/#
    let start = try #require(lines[end].firstMatch(of: number).flatMap { Double($0.1) })
    for index in end..<lines.count {
      lines[index].replace(number) { #""t":\#((Double($0.1) ?? start) + 120)"# }
    }
    // The widget is told the time again, as it is another one.
    let time = """
      {"jsonrpc":"2.0","method":"clockDidChange","params":{"now":"2031-02-03T04:07:06Z"}}
      """
    lines.insert(
      line(start + 120, "to", time).replacing("a.b", with: "com.example.Cups"),
      at: end + 1
    )
    lines.insert(#"{"t":\#(start),"direction":"host","event":"picture"}"#, at: end)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let trace = try Trace(path: path)
    let replay = try await replay(trace, of: authored)
    #expect(replay.harness.rows == rows)
    #expect(replay.harness.clock.date.timeIntervalSince(trace.date) < 100)
    await replay.harness.finish()
    authored.remove()
  }

  /// A card grows once a second at most, so that its height depends on when its content came.
  @Test func `a trace of a test has the times of the test`() async throws {
    let world = try TestWorld()
    let path = "\(world.path)/trace"
    var options = HarnessOptions(environment: world.environment(term: nil))
    options.tracePath = path
    let harness = try WidgetHarness(GrowingWidget(), options)
    try await harness.appear(width: 30)
    for _ in 0..<3 {
      try await harness.advance(by: .seconds(70))
      try await harness.update(.schedule)
    }
    try await harness.advance(by: .seconds(2))
    let (rows, date) = (harness.rows, harness.clock.date)
    #expect(rows.count > 12)
    await harness.finish()
    let trace = try Trace(path: path)
    var list = TraceListing(trace)
    let listing = list.lines(of: nil)
    #expect(listing.contains { $0.contains("+70 s") }, "\(listing)")
    let replay = try WidgetReplay(
      trace,
      "test.GrowingWidget",
      environment: world.environment(term: nil)
    )
    await replay.run()
    #expect(replay.differences == [])
    #expect(replay.harness.rows == rows)
    #expect(abs(replay.harness.clock.date.timeIntervalSince(date)) < 10)
    await replay.harness.finish()
  }

  @Test func `a trace that is played against its widget has no differences`() async throws {
    let authored = try AuthoredBundle()
    let (path, _) = try await record(authored)
    let replay = try HostReplay(
      try Trace(path: path),
      try authored.bundle,
      environment: authored.world.environment(term: nil)
    )
    try await replay.run()
    #expect(replay.differences == [])
    #expect(replay.comparedCount > 5)
    authored.remove()
  }

  @Test func `a secret of the widget that is played is neither shown nor compared`() async throws {
    let authored = try AuthoredBundle(fault: "secret")
    let (path, _) = try await record(authored)
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    #expect(text.contains(#""value":"<secret>""#))
    #expect(!text.contains("4711-"))
    let replay = try HostReplay(
      try Trace(path: path),
      try authored.bundle,
      environment: authored.world.environment(term: nil)
    )
    try await replay.run()
    #expect(replay.differences == [])
    authored.remove()
  }

  @Test func `a widget that answers otherwise is told from the recorded one, place by place`()
    async throws
  {
    let authored = try AuthoredBundle()
    let (path, _) = try await record(authored)
    let other = try AuthoredBundle(fault: "nameless")
    let replay = try HostReplay(
      try Trace(path: path),
      try other.bundle,
      environment: authored.world.environment(term: nil)
    )
    try await replay.run()
    #expect(
      replay.differences.contains {
        $0.hasSuffix(#"result.view.children[2].label: "More" was recorded, "→" came"#)
      },
      "\(replay.differences)"
    )
    authored.remove()
    other.remove()
  }

  @Test func `a widget that ends is a difference, and not a wait`() async throws {
    let authored = try AuthoredBundle()
    let (path, _) = try await record(authored)
    let other = try AuthoredBundle(fault: "press")
    let replay = try HostReplay(
      try Trace(path: path),
      try other.bundle,
      environment: authored.world.environment(term: nil)
    )
    try await replay.run()
    #expect(replay.differences.contains { $0.contains("did not arrive (the process has ended") })
    authored.remove()
    other.remove()
  }
}

/// A widget with four rows more after each update.
private final class GrowingWidget: Widget {
  private var count = 0

  var body: some View {
    ForEach(Array(0...count), id: \.self) { Text("row \($0)") }
  }

  func widgetPerformUpdate(reason: UpdateReason) -> UpdateOutcome {
    count += 4
    return .newData
  }
}
