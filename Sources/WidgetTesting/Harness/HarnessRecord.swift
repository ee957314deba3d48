import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What has happened between the page and the tested widget.
///
/// A class because the runs of the widget share it.
final class HarnessRecord {
  /// All messages, in order.
  private(set) var messages: [HarnessMessage] = []
  /// What the widget has written to standard error.
  private(set) var log: [SafeText] = []
  /// How many lines of it are of runs before the present one.
  private var firstLine = 0
  /// Exceeded limits.
  private(set) var faults: [String] = []
  /// How the runs have ended, in order.
  private(set) var ends: [TerminationStatus] = []
  /// Why the host has killed each of them; nil where it has not.
  private(set) var endReasons: [String?] = []
  private var killReasons: [Int: String] = [:]
  /// How many processes were started.
  private(set) var runs = 0
  /// The present run, or the last one.
  weak var current: ProbedWidget?

  /// The requests of the page that are open: by run and number, when they were sent.
  private var open: [Int: [MessageID: (method: String, start: ContinuousClock.Instant)]] = [:]
  /// The requests of the widget that are open.
  private var asked: [MessageID: String] = [:]
  /// Called with the method of a request of the widget, before the page gets it.
  var onRequest: ((String) -> Void)?
  /// Called with what the page does not know of: probes, and the answers to them.
  var onProbe: (TraceWriter.Direction, [UInt8]) -> Void = { _, _ in }
  /// The folders that the widget may write to; nil if there is no page any more.
  var containers: () -> Containers? = { nil }
  /// The answers to probes, by their names.
  private(set) var probed: [String: HarnessMessage] = [:]

  func beginRun() -> Int {
    runs += 1
    firstLine = log.count
    asked = [:]
    return runs
  }

  /// Writes probes to a trace, if there is one.
  func traceProbes(of id: ExtensionIdentity, _ trace: TraceWriter?) {
    onProbe = { trace?.write($0, widget: id, message: $1, isJSON: true, isOfTest: true) }
  }

  /// Returns what kind of message it is.
  func noteSent(_ bytes: [UInt8], run: Int) -> HarnessMessage {
    var message = HarnessMessage(bytes, run: run, isFromWidget: false)
    switch message.kind {
    case .request(let id, let method): open[run, default: [:]][id] = (method, .now)
    case .result(let id), .error(.some(let id)): message.method = asked.removeValue(forKey: id)
    case .notification, .error(nil), nil: break
    }
    messages.append(message)
    return message
  }

  /// Returns whether the page may know of it.
  func noteSaid(_ bytes: [UInt8], run: Int) -> Bool {
    var message = HarnessMessage(bytes, run: run, isFromWidget: true)
    noteEarly(message, run: run)
    switch message.kind {
    case .request(let id, let method):
      asked[id] = method
      onRequest?(method)
    case .result(.string(let name)), .error(.string(let name)):
      probed[name] = message
      onProbe(.from, bytes)
      return false
    case .result(let id), .error(.some(let id)):
      if let call = open[run]?.removeValue(forKey: id) {
        message.method = call.method
        message.took = call.start.duration(to: .now)
      }
    case .notification, .error(nil), nil: break
    }
    messages.append(message)
    return true
  }

  /// The methods of what was sent before `initialize` was answered, which is the first answer of a process.
  private(set) var early: [String] = []

  private func noteEarly(_ message: HarnessMessage, run: Int) {
    guard let method = message.method, !message.isAnswer, method != LogNotification.method,
      methods(of: run).contains(InitializeRequest.method), !early.contains(method)
    else { return }
    early.append(method)
  }

  func noteLog(_ lines: [SafeText]) {
    log += lines
  }

  func noteFault(_ words: String) {
    faults.append(words)
  }

  func noteEnd(_ status: TerminationStatus, run: Int) {
    ends.append(status)
    endReasons.append(killReasons[run])
    lost += methods(of: run)
    open[run] = nil
  }

  /// The signals by which a run had to be ended, in order.
  private(set) var endings: [Int: [ProcessSignal]] = [:]

  func noteEnding(_ signal: ProcessSignal, run: Int) {
    endings[run, default: []].append(signal)
    killReasons[run] = killReasons[run] ?? killReason()
  }

  /// Why the host ends the present process, which it knows of when it sends the signal; nil for no failure.
  var killReason: () -> String? = { nil }

  // MARK: - Requests without an answer

  /// The requests that a process which still runs has not answered, by method.
  var unanswered: [String] { open.keys.sorted().flatMap(methods) }

  /// The requests that a process had not answered when it ended, by method.
  private(set) var lost: [String] = []

  /// The last lines that the present run has written to standard error; of one that has written nothing, of those before.
  func lastLines(_ count: Int) -> ArraySlice<SafeText> {
    (firstLine < log.count ? log[firstLine...] : log[...]).suffix(count)
  }

  /// The method of a request that a run has not answered; nil if there is none of this number.
  func method(of id: MessageID, run: Int) -> String? { open[run]?[id]?.method }

  private func methods(of run: Int) -> [String] {
    (open[run] ?? [:]).values.sorted { $0.start < $1.start }.map(\.method)
  }
}
