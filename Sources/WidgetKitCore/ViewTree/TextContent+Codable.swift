extension TextContent {
  /// Reads `text` (a string or spans) and how it is laid out.
  init(_ members: ViewNode.Reader, budget: ViewBudget?) throws {
    self.init(
      spans: try TextSpan.spans(members, budget: budget),
      lineLimit: try members.extent(.lineLimit),
      truncation: try members.choice(.truncation) ?? .tail,
      alignment: try members.choice(.alignment) ?? .leading
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("text", forKey: .type)
    try TextSpan.write(spans, to: &members)
    try members.encodeIfPresent(lineLimit, forKey: .lineLimit)
    try members.encode(truncation, forKey: .truncation, unless: .tail)
    try members.encode(alignment, forKey: .alignment, unless: .leading)
  }
}

extension TextSpan: Codable {
  private enum CodingKeys: String, CodingKey {
    case text, style, link, action
  }

  /// Reads an object, or a plain string, which is a span with nothing of its own.
  public init(from decoder: any Decoder) throws {
    let members: KeyedDecodingContainer<CodingKeys>
    do {
      members = try decoder.container(keyedBy: CodingKeys.self)
    } catch is DecodingError {
      self.init(try SafeText(from: decoder))
      return
    }
    guard let text: SafeText = try members.value(.text) else {
      throw members.expected("a text", forKey: .text)
    }
    self.init(
      text,
      style: try members.value(.style) ?? .inherited,
      link: try members.string(.link),
      action: try members.string(.action)
    )
  }

  /// Writes a plain string where the span has nothing of its own.
  public func encode(to encoder: any Encoder) throws {
    guard !isPlain else {
      try text.encode(to: encoder)
      return
    }
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(text, forKey: .text)
    try members.encode(style, forKey: .style, unless: .inherited)
    try members.encodeIfPresent(link, forKey: .link)
    try members.encodeIfPresent(action, forKey: .action)
  }

  private var isPlain: Bool { style == .inherited && link == nil && action == nil }

  /// Reads the member `text`: a string, or an array of spans.
  static func spans(
    _ members: ViewNode.Reader,
    budget: ViewBudget?
  ) throws -> [TextSpan] {
    do {
      guard let text = try members.decodeIfPresent(SafeText.self, forKey: .text) else {
        throw members.expected("a text or an array of spans", forKey: .text)
      }
      return [TextSpan(text)]
    } catch let error as DecodingError {
      guard (try? members.nestedUnkeyedContainer(forKey: .text)) != nil else {
        guard try members.holds(.text) else { throw error }
        throw members.expected("a text or an array of spans", forKey: .text)
      }
      return try members.list(.text, of: "spans") { try budget?.countSpan() }
    }
  }

  /// Writes the member `text`, as a string where it can be one.
  static func write(_ spans: [TextSpan], to members: inout ViewNode.Writer) throws {
    if spans.count == 1, let span = spans.first, span.isPlain {
      try members.encode(span.text, forKey: .text)
    } else {
      try members.encode(spans, forKey: .text)
    }
  }
}

extension UnknownContent {
  /// Reads what may stand in for a type that this version does not know; whatever else the type
  /// means by `alt` and `children` counts as left out.
  init(type: String, _ members: ViewNode.Reader) throws {
    self.init(type: type)
    do {
      alt = try members.value(.alt)
    } catch is DecodingError {
      alt = nil
    }
    do {
      children = try members.list(.children, of: "nodes")
    } catch is DecodingError {
      children = []
    }
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode(type, forKey: .type)
    try members.encodeIfPresent(alt, forKey: .alt)
    try members.encode(children, forKey: .children, unless: [])
  }
}
