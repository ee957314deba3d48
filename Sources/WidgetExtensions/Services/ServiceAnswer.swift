package import WidgetKitCore

/// The answer to a ``ServiceRequest``: a result, or why there is none.
package struct ServiceAnswer: Sendable {
  /// Why the request was refused; nil if it was not.
  package let refusal: WireError?
  private let result: any Encodable & Sendable
  /// What traces have in place of a result with secrets; nil if it has none.
  private var shownResult: (any Encodable & Sendable)?
  /// The secret that it gives to the widget; nil if it gives none.
  package private(set) var secret: String?
  private var byteLimit = ByteLimit()

  /// The most bytes of an answer, and what the widget is told if it has more.
  private struct ByteLimit {
    var count = Int.max
    var advice = ""
  }

  /// Answers with a result.
  package init(_ result: some Encodable & Sendable) {
    self.result = result
    refusal = nil
  }

  /// Answers with a result that has a secret; traces have `shown` in its place.
  package init(_ result: some Encodable & Sendable, shownAs shown: some Encodable & Sendable) {
    self.init(result)
    shownResult = shown
  }

  /// Answers with a result, or with an error that ends in `advice` if the line has more than `byteLimit`
  /// bytes.
  package init(_ result: some Encodable & Sendable, byteLimit: Int, advice: String) {
    self.init(result)
    self.byteLimit = ByteLimit(count: byteLimit, advice: advice)
  }

  /// Answers with an error.
  package init(refusal: WireError) {
    self.refusal = refusal
    result = NoMembers()
  }

  /// The line to the widget.
  package func line(to id: MessageID) -> [UInt8] {
    if let refusal { return OutgoingLine.error(refusal, id: id) }
    let line = OutgoingLine.result(result, id: id)
    guard line.count > byteLimit.count else { return line }
    let words = "the values have more than \(byteLimit.count) bytes; \(byteLimit.advice)"
    return OutgoingLine.error(WireError(code: .overLimit, message: words), id: id)
  }

  /// The line as traces have it; nil if that is the line itself.
  package func shownLine(to id: MessageID) -> [UInt8]? {
    shownResult.map { OutgoingLine.result($0, id: id) }
  }
}

extension ServiceAnswer {
  /// Performs a request about secrets.
  package init(_ request: SecretRequest, _ access: SecretAccess) {
    do throws(SecretFault) {
      guard let found = try access.perform(request) else {
        self.init(NoMembers())
        return
      }
      // A widget that gets this when a trace is played again says what the trace has of it.
      let mark = found.value.flatMap { _ in SecretValue(GivenSecrets.mark) }
      self.init(found, shownAs: SecretFindRequest.Reply(value: mark))
      secret = found.value?.text
    } catch {
      self.init(refusal: WireError(error))
    }
  }

  /// Answers a request about shared data.
  package init(_ answer: SharedDataAnswer) {
    switch answer {
    case .written: self.init(NoMembers())
    case .access(let token): self.init(CoordinateBeginRequest.Reply(token: token))
    case .values(let values):
      self.init(
        DefaultsReadRequest.Reply(values: values),
        byteLimit: SharedDataAnswer.valueBytes + Self.frameBytes,
        advice: "ask for some of the keys"
      )
    }
  }

  /// What an answer has beside the values.
  private static let frameBytes = 1 << 10
}
