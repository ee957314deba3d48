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
