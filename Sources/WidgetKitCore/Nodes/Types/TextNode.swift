/// How high a text is.
public enum TextSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// One row for each line.
  case regular
  /// Two rows of half blocks for the number at the beginning, where there is room.
  case large
}

/// The members of a `text` node.
public struct TextContent: Hashable, Sendable {
  /// The text, in order.
  public var spans: [TextSpan]
  /// At most this many rows; nil for as many as it needs.
  public var lineLimit: Int?
  /// Which part of the last line is omitted if it is too long.
  public var truncation: Truncation
  /// The alignment of lines in the frame.
  public var alignment: Alignment
  /// How high it is: large for the one number that a card has to say.
  public var size = TextSize.regular

  /// Creates the content of a text node.
  public init(
    spans: [TextSpan],
    lineLimit: Int? = nil,
    truncation: Truncation = .tail,
    alignment: Alignment = .leading
  ) {
    self.spans = spans
    self.lineLimit = lineLimit
    self.truncation = truncation
    self.alignment = alignment
  }
}

extension TextContent: NodeContent {
  static let type = "text"
  var wrapped: ViewNode.Content { .text(self) }

  enum Member: Int, ViewMemberKey {
    case text, lineLimit, truncation, alignment, size
    static let names = listNames()
  }

  /// Reads `text` (a string or spans) and the members for its layout.
  init(_ members: borrowing Reader) throws {
    self.init(
      spans: try Self.spans(members),
      lineLimit: try members.extent(.lineLimit),
      truncation: try members.choice(.truncation) ?? .tail,
      alignment: try members.choice(.alignment) ?? .leading
    )
    size = try members.choice(.size) ?? .regular
  }

  func write(to members: inout Writer) throws {
    if spans.count == 1, let span = spans.first, span.isPlain {
      try members.encode(span.text, forKey: .text)
    } else {
      try members.encode(spans, forKey: .text)
    }
    try members.encodeIfPresent(lineLimit, forKey: .lineLimit)
    try members.encode(truncation, forKey: .truncation, unless: .tail)
    try members.encode(alignment, forKey: .alignment, unless: .leading)
    try members.encode(size, forKey: .size, unless: .regular)
  }

  /// Reads the member `text`: a string, or an array of spans.
  private static func spans(_ members: borrowing Reader) throws -> [TextSpan] {
    if members[.text]?.kind == .array {
      return try members.list(.text, of: "spans") { try members.budget?.countSpan() }
    }
    guard let text = try members[.text]?.text() else {
      throw members.expected("a text or an array of spans", forKey: .text)
    }
    return [TextSpan(text)]
  }

  var texts: [SafeText] { [spans.text] }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    let isLarge = size == .large && builder.environment.glyphs != .ascii && !origin.isRedacted
    let plain = origin.container == .layers || !isLarge
    return (plain ? nil : LargeTextBox(origin, self, builder)) ?? builder.text(origin, self)
  }
}
