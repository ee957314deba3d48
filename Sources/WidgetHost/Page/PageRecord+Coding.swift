import WidgetKitCore

/// The encoding of a card in the record; default values are omitted because the first picture waits
/// until all entries have been read.
nonisolated extension PageRecord.Entry {
  private enum CodingKeys: String, CodingKey {
    case bundleIdentifier, name, displayMode, offersExpanded, marginInsets, path, folderNumber, span
  }

  private static let usualInsets = EdgeInsets(left: 1, right: 1)

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let identifier = try container.decode(String.self, forKey: .bundleIdentifier)
    guard ExtensionIdentity.isIdentifier(identifier) else {
      throw DecodingError.dataCorruptedError(
        forKey: .bundleIdentifier,
        in: container,
        debugDescription: "expected the identifier of a bundle"
      )
    }
    self.init(
      bundleIdentifier: identifier,
      name: SafeText(
        name: try container.decode(SafeText.self, forKey: .name).string,
        orIfInvisible: identifier
      ),
      displayMode: try container.decodeIfPresent(DisplayMode.self, forKey: .displayMode)
        ?? .compact,
      offersExpanded: try container.decodeIfPresent(Bool.self, forKey: .offersExpanded) ?? false,
      marginInsets: try container.decodeIfPresent(EdgeInsets.self, forKey: .marginInsets)
        ?? Self.usualInsets,
      path: try container.decodeIfPresent(String.self, forKey: .path),
      folderNumber: try container.decodeIfPresent(UInt64.self, forKey: .folderNumber),
      span: try Self.span(container)
    )
  }

  /// The number of columns; 1 if it is missing or cannot be one.
  private static func span(_ container: KeyedDecodingContainer<CodingKeys>) throws -> Int {
    let span = try container.decodeIfPresent(Double.self, forKey: .span).flatMap(Int.init(exactly:))
    return span.flatMap { InfoPlist.WidgetExtension.spans.contains($0) ? $0 : nil } ?? 1
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(bundleIdentifier, forKey: .bundleIdentifier)
    try container.encode(name, forKey: .name)
    if displayMode != .compact { try container.encode(displayMode, forKey: .displayMode) }
    if offersExpanded { try container.encode(offersExpanded, forKey: .offersExpanded) }
    if marginInsets != Self.usualInsets {
      try container.encode(marginInsets, forKey: .marginInsets)
    }
    try container.encodeIfPresent(path, forKey: .path)
    try container.encodeIfPresent(folderNumber, forKey: .folderNumber)
    if span != 1 { try container.encode(span, forKey: .span) }
  }
}
