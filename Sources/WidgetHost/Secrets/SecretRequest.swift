package import WidgetKitCore

/// A request of a widget about secrets.
package nonisolated enum SecretRequest: Hashable, Sendable {
  case add(SecretAddRequest)
  case find(SecretFindRequest)
  case update(SecretUpdateRequest)
  case delete(SecretDeleteRequest)
}

/// The answer to a request about secrets.
package nonisolated struct SecretAnswer: Sendable {
  /// The line to the widget.
  package let line: [UInt8]
  /// The line as it is recorded: without a secret.
  package let recorded: [UInt8]
  /// Why the request was refused; nil if it was not.
  package let refusal: WireError?
}

nonisolated extension SecretAccess {
  /// Performs a request.
  package func answer(_ request: SecretRequest, id: MessageID) -> SecretAnswer {
    do throws(SecretFault) {
      var found: SecretFindRequest.Reply?
      switch request {
      case .add(let request): try perform(request)
      case .find(let request): found = try perform(request)
      case .update(let request): try perform(request)
      case .delete(let request): try perform(request)
      }
      guard let found else {
        let line = OutgoingLine.result(NoMembers(), id: id)
        return SecretAnswer(line: line, recorded: line, refusal: nil)
      }
      let dots = found.value.flatMap { SecretValue($0.description) }
      let shown = SecretFindRequest.Reply(value: dots)
      return SecretAnswer(
        line: OutgoingLine.result(found, id: id),
        recorded: OutgoingLine.result(shown, id: id),
        refusal: nil
      )
    } catch {
      let refusal = WireError(error)
      let line = OutgoingLine.error(refusal, id: id)
      return SecretAnswer(line: line, recorded: line, refusal: refusal)
    }
  }
}
