/// Text as glyphs, ready to be broken into lines at any width.
struct TextFlow {
  /// All glyphs of all spans, without line breaks.
  private(set) var glyphs: [Glyph] = []
  /// The first glyph of each span but the first one.
  ///
  /// This list and the next are empty for most texts, which have one span and one paragraph.
  private var spanStarts: [Int] = []
  /// The paragraphs before the last one.
  private var earlier: [Paragraph] = []
  /// The last paragraph.
  private var last = Paragraph(range: 0..<0, columns: 0)

  /// The text between two line breaks.
  struct Paragraph {
    var range: Range<Int>
    var columns: Int
  }

  init(_ text: SafeText) {
    append(text)
    endParagraph()
  }

  init(_ spans: [TextSpan]) {
    for (index, span) in spans.enumerated() {
      if index > 0 { spanStarts.append(glyphs.count) }
      append(span.text)
    }
    endParagraph()
  }

  private mutating func append(_ text: SafeText) {
    var string = text.string
    // Reserving exactly this many again and again would copy the whole array for each span.
    if glyphs.isEmpty { glyphs.reserveCapacity(string.utf8.count) }
    let isASCII = string.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      Glyph.ascii.withUnsafeBufferPointer { ascii in
        for byte in bytes {
          if byte == 0x0A { startParagraph() } else { glyphs.append(ascii[Int(byte)]) }
        }
      }
      return true
    }
    guard !isASCII else { return }
    var cluster = Glyph.Cluster()
    for scalar in string.unicodeScalars {
      if scalar == "\n" {
        cluster.close(into: &glyphs)
        startParagraph()
      } else {
        cluster.add(scalar, to: &glyphs)
      }
    }
    cluster.close(into: &glyphs)
  }

  private mutating func startParagraph() {
    endParagraph()
    earlier.append(last)
    last = Paragraph(range: glyphs.count..<glyphs.count, columns: 0)
  }

  /// Ends the last paragraph at the last glyph.
  private mutating func endParagraph() {
    let range = last.range.lowerBound..<glyphs.count
    last = Paragraph(range: range, columns: columns(range))
  }

  /// The glyphs between two line breaks; at least one paragraph, perhaps empty.
  var paragraphs: [Paragraph] { earlier + [last] }

  /// How many paragraphs there are.
  var paragraphCount: Int { earlier.count + 1 }

  /// Returns a paragraph, counted from 0.
  func paragraph(_ index: Int) -> Paragraph {
    index < earlier.count ? earlier[index] : last
  }

  /// The index of the span that a glyph came from.
  ///
  /// - Complexity: logarithmic in the number of spans.
  func span(of glyph: Int) -> Int {
    var (low, high) = (0, spanStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if spanStarts[middle] <= glyph { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index after the last glyph of a span.
  func end(ofSpan span: Int) -> Int {
    span < spanStarts.count ? spanStarts[span] : glyphs.count
  }

  /// The width in cells of the longest paragraph in one line.
  var idealColumns: Int { earlier.reduce(last.columns) { max($0, $1.columns) } }

  /// Returns the width of a range of glyphs in cells.
  func columns(_ range: Range<Int>) -> Int {
    var sum = 0
    for index in range { sum += glyphs[index].width }
    return sum
  }

  /// Returns the width of one glyph in cells.
  func width(_ index: Int) -> Int { glyphs[index].width }

  /// Whether a glyph is a space.
  func isSpace(_ index: Int) -> Bool { glyphs[index] == .space }

  /// Returns the characters of a line.
  func string(_ line: FlowLine, ellipsis: String = "…") -> String {
    glyphs[line.head].map(\.text).joined() + (line.isCut ? ellipsis : "")
      + glyphs[line.tail].map(\.text).joined()
  }

  /// Replaces each visible glyph by as many copies of `block` as it has cells.
  mutating func redact(with block: Glyph) {
    var redacted: [Glyph] = []
    var newStarts = spanStarts
    var span = 0
    func cover(_ paragraph: inout Paragraph) {
      let start = redacted.count
      for glyph in paragraph.range {
        while span < newStarts.count, spanStarts[span] <= glyph {
          newStarts[span] = redacted.count
          span += 1
        }
        let cover = glyphs[glyph] == .space ? Glyph.space : block
        for _ in 0..<glyphs[glyph].width { redacted.append(cover) }
      }
      paragraph.range = start..<redacted.count
    }
    var covered = earlier
    for index in covered.indices { cover(&covered[index]) }
    var end = last
    cover(&end)
    for rest in span..<newStarts.count { newStarts[rest] = redacted.count }
    (earlier, last, glyphs, spanStarts) = (covered, end, redacted, newStarts)
  }
}

/// One line of a ``TextFlow``: glyphs, then, if something was omitted, an ellipsis and further glyphs.
struct FlowLine: Hashable {
  /// Glyphs before the ellipsis, or all of them.
  var head: Range<Int>
  /// Whether an ellipsis of one cell follows `head`.
  var isCut = false
  /// Glyphs after the ellipsis.
  var tail: Range<Int> = 0..<0
  /// The width in cells, including the ellipsis.
  var columns: Int
}
