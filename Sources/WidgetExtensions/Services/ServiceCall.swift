package import WidgetKitCore

/// The process that has made a ``ServiceCall``.
@MainActor package protocol ServiceCaller: AnyObject {
  /// Sends an answer, unless the request was answered before; a refused notification is only logged.
  func answer(_ answer: ServiceAnswer, to id: MessageID?)
}

/// A request that waits for its answer, which may come at any time.
///
/// Only the first answer is sent, and none when the process that asked has ended: the next process of the
/// widget did not ask.
@MainActor package struct ServiceCall {
  /// Nil for a notification, which has no answer.
  let id: MessageID?
  private weak var caller: (any ServiceCaller)?

  init(_ id: MessageID?, from caller: (any ServiceCaller)?) {
    self.id = id
    self.caller = caller
  }

  /// Answers.
  func answer(_ answer: ServiceAnswer) {
    caller?.answer(answer, to: id)
  }

  /// Answers with a result.
  package func answer(with result: some Encodable & Sendable) {
    answer(ServiceAnswer(result))
  }

  /// Answers with an error, which the log has too.
  package func answer(refusal: WireError) {
    answer(ServiceAnswer(refusal: refusal))
  }
}
