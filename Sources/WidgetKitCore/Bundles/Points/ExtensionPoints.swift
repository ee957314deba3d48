/// The points of this program. A new one is a value here and its name in ``all``.
extension ExtensionPoint {
  /// All points, in the order in which messages name them.
  package static let all: [ExtensionPoint] = [.today, .share, .action, .filter]

  /// The Today view: a card with a view, of which new data is requested.
  package static let today = {
    var point = ExtensionPoint(identifier: "com.apple.widget-extension", presentation: .card)
    point.needsPrincipal = true
    point.attributes = [
      "TodayDescription", "TodayRefreshInterval", "TodaySettings", "TodayAddressSpace", "TodaySpan",
      "TodayGlyph", "TodayTint", "TodayStartsOnPage", "TodayStartPosition",
    ]
    point.otherNames = [
      "com.apple.today", "com.apple.today-extension", "com.apple.widget",
      "com.apple.widgetkit-extension", "com.apple.widgets", "com.apple.today-widget",
      "com.apple.notificationcenter.widget",
    ]
    return point
  }()

  /// A share extension: it moves content somewhere else, after the person has seen and edited it.
  package static let share = {
    var point = ExtensionPoint(
      identifier: "com.apple.share-services",
      presentation: .request(hasView: true)
    )
    point.attributes = contentAttributes
    point.otherNames = ["com.apple.share", "com.apple.share-extension", "com.apple.sharing"]
    return point
  }()

  /// The keys that all extensions may have to which content is offered.
  static let contentAttributes: Set<String> = [
    "TodayDescription", "TodaySettings", "TodayGlyph", "TodayAddressSpace",
    "NSExtensionActivationRule", "TodayRequires",
  ]

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
