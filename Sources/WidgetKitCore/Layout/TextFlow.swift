/// Text as glyphs, ready to be broken into lines at any width.
struct TextFlow {
  /// All glyphs of all spans, without line breaks.
  private(set) var glyphs: [Glyph] = []
  /// For each glyph the index of the span that it came from.
  private(set) var spans: [Int32] = []
  /// The glyphs between two line breaks; at least one paragraph, perhaps empty.
  private(set) var paragraphs: [Paragraph] = []

  /// What stands between two line breaks.
  struct Paragraph {
    var range: Range<Int>
    var columns: Int
  }

  init(_ text: SafeText) {
    self.init([text])
  }

  init(_ texts: some Sequence<SafeText>) {
    var start = 0
    for (index, text) in texts.enumerated() {
      var isFirst = true
      for part in text.string.split(separator: "\n", omittingEmptySubsequences: false) {
        if !isFirst {
          close(from: start)
          start = glyphs.count
        }
        isFirst = false
        Glyph.append(glyphsOf: part, to: &glyphs)
        let added = glyphs.count - spans.count
        spans.append(contentsOf: repeatElement(Int32(clamping: index), count: added))
      }
    }
    close(from: start)
  }

  private mutating func close(from start: Int) {
    let range = start..<glyphs.count
    paragraphs.append(Paragraph(range: range, columns: columns(range)))
  }

  /// The cells that the longest paragraph takes in one line.
  var idealColumns: Int { paragraphs.reduce(0) { max($0, $1.columns) } }

  /// The cells that some of the glyphs take.
  func columns(_ range: Range<Int>) -> Int {
    var sum = 0
    for index in range { sum += glyphs[index].width }
    return sum
  }

  /// The characters of a line.
  func string(_ line: TextLine, ellipsis: String = "…") -> String {
    glyphs[line.head].map(\.text).joined() + (line.isCut ? ellipsis : "")
      + glyphs[line.tail].map(\.text).joined()
  }

  /// Replaces each glyph that shows something by as many copies of `block` as it has cells.
  mutating func redact(with block: Glyph) {
    var redacted: [Glyph] = []
    var newSpans: [Int32] = []
    for index in paragraphs.indices {
      let start = redacted.count
      for glyph in paragraphs[index].range {
        let cover = glyphs[glyph] == .space ? Glyph.space : block
        for _ in 0..<glyphs[glyph].width {
          redacted.append(cover)
          newSpans.append(spans[glyph])
        }
      }
      paragraphs[index].range = start..<redacted.count
    }
    glyphs = redacted
    spans = newSpans
  }
}

/// One line of a ``TextFlow``: glyphs, where something was left out an ellipsis, and glyphs again.
struct TextLine: Hashable {
  /// Glyphs before the ellipsis, or all of them.
  var head: Range<Int>
  /// Whether an ellipsis of one cell follows `head`.
  var isCut = false
  /// Glyphs after the ellipsis.
  var tail: Range<Int> = 0..<0
  /// Cells taken, the ellipsis counted.
  var columns: Int
}
