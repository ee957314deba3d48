public import WidgetKitCore

/// What the sandbox makes of a permission.
public enum PermissionRemark: Hashable, Sendable {
  /// It has no effect, for this reason.
  case denied(String)
  /// The network is this one.
  case network(SandboxNetwork)

  /// What follows the words of a request in a list.
  public var words: String {
    switch self {
    case .denied(let reason): "denied, as \(reason)"
    case .network(let network): network.words
    }
  }
}

extension Sandbox {
  /// Returns what is to be said about a permission beside its state.
  ///
  /// - Parameters:
  ///   - permission: A permission of a widget that runs in the sandbox.
  ///   - all: All of its permissions. An open one counts like a granted one, so that a question says what an
  ///     answer would bring.
  /// - Returns: The remark; nil if there is nothing to say.
  public func remark(on permission: Permission, of all: [Permission]) -> PermissionRemark? {
    guard permission.state != .refused else { return nil }
    let wanted = all.filter { $0.state != .refused }.map(\.request)
    let entitlement = permission.request.entitlement
    if let reason = withheld(of: wanted)[entitlement] { return .denied(reason) }
    guard entitlement == .network else { return nil }
    return switch level {
    case .full: .network(network)
    case .partial(let reason): .network(.shared(reason))
    case .off, .none: nil
    }
  }

  /// What a widget asks for that has not been answered yet, as a phrase such as “asks to use the network”, as the
  /// question in its card says it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - all: All requests of the widget.
  /// - Returns: The phrase.
  public func wish(_ request: EntitlementRequest, among all: [EntitlementRequest]) -> SafeText {
    words(
      of: Permission(request: request, state: .open),
      among: all.map { Permission(request: $0, state: .open) }
    )
  }

  /// What a widget may do by a permission, as a phrase such as “may use the network”.
  public func words(of permission: Permission, among all: [Permission]) -> SafeText {
    let wish = permission.request.words
    return switch remark(on: permission, of: all) {
    case .denied(let reason): "may not \(wish), as \(SafeText(reason))"
    case .network(let network):
      "\(SafeText(permission.state.verb)) \(wish), \(SafeText(network.words))"
    case nil: "\(SafeText(permission.state.verb)) \(wish)"
    }
  }
}
