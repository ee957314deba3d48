public import WidgetKitCore

/// A message between the page and the tested widget.
public struct HarnessMessage: Sendable {
  /// Whether the widget has sent it.
  public var isFromWidget: Bool
  /// The number of the process, from 1.
  public var run: Int
  /// The line without its line feed.
  public var bytes: [UInt8]
  /// What kind of message it is; nil for a line that is none.
  public var kind: IncomingLine.Kind?
  /// The method; of an answer, the one that it answers, if that is known.
  public var method: String?
  /// Whether it is an answer.
  public var isAnswer: Bool {
    switch kind {
    case .result, .error: true
    case .request, .notification, nil: false
    }
  }
  /// How long the answer took, in real time; nil for other messages.
  public var took: Duration?

  /// Reads a line; what an answer is for is not known yet.
  init(_ bytes: [UInt8], run: Int, isFromWidget: Bool) {
    self.bytes = bytes
    self.run = run
    self.isFromWidget = isFromWidget
    kind = (try? IncomingLine(bytes[...]))?.kind
    switch kind {
    case .request(_, let method), .notification(let method): self.method = method
    case .result, .error, nil: break
    }
  }
}
