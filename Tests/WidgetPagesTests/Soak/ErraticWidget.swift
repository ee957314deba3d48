import WidgetKitCore
import WidgetTestSupport

@testable import WidgetPlatform

/// A widget without a process that misbehaves at random when it is enabled.
///
/// Otherwise it is well-behaved. It answers with a delay, on the clock of the page.
final class ErraticWidget: WidgetConnection {
  /// The state that all widgets of a page share.
  final class Weather {
    /// Whether they misbehave.
    var isWild = true
    /// Random for all of them.
    var generator: SeededGenerator
    /// How many processes are running.
    var living = 0

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
    }
  }

  private(set) var isAlive = true
  private let clock: any HostClock
  private let weather: Weather
  private let report: (WidgetReport) -> Void
  private var timers: [Int: any HostTimer] = [:]
  private var timerCount = 0
  private var backlog: [any ConnectionMessage] = []
  private var isSuspended = false
  private var updates = 0

  init(clock: any HostClock, weather: Weather, report: @escaping (WidgetReport) -> Void) {
    self.clock = clock
    self.weather = weather
    self.report = report
    weather.living += 1
  }

  var processRun: ProcessRun? { isAlive ? ProcessRun(leader: 1) : nil }

  func send(_ message: any ConnectionMessage) {
    guard isAlive else { return }
    if isSuspended { backlog.append(message) } else { hear(message) }
  }

  func closeInput() {
    later(.milliseconds(20)) { $0.end(.exited(0)) }
  }

  func signal(_ signal: ProcessSignal) {
    switch signal {
    case .kill: later(.zero) { $0.end(.signaled(9)) }
    case .terminate:
      if weather.isWild, weather.generator.once(in: 4) { return }
      later(.milliseconds(5)) { $0.end(.signaled(15)) }
    case .resume:
      isSuspended = false
      let missed = backlog
      backlog = []
      for message in missed { hear(message) }
    }
  }

  func suspend() -> String? {
    isSuspended = true
    return weather.isWild && weather.generator.once(in: 40) ? "/groups/locked" : nil
  }

  // MARK: - What it does

  private func hear(_ message: any ConnectionMessage) {
    guard let line = try? IncomingLine(message.line.dropLast()),
      case .request(.number(let id), let method) = line.kind
    else { return }
    if weather.isWild, weather.generator.once(in: 15), misbehave(id) { return }
    let pause = Duration.milliseconds(weather.generator.number(1...200))
    later(pause) { $0.answer(id, method) }
  }

  private func answer(_ id: Int, _ method: String) {
    let view = #""counted to \#(updates)""#
    switch method {
    case "initialize":
      let methods = #"["widgetPerformUpdate","viewWillDisappear","performAction"]"#
      reply(id, #"{"protocolVersion":1,"implements":\#(methods),"view":\#(view)}"#)
    case "widgetPerformUpdate":
      updates += 1
      let results = [
        #"{"result":"newData","view":"counted to \#(updates)"}"#, #"{"result":"noData"}"#,
        #"{"result":"failed","error":"no network"}"#,
      ]
      reply(id, weather.isWild ? weather.generator.one(of: results) : results[0])
    default:
      reply(id, "{}")
    }
  }

  /// Mishandles a request; false if it should be answered nevertheless.
  private func misbehave(_ id: Int) -> Bool {
    switch weather.generator.number(0...9) {
    case 0: later(.milliseconds(3)) { $0.end(.signaled(11)) }
    case 1: later(.milliseconds(3)) { $0.end(.exited(3)) }
    case 2: return true
    case 3: later(.seconds(40)) { $0.reply(id, "{}") }
    case 4: later(.zero) { $0.report(.violation("too large: a line of 262145 bytes")) }
    case 5:
      for _ in 0..<weather.generator.number(1...14) { say("no message at all") }
      return false
    case 6:
      for number in 0..<20 {
        say(#"{"jsonrpc":"2.0","method":"setView","params":{"view":"flood \#(number)"}}"#)
      }
      return false
    case 7:
      reply(id, "{}")
      reply(id, #"{"result":"newData","view":"twice"}"#)
    case 8: reply(id, #"{"result":7,"view":{"type":"text","text":7}}"#)
    default: report(.log((0..<50).map { SafeText("stderr \($0)") }))
    }
    return true
  }

  private func reply(_ id: Int, _ result: String) {
    say(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
  }

  private func say(_ json: String) {
    // What is stopped says nothing.
    guard isAlive, !isSuspended else { return }
    report(.line(Array(json.utf8)[...]))
  }

  private func end(_ status: TerminationStatus) {
    guard isAlive else { return }
    isAlive = false
    weather.living -= 1
    timers = [:]
    report(.ended(status))
  }

  private func later(_ delay: Duration, _ action: @escaping (ErraticWidget) -> Void) {
    timerCount += 1
    let number = timerCount
    timers[number] = clock.schedule(after: delay) { [weak self] in
      guard let self, isAlive else { return }
      timers[number] = nil
      action(self)
    }
  }
}
