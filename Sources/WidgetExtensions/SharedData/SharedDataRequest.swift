package import WidgetKitCore

/// A request or notification of a widget about data that it shares.
package enum SharedDataRequest: Hashable, Sendable {
  case read(DefaultsReadRequest)
  case write(DefaultsWriteRequest)
  case observe(String)
  case removeObserver(String)
  case post(String)
  case coordinate(CoordinateBeginRequest)
  case endCoordination(Int)

  /// Returns why it is refused, or nil if it is allowed.
  package func refusal(for bundle: WidgetBundle) -> WireError? {
    refusal(for: bundle.bundleIdentifier, groups: bundle.groups)
  }

  /// Returns why it is refused to a widget that shares some groups, or nil if it is allowed.
  func refusal(for bundleIdentifier: String, groups: [String]) -> WireError? {
    switch self {
    case .read(let request): Self.refusal(ofSuite: request.suite, bundleIdentifier, groups)
    case .write(let request): Self.refusal(ofSuite: request.suite, bundleIdentifier, groups)
    case .observe(let name), .removeObserver(let name), .post(let name):
      Self.refusal(ofName: name, groups)
    case .coordinate, .endCoordination: nil
    }
  }

  private static func refusal(
    ofSuite suite: String,
    _ bundleIdentifier: String,
    _ groups: [String]
  ) -> WireError? {
    if suite == bundleIdentifier || groups.contains(suite) { return nil }
    let words =
      "params.suite: expected \(bundleIdentifier) or an app group that the widget and its app "
      + "request, found “\(SafeText(suite))”"
    return WireError(
      code: suite.hasPrefix("group.") ? .notPermitted : .notFound,
      message: words
    )
  }

  private static func refusal(ofName name: String, _ groups: [String]) -> WireError? {
    if let fault = SharedNotices.fault(ofName: name) {
      return WireError(code: .invalidParams, message: "params.name: \(fault)")
    }
    guard SharedNotices.group(of: name, among: groups) == nil else { return nil }
    return WireError(
      code: .notPermitted,
      message:
        "params.name: “\(name)” does not begin with a group that the widget and its app request"
    )
  }
}

/// Something that another process did with shared data, and that a widget is told.
package enum SharedDataChange: Hashable, Sendable {
  /// A name was posted.
  case posted(String)
  /// Values are others now.
  case defaults(suite: String, keys: Set<String>)
  /// Notices have come, or something became of one.
  case notices
}
