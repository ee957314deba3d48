/// The members of an `ansi` node; its sequences are already converted to styles.
public struct AnsiContent: Hashable, Sendable {
  /// The text as spans; the only node in which line breaks separate rows without wrapping.
  public var spans: [TextSpan]

  /// Creates the content of an ansi node.
  public init(spans: [TextSpan]) {
    self.spans = spans
  }
}

extension AnsiContent: NodeContent {
  static let type = "ansi"
  var wrapped: ViewNode.Content { .ansi(self) }

  enum Member: Int, ViewMemberKey {
    case text
    static let names = listNames()
  }

  /// Reads `text` with its SGR sequences, or an array of spans unchanged.
  init(_ members: borrowing Reader) throws {
    if members[.text]?.kind == .array {
      self.init(spans: try members.list(.text, of: "spans"))
      return
    }
    guard let raw = members[.text]?.json.string else {
      throw members.expected("a text", forKey: .text)
    }
    try members.budget?.check(textBytes: raw.utf8.count)
    var parser = AnsiParser()
    self.init(spans: parser.spans(of: raw))
  }

  /// Writes SGR sequences if they can express all spans, otherwise the spans.
  func write(to members: inout Writer) throws {
    let text = spans.map { SGR.sequence(for: $0.style) + $0.text.string }.joined()
    var parser = AnsiParser()
    if parser.spans(of: text) == spans {
      try members.encode(text, forKey: .text)
    } else {
      try members.encode(spans, forKey: .text)
    }
  }

  var texts: [SafeText] { [spans.text] }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    builder.text(origin, TextContent(spans: spans), wraps: false)
  }
}

extension AnsiContent {
  /// Reads text with SGR sequences, and returns its rows; a style continues in the next row.
  ///
  /// No other sequence, and no control character, is left in the rows. An empty row is one blank.
  package static func rows(of raw: String) -> [AnsiContent] {
    var parser = AnsiParser()
    var rows = [AnsiContent(spans: [])]
    for span in parser.spans(of: raw) {
      let pieces = span.text.string.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, piece) in pieces.enumerated() {
        if index > 0 { rows.append(AnsiContent(spans: [])) }
        guard !piece.isEmpty else { continue }
        rows[rows.count - 1].spans.append(TextSpan(SafeText(String(piece)), style: span.style))
      }
    }
    return rows.map { $0.spans.isEmpty ? AnsiContent(spans: [TextSpan(" ")]) : $0 }
  }
}
