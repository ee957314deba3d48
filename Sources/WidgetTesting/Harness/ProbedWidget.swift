import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// A run of the tested widget: passes everything on, and notes it.
final class ProbedWidget: WidgetConnection {
  private var base: (any WidgetConnection)?
  private let record: HarnessRecord
  private let number: Int
  private let report: (WidgetReport) -> Void
  private let faults: Set<HarnessFault>
  /// How long it may take for a step, in real time.
  private let patience: Duration
  /// Whether it was killed in the middle of an update, so that what it says in spite of it comes too late.
  private var isKilled = false
  /// What kills it in the middle of its first update.
  private var killer: MidUpdateKill?
  private var hasEnded = false
  /// What is sent later, in order.
  private var late: [(message: any ConnectionMessage, method: String?)] = []
  private var timer: (any HostTimer)?

  /// How late a slow disk is, in real time.
  private static let delay: Duration = .milliseconds(50)

  init(
    record: HarnessRecord,
    faults: Set<HarnessFault>,
    patience: Duration,
    report: @escaping (WidgetReport) -> Void,
    start: (@escaping (WidgetReport) -> Void) throws(HostError) -> any WidgetConnection
  ) throws(HostError) {
    self.record = record
    self.faults = faults
    self.patience = patience
    self.report = report
    number = record.beginRun()
    base = try start { [weak self] in self?.take($0) }
    record.current = self
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let bytes):
      guard !isKilled, !isAnswerToUpdate(bytes) else { return }
      guard record.noteSaid(Array(bytes), run: number) else { return }
    case .message(let message):
      let line = message.line.dropLast()
      guard !isKilled, !isAnswerToUpdate(line) else { return }
      guard record.noteSaid(Array(line), run: number) else { return }
    case .log(let lines):
      record.noteLog(lines)
      killer?.noteOutput()
    case .violation(let words), .away(let words): record.noteFault(words)
    case .outOfMemory: record.noteFault("ended as it used too much memory")
    case .ended(let status):
      hasEnded = true
      killer = nil
      record.noteEnd(status, run: number)
    }
    self.report(report)
  }

  /// Sends a line that the page does not know of.
  func probe(_ line: [UInt8]) {
    record.onProbe(.to, line.dropLast())
    base?.send(SentMessage(line: line))
  }

  func send(_ message: any ConnectionMessage) {
    let noted = record.noteSent(message.line.dropLast(), run: number)
    guard faults.contains(.slowDisk), noted.isAnswer || !late.isEmpty else {
      return pass(message, noted.method)
    }
    late.append((message, noted.method))
    if timer == nil { sendLater() }
  }

  private func pass(_ message: any ConnectionMessage, _ method: String?) {
    guard faults.contains(.killDuringUpdate), number == 1, !isKilled, killer == nil,
      method == WidgetPerformUpdateRequest.method
    else {
      base?.send(message)
      return
    }
    let killer = MidUpdateKill(
      folders: record.containers(),
      limit: patience / 2,
      isRead: { [weak self] in self?.base?.hasReadInput ?? true },
      kill: { [weak self] in
        self?.isKilled = true
        self?.base?.signal(.kill)
      }
    )
    self.killer = killer
    base?.send(message)
    killer.begin()
  }

  /// Whether a line answers the update in which the widget is to be killed; then that is its first write.
  ///
  /// What it says by itself is another; the answer to an earlier request is none.
  private func isAnswerToUpdate(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let killer, let kind = (try? IncomingLine(bytes))?.kind else { return false }
    switch kind {
    case .request, .notification:
      killer.noteOutput()
      return false
    case .result(let id), .error(.some(let id)):
      guard record.method(of: id, run: number) == WidgetPerformUpdateRequest.method else {
        return false
      }
      killer.noteAnswer()
      return true
    case .error(nil): return false
    }
  }

  private func sendLater() {
    timer = SystemClock().schedule(after: Self.delay) { [weak self] in
      guard let self else { return }
      timer = nil
      let (message, method) = late.removeFirst()
      pass(message, method)
      if !late.isEmpty { sendLater() }
    }
  }

  var exchangesLines: Bool { base?.exchangesLines ?? true }
  func holdBack(_ isHeld: Bool) { base?.holdBack(isHeld) }
  var isBlocked: Bool { base?.isBlocked ?? true }
  func closeInput() { base?.closeInput() }
  func signal(_ signal: ProcessSignal) {
    if !hasEnded, signal != .resume { record.noteEnding(signal, run: number) }
    base?.signal(signal)
  }
  func suspend() -> String? { base?.suspend() }
  // Activities do not go on after a test.
  func release() -> LeavingWidget? { nil }
  var processRun: ProcessRun? { base?.processRun }
  var isHeldBack: Bool { base?.isHeldBack ?? false }
  var hasReadInput: Bool { base?.hasReadInput ?? true }
  var isIdle: Bool { late.isEmpty && base?.isIdle ?? true }
  var cpu: Duration { base?.cpu ?? .zero }
}
