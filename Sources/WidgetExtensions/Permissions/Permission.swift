public import WidgetKitCore

/// A request of a widget, and whether it is permitted.
public struct Permission: Hashable, Sendable {
  /// Whether a request is in force.
  public enum State: String, Sendable {
    /// It is permitted.
    case granted
    /// The user has refused or withdrawn it.
    case refused
    /// The user has not been asked.
    case open

    /// How a sentence begins that says what a widget may do.
    public var verb: String {
      switch self {
      case .granted: "may"
      case .refused: "may not"
      case .open: "asks to"
      }
    }
  }

  /// What the widget requests.
  public var request: EntitlementRequest
  /// Whether it is in force.
  public var state: State

  /// The permissions of a widget.
  ///
  /// What comes with the program is permitted until it is withdrawn; a bundle that the user names on the
  /// command line has all that it requests, and any other one what the user has granted.
  ///
  /// Groups of its own developer need no permission; `foreign` are those of others.
  static func all(
    of bundle: WidgetBundle,
    from origin: BundleOrigin,
    _ record: PermissionRecord,
    foreign: [EntitlementRequest] = []
  ) -> [Permission] {
    let others = origin == .installed ? foreign : []
    let requests = bundle.entitlements.requests.filter(\.entitlement.needsPermission) + others
    return requests.sorted { $0.entitlement < $1.entitlement }.map { request in
      let state: State =
        switch origin {
        case .named: .granted
        case .bundled: record.refuses(request) ? .refused : .granted
        case .installed:
          record.grants(request) ? .granted : record.refuses(request) ? .refused : .open
        }
      return Permission(request: request, state: state)
    }
  }
}

extension [Permission] {
  /// The requests that are permitted.
  var granted: [EntitlementRequest] { filter { $0.state == .granted }.map(\.request) }
}

extension WidgetBundle {
  /// The identifier to which permissions belong: that of the app, of the script whose block it is, or of a widget
  /// without one.
  public var permissionHolder: String {
    if let script, script.block != nil { return script.identifier }
    return containingApp?.bundleIdentifier ?? bundleIdentifier
  }

  /// The path by which its bundle, or its app, is told from others with its identifier; nil where that is not
  /// asked for.
  func place(in origin: BundleOrigin) -> String? {
    guard script == nil, origin == .installed else { return nil }
    return containingApp?.path ?? path
  }
}
