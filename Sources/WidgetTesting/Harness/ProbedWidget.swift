import WidgetHost
import WidgetKitCore

/// A run of the tested widget: passes everything on, and notes it.
///
/// A class because the process calls it back.
final class ProbedWidget: WidgetConnection {
  private var base: (any WidgetConnection)?
  private let record: HarnessRecord
  private let number: Int
  private let report: (WidgetReport) -> Void
  private let faults: Set<HarnessFault>
  /// Whether it was killed in the middle of an update, so that what it says in spite of it comes too late.
  private var isKilled = false
  /// What is sent later, in order.
  private var late: [(line: [UInt8], method: String?)] = []
  private var timer: (any HostTimer)?

  /// How late a slow disk is, in real time.
  private static let delay: Duration = .milliseconds(50)

  init(
    record: HarnessRecord,
    faults: Set<HarnessFault>,
    report: @escaping (WidgetReport) -> Void,
    start: (@escaping (WidgetReport) -> Void) throws(HostError) -> any WidgetConnection
  ) throws(HostError) {
    self.record = record
    self.faults = faults
    self.report = report
    number = record.beginRun()
    base = try start { [weak self] in self?.take($0) }
    record.current = self
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let bytes):
      guard !isKilled, record.noteSaid(Array(bytes), run: number) else { return }
    case .log(let lines): record.noteLog(lines)
    case .violation(let words), .away(let words): record.noteFault(words)
    case .outOfMemory: record.noteFault("ended as it used too much memory")
    case .ended(let status): record.noteEnd(status, run: number)
    }
    self.report(report)
  }

  /// Sends a line that the page does not know of.
  func probe(_ line: [UInt8]) {
    base?.send(line)
  }

  func send(_ line: [UInt8]) {
    let message = record.noteTold(Array(line.dropLast()), run: number)
    guard faults.contains(.slowDisk), message.isAnswer || !late.isEmpty else {
      return pass(line, message.method)
    }
    late.append((line, message.method))
    if timer == nil { sendLater() }
  }

  private func pass(_ line: [UInt8], _ method: String?) {
    base?.send(line)
    guard faults.contains(.killDuringUpdate), number == 1, !isKilled,
      method == WidgetPerformUpdateRequest.method
    else { return }
    isKilled = true
    base?.signal(.kill)
  }

  private func sendLater() {
    timer = SystemClock().schedule(after: Self.delay) { [weak self] in
      guard let self else { return }
      timer = nil
      let (line, method) = late.removeFirst()
      pass(line, method)
      if !late.isEmpty { sendLater() }
    }
  }

  func holdBack(_ isHeld: Bool) { base?.holdBack(isHeld) }
  var isBlocked: Bool { base?.isBlocked ?? true }
  func closeInput() { base?.closeInput() }
  func signal(_ signal: ProcessSignal) { base?.signal(signal) }
  func suspend() -> String? { base?.suspend() }
  // Activities do not go on after a test.
  func release() -> LeavingWidget? { nil }
  var processRun: ProcessRun? { base?.processRun }
  var isHeldBack: Bool { base?.isHeldBack ?? false }
  var isIdle: Bool { late.isEmpty && base?.isIdle ?? true }
  var cpu: Duration { base?.cpu ?? .zero }
}
