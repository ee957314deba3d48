extension ExtensionPoint {
  /// An action with a view: options first, or a viewer.
  package static let action = {
    var point = ExtensionPoint(
      identifier: "com.apple.ui-services",
      presentation: .request(hasView: true)
    )
    point.attributes = contentAttributes.union([
      "NSExtensionServiceRoleType", "NSExtensionActionWantsFullScreenPresentation",
    ])
    point.otherNames = ["com.apple.action", "com.apple.action-extension", "com.apple.ui-service"]
    return point
  }()

  /// An action without a view, which is a filter.
  package static let filter = {
    var point = ExtensionPoint(
      identifier: "com.apple.services",
      presentation: .request(hasView: false)
    )
    point.attributes = contentAttributes.union(["NSExtensionServiceRoleType"])
    point.otherNames = ["com.apple.service", "com.apple.filter", "com.apple.services-extension"]
    return point
  }()
}
