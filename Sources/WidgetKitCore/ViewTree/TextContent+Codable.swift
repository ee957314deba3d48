extension TextContent {
  /// Reads `text` (a string or spans) and the members for its layout.
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      spans: try TextSpan.spans(members),
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
  private enum CodingKeys: Int, ViewMemberKey {
    case text, style, link, action

    static let names = listNames()
  }

  /// Reads an object, or a plain string, which is a span without a style or a press target.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  /// Writes a plain string if the span has no style and no press target.
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
  static func spans(_ members: borrowing ViewNode.Reader) throws -> [TextSpan] {
    if members[.text]?.kind == .array {
      return try members.list(.text, of: "spans") { try members.budget?.countSpan() }
    }
    guard let text = try members[.text]?.text() else {
      throw members.expected("a text or an array of spans", forKey: .text)
    }
    return [TextSpan(text)]
  }

  /// Writes the member `text`, as a string if possible.
  static func write(_ spans: [TextSpan], to members: inout ViewNode.Writer) throws {
    if spans.count == 1, let span = spans.first, span.isPlain {
      try members.encode(span.text, forKey: .text)
    } else {
      try members.encode(spans, forKey: .text)
    }
  }
}

extension TextSpan: ViewReadable {
  init(_ source: ViewSource) throws {
    guard let members = source.members(CodingKeys.self) else {
      self.init(try SafeText(source))
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
}

extension UnknownContent {
  /// Reads the replacement for an unknown type; if `alt` or `children` have another form in that type,
  /// they are ignored.
  init(type: String, _ members: borrowing ViewNode.Reader) throws {
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
