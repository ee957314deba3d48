package import WidgetKitCore

/// A request of a widget about secrets.
package enum SecretRequest: Hashable, Sendable {
  case add(SecretAddRequest)
  case find(SecretFindRequest)
  case update(SecretUpdateRequest)
  case delete(SecretDeleteRequest)
}

extension SecretAccess {
  /// Performs a request; returns what was found, nil for a request that finds nothing.
  package func perform(_ request: SecretRequest) throws(SecretFault) -> SecretFindRequest.Reply? {
    switch request {
    case .add(let request): try perform(request)
    case .find(let request): return try perform(request)
    case .update(let request): try perform(request)
    case .delete(let request): try perform(request)
    }
    return nil
  }
}
