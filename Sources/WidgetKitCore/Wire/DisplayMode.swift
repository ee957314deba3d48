/// The compact or expanded form of a card (NCWidgetDisplayMode).
public enum DisplayMode: String, Hashable, Sendable, Codable {
  /// A fixed, low height.
  case compact
  /// As high as the content, up to the largest size.
  case expanded
}
