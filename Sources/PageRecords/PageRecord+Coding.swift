import WidgetKitCore
import WidgetPlatform

/// The encoding of the record. One page without a name of its own is written as `cards`, as in the first
/// version.
nonisolated extension PageRecord: Codable {
  private enum CodingKeys: String, CodingKey {
    case pages, cards, removed, guests
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let pages =
      try container.decodeIfPresent([NamedPage].self, forKey: .pages)
      ?? [NamedPage(name: .home, cards: try container.decode([Entry].self, forKey: .cards))]
    self.init(
      pages: pages,
      removed: try container.decodeIfPresent([Entry].self, forKey: .removed) ?? [],
      guests: try container.decodeIfPresent([Entry].self, forKey: .guests) ?? []
    )
    dropEmptyPages()
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if pages.count == 1, let page = pages.first, page.name == .home {
      try container.encode(page.cards, forKey: .cards)
    } else {
      try container.encode(pages, forKey: .pages)
    }
    try container.encode(removed, forKey: .removed)
    try container.encode(guests, forKey: .guests)
  }
}

/// The encoding of a card in the record; default values are omitted because the first picture waits
/// until all entries have been read.
nonisolated extension PageRecord.Entry: Codable {
  private enum CodingKeys: String, CodingKey {
    case bundleIdentifier, instance, name, displayMode, offersExpanded, marginInsets, path
    case folderNumber, span, glyph, tint, chosenSpan, host
  }

  private static let usualInsets = EdgeInsets(left: 1, right: 1)

  package init(from decoder: any Decoder) throws {
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
      id: ExtensionIdentity(identifier, instance: try Self.instance(container)),
      name: SafeText(
        name: try container.decode(SafeText.self, forKey: .name).string,
        orIfInvisible: identifier
      ),
      displayMode: try container.decodeIfPresent(DisplayMode.self, forKey: .displayMode),
      offersExpanded: try container.decodeIfPresent(Bool.self, forKey: .offersExpanded) ?? false,
      marginInsets: try container.decodeIfPresent(EdgeInsets.self, forKey: .marginInsets)
        ?? Self.usualInsets,
      path: try container.decodeIfPresent(String.self, forKey: .path),
      folderNumber: try container.decodeIfPresent(UInt64.self, forKey: .folderNumber),
      span: try Self.span(container, .span) ?? 1,
      mark: CardMark(
        glyph: try container.decodeIfPresent(String.self, forKey: .glyph).flatMap(CardMark.glyph),
        tint: try? container.decodeIfPresent(Color.self, forKey: .tint)
      ),
      chosenSpan: try Self.span(container, .chosenSpan),
      host: try Self.host(container)
    )
  }

  /// The name of the instance; nil if there is none.
  private static func instance(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) throws -> InstanceName? {
    guard let text = try container.decodeIfPresent(String.self, forKey: .instance) else {
      return nil
    }
    guard let name = InstanceName(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .instance,
        in: container,
        debugDescription: "expected \(InstanceName.rule)"
      )
    }
    return name
  }

  /// The machines of a card; one that cannot be used is none that exists, so that the widget does not run here.
  private static func host(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) throws -> RemoteDestination? {
    try container.decodeIfPresent(String.self, forKey: .host).map {
      RemoteDestination($0) ?? .unusable
    }
  }

  /// A number of columns; nil if it is missing or cannot be one.
  private static func span(
    _ container: KeyedDecodingContainer<CodingKeys>,
    _ key: CodingKeys
  ) throws -> Int? {
    let span = try container.decodeIfPresent(Double.self, forKey: key).flatMap(Int.init(exactly:))
    return span.flatMap { CardSpan.range.contains($0) ? $0 : nil }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.bundleIdentifier, forKey: .bundleIdentifier)
    try container.encodeIfPresent(id.instance?.rawValue, forKey: .instance)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(displayMode, forKey: .displayMode)
    if offersExpanded { try container.encode(offersExpanded, forKey: .offersExpanded) }
    if marginInsets != Self.usualInsets {
      try container.encode(marginInsets, forKey: .marginInsets)
    }
    try container.encodeIfPresent(path, forKey: .path)
    try container.encodeIfPresent(folderNumber, forKey: .folderNumber)
    if span != 1 { try container.encode(span, forKey: .span) }
    try container.encodeIfPresent(mark.glyph, forKey: .glyph)
    try container.encodeIfPresent(mark.tint, forKey: .tint)
    try container.encodeIfPresent(chosenSpan, forKey: .chosenSpan)
    try container.encodeIfPresent(host?.description, forKey: .host)
  }
}
