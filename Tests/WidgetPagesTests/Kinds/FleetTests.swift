import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts

@Suite("One widget on many machines")
struct FleetTests {
  private let clock = VirtualClock()

  private func row(
    _ name: String,
    _ state: FleetView.Row.State = .known,
    _ view: ViewNode? = nil,
    trouble: SafeText? = nil
  ) -> FleetView.Row {
    var row = FleetView.Row(name: name, state: state, trouble: trouble)
    row.view = view
    row.summary = view.map { FleetSummary($0) }
    return row
  }

  private func gauge(_ label: String, _ value: Double) -> ViewNode {
    ViewNode(
      .gauge(
        GaugeContent(
          value: value,
          label: SafeText(label),
          thresholds: [
            GaugeThreshold(at: 0.9, foreground: .red), GaugeThreshold(at: 0.7, foreground: .orange),
          ]
        )
      )
    )
  }

  /// The names of the rows, from the top.
  private func names(_ view: ViewNode) -> [String] {
    guard case .grid(let grid)? = view.children.first?.content else { return [] }
    return grid.rows.compactMap { $0.first?.texts.joined() }.filter { !$0.isEmpty }
  }

  @Test func `the worst comes first: by thresholds, then by state, then by name`() {
    let rows = [
      row("calm", .known, gauge("CPU", 0.1)),
      row("gone", .away, nil, trouble: "unreachable since 9:00"),
      row("busy", .known, gauge("CPU", 0.75)), row("full", .known, gauge("CPU", 0.95)),
      row("broken", .failed, nil, trouble: "exit 1"), row("also calm", .known, gauge("CPU", 0.2)),
      row("was full", .away, gauge("CPU", 1), trouble: "unreachable since 9:05"),
    ]
    #expect(
      names(FleetView.table(rows))
        == ["was full", "full", "busy", "gone", "broken", "also calm", "calm"]
    )
  }

  @Test func `a row has the gauges of its machine, and what is wrong with it`() {
    let both = ViewNode(
      .vstack(StackContent(children: [gauge("CPU", 0.123), gauge("Memory", 0.8)]))
    )
    let rows = [
      row("a", .known, both),
      row("b", .away, gauge("Memory", 0.5), trouble: "unreachable since 9:00"),
    ]
    let texts = FleetView.table(rows).texts
    #expect(texts.contains("12 %") && texts.contains("80 %") && texts.contains("50 %"))
    #expect(texts.contains("CPU") && texts.contains("Memory"))
    #expect(texts.contains("unreachable since 9:00"))
  }

  @Test func `a row of a name, a graph and a value is a number of its machine`() {
    let graph = ViewNode(.sparkline(SparklineContent(values: [0.1, 0.2])))
    let cells = [ScriptWords.text("CPU"), graph, ScriptWords.text("20 %")]
    let summary = FleetSummary(ViewNode(.hstack(StackContent(children: cells))))
    #expect(summary.figures.map(\.label) == ["CPU"] && summary.figures.map(\.words) == ["20 %"])
    var calm = GaugeContent(value: 0.5)
    calm.thresholds = [GaugeThreshold(at: 0, foreground: .green)]
    let bar = [ScriptWords.text("Memory"), ViewNode(.gauge(calm)), ScriptWords.text("1 of 2 GiB")]
    let other = FleetSummary(ViewNode(.grid(GridContent(rows: [bar]))))
    #expect(other.figures.map(\.words) == ["50 %"] && other.severity == .none)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1e300, 1e300])
  func `a number that is none ends nothing`(_ value: Double) {
    var content = GaugeContent(value: value, minimum: value, maximum: -value, label: "x")
    content.thresholds = [GaugeThreshold(at: value, foreground: .red)]
    let view = FleetView.table([row("a", .known, ViewNode(.gauge(content)))])
    #expect(view.texts.contains("a"))
  }

  @Test func `what is private stays private, and control characters are harmless`() {
    var secret = ScriptWords.text("code \u{1B}[31m42")
    secret.privacySensitive = true
    let view = FleetView.table([row("a", .known, secret)])
    #expect(view.hasPrivateContent)
    #expect(!view.texts.joined().contains("\u{1B}"))
  }

  @Test func `numbers in names are numbers`() {
    let rows = ["web-10", "web-2", "Web-1", "a"].map { row($0) }
    #expect(names(FleetView.table(rows)) == ["a", "Web-1", "web-2", "web-10"])
  }

  @Test func `a warning colour counts as a status`() {
    let red = ScriptWords.text("● CRITICAL", .red)
    let rows = [row("a", .known, ScriptWords.text("fine")), row("b", .known, red)]
    #expect(names(FleetView.table(rows)) == ["b", "a"])
  }

  // MARK: - The connection

  private final class Machines {
    var widgets: [String: FakeWidget] = [:]
    var starts: [String: Int] = [:]
    var reports: [String: (WidgetReport) -> Void] = [:]
    var said: [SaidMessage] = []
    var end: TerminationStatus?
  }

  private let initialize = InitializeRequest(
    host: HostInfo(name: "today", version: "1"),
    bundleIdentifier: "a.b",
    reason: .appear,
    activeDisplayMode: .compact,
    maximumSize: Size(columns: 40, rows: 100),
    marginInsets: EdgeInsets(left: 1, right: 1),
    locale: "en",
    timeZone: "UTC",
    appearance: Appearance(colors: 256, dark: true),
    containers: Containers(data: "/d", cache: "/c")
  )

  private func connect(_ names: [String], _ machines: Machines) throws -> FleetConnection {
    let connection = FleetConnection(
      try names.map { try #require(RemoteDestination($0)) },
      form: .table,
      limits: HostLimits(),
      clock: clock,
      start: { machine, report in
        let name = machine.machine
        let view = #"{"type":"gauge","label":"CPU","value":0.5}"#
        let widget = FakeWidget(
          answers: [
            "initialize": #"{"protocolVersion":1,"implements":["widgetPerformUpdate"]}"#,
            "widgetPerformUpdate": #"{"result":"newData","view":\#(view)}"#,
          ],
          report: report
        )
        machines.widgets[name] = widget
        machines.starts[name, default: 0] += 1
        machines.reports[name] = report
        return widget
      },
      report: { report in
        switch report {
        case .message(let message):
          if let said = message as? SaidMessage { machines.said.append(said) }
        case .ended(let status): machines.end = status
        default: break
        }
      }
    )
    connection.send(SentMessage(.initialize(initialize), id: 1))
    return connection
  }

  /// Lets what was put off to the next turn of the loop happen.
  private func turn() async { for _ in 0..<5 { await Task.yield() } }

  private func view(_ machines: Machines) -> ViewNode? {
    for message in machines.said.reversed() {
      switch message.content {
      case .view(let view): return view
      case .reply(let reply): if let view = reply.view { return view }
      default: break
      }
    }
    return nil
  }

  private func settle(until condition: () -> Bool) async {
    for _ in 0..<10_000 where !condition() { await Task.yield() }
  }

  @Test func `one update asks all machines, and their answers make one picture`() async throws {
    let machines = Machines()
    let connection = try connect(["a", "b", "c"], machines)
    for widget in machines.widgets.values { _ = widget.goOn() }
    connection.send(SentMessage(.widgetPerformUpdate(.schedule), id: 2))
    for widget in machines.widgets.values { _ = widget.goOn() }
    await settle { view(machines) != nil }
    #expect(Set(names(try #require(view(machines)))) == ["a", "b", "c"])
    #expect(machines.starts == ["a": 1, "b": 1, "c": 1])
  }

  @Test func `a slow machine delays no picture, and shows when it answers`() async throws {
    let machines = Machines()
    let connection = try connect(["a", "b"], machines)
    _ = machines.widgets["a"]?.goOn()
    connection.send(SentMessage(.widgetPerformUpdate(.schedule), id: 2))
    _ = machines.widgets["a"]?.goOn()
    clock.advance(by: .seconds(5))
    await settle { view(machines) != nil }
    #expect(view(machines)?.texts.contains("50 %") == true)
    let count = machines.said.count
    _ = machines.widgets["b"]?.goOn()
    _ = machines.widgets["b"]?.goOn()
    clock.advance(by: .seconds(1))
    await settle { machines.said.count > count }
    #expect(view(machines)?.texts.filter { $0 == "50 %" }.count == 2)
  }

  @Test func `a machine that is away is tried again with pauses that grow and differ`() async throws
  {
    let machines = Machines()
    let connection = try connect(["a", "b"], machines)
    let fleet = ["a", "b"]
    for round in 1...5 {
      for name in fleet where machines.starts[name] == round {
        machines.reports[name]?(.away("unreachable since 9:00: no route"))
        machines.reports[name]?(.ended(.unknown))
      }
      let wait = Duration.seconds(1 << (round - 1))
      clock.advance(by: wait - .milliseconds(1))
      #expect(fleet.allSatisfy { machines.starts[$0] == round }, "not before \(wait)")
      clock.advance(by: wait)
      #expect(fleet.allSatisfy { machines.starts[$0] == round + 1 }, "and not much later")
    }
    clock.advance(by: .seconds(1))
    await settle { view(machines) != nil }
    #expect(view(machines)?.texts.contains("unreachable since 9:00: no route") == true)
    connection.signal(.kill)
    #expect(machines.end == .signaled(9))
    let starts = machines.starts
    clock.advance(by: .seconds(1_000))
    #expect(machines.starts == starts, "nothing is started after the end")
  }

  @Test func `a machine may ask for nothing`() async throws {
    let machines = Machines()
    _ = try connect(["a"], machines)
    _ = machines.widgets["a"]?.goOn()
    machines.reports["a"]?(
      .line(
        ArraySlice(
          #"{"jsonrpc":"2.0","id":"x","method":"openURL","params":{"url":"file:///etc/passwd"}}"#
            .utf8
        )
      )
    )
    let answer = machines.widgets["a"]?.received.last
    #expect(answer?.kind == .error(.string("x")))
    #expect(machines.said.allSatisfy { if case .request = $0.content { false } else { true } })
  }
}
