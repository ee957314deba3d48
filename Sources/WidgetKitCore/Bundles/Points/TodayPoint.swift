extension ExtensionPoint {
  /// The Today view: a card with a view, of which new data is requested.
  package static let today = {
    var point = ExtensionPoint(identifier: "com.apple.widget-extension", presentation: .card)
    point.needsPrincipal = true
    point.attributes = [
      "TodayDescription", "TodayRefreshInterval", "TodaySettings", "TodayAddressSpace", "TodaySpan",
      "TodayStartsOnPage",
    ]
    point.otherNames = [
      "com.apple.today", "com.apple.today-extension", "com.apple.widget",
      "com.apple.widgetkit-extension", "com.apple.widgets", "com.apple.today-widget",
      "com.apple.notificationcenter.widget",
    ]
    return point
  }()
}
