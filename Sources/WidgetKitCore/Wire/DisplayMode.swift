/// The compact or expanded form of a card (NCWidgetDisplayMode).
public enum DisplayMode: String, CaseIterable, Hashable, Sendable, Codable {
  /// A fixed, low height.
  case compact
  /// As high as the content, up to the largest size.
  case expanded

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}
