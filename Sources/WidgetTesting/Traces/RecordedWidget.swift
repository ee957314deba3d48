import WidgetKitCore
import WidgetPlatform

/// A run of a widget that a trace plays: what it says was recorded, and what it is told is compared.
///
/// A class because the page and the replay share it.
final class RecordedWidget: @MainActor StandInConnection {
  private let report: (WidgetReport) -> Void
  /// What the page has said, and the trace has not had yet.
  private var told: [Told] = []
  /// The numbers of requests in the trace, and those of the page.
  private var numbers: [MessageID: MessageID] = [:]
  private(set) var hasEnded = false
  private var ending: (any HostTimer)?

  private struct Told {
    var method: String
    var id: MessageID?
  }

  init(report: @escaping (WidgetReport) -> Void) {
    self.report = report
  }

  // MARK: - The page

  func send(_ sent: any ConnectionMessage) {
    guard let message = try? IncomingLine(sent.line.dropLast()) else { return }
    switch message.kind {
    case .request(let id, let method): told.append(Told(method: method, id: id))
    case .notification(let method): told.append(Told(method: method))
    case .result, .error: break
    }
  }

  // MARK: - The trace

  /// Whether the page has said what the trace has next; then it is taken.
  func take(_ method: String, recordedAs id: MessageID?) -> Bool {
    guard let index = told.firstIndex(where: { $0.method == method }) else { return false }
    let found = told.remove(at: index)
    if let id, let own = found.id { numbers[id] = own }
    return true
  }

  /// Says what was recorded; false if it answers what the page has not asked.
  func say(_ bytes: [UInt8]) -> Bool {
    guard let line = try? IncomingLine(bytes[...]) else {
      report(.line(bytes[...]))
      return true
    }
    let (id, member): (MessageID, String)
    switch line.kind {
    case .result(let number): (id, member) = (number, "result")
    case .error(.some(let number)): (id, member) = (number, "error")
    case .request, .notification, .error(nil):
      report(.line(bytes[...]))
      return true
    }
    guard let own = numbers[id] else { return false }
    let number: String =
      switch own {
      case .number(let number): "\(number)"
      case .string: "null"
      }
    let start = Array("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"\(member)\":".utf8)
    report(.line((start + line.contentBytes + Array("}".utf8))[...]))
    return true
  }

  /// Ends as it was recorded.
  func end(_ status: TerminationStatus) {
    guard !hasEnded else { return }
    hasEnded = true
    let report = report
    ending = SystemClock().schedule(after: .zero) { report(.ended(status)) }
  }
}
