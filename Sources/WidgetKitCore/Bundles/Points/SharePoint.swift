extension ExtensionPoint {
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
}
