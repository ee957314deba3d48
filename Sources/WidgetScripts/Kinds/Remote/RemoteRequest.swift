package import WidgetExtensions
package import WidgetKitCore

/// What a widget may ask of this machine that another one has started, which may be hostile: to be shown, and to open an
/// address of the web after a press.
package enum RemoteRequest {
  /// Why a message is not passed on.
  package struct Refusal {
    /// The answer; nil for a notification.
    package var answer: SentMessage?
    /// The words for the log.
    package var words: SafeText
  }

  /// What a page opens for a card of another machine.
  package static let schemes: Set<String> = ["http", "https"]

  private static let allowed: Set<String> = [
    SetViewNotification.method, SetPreferredContentSizeNotification.method,
    SetLargestAvailableDisplayModeNotification.method, LogNotification.method,
    OpenURLRequest.method, BeginExpiringActivityRequest.method,
    EndExpiringActivityNotification.method,
  ]

  /// Why a line is not passed on; nil for one that is.
  ///
  /// A line that is no message is passed on to the session, which counts such lines.
  package static func refusal(of line: ArraySlice<UInt8>) -> Refusal? {
    guard let message = try? IncomingLine(line) else { return nil }
    switch message.kind {
    case .result, .error: return nil
    case .notification(let method):
      return allowed.contains(method) ? nil : refusal(method, nil)
    case .request(let id, let method): return allowed.contains(method) ? nil : refusal(method, id)
    }
  }

  private static func refusal(_ method: String, _ id: MessageID?) -> Refusal {
    let name = method.prefix(80)
    let error = WireError(
      code: .notPermitted,
      message: "\(name) is not available on a page of another machine"
    )
    return Refusal(
      answer: id.map { SentMessage(.error(error, id: $0)) },
      words: SafeText("\(name): not available on a page of another machine")
    )
  }
}
