/// Text as glyphs, ready to be broken into lines at any width.
struct TextFlow {
  /// All glyphs of all spans, without line breaks.
  private(set) var glyphs: [Glyph] = []
  /// The width of each glyph in cells, or ``space`` for a space of one cell.
  ///
  /// Breaking lines reads each width a few times; with one byte each, that takes a tenth of the time.
  private(set) var widths: [UInt8] = []
  /// The value in ``widths`` for a space, which is one cell wide.
  static let space: UInt8 = 0x11
  /// The first glyph of each span, and at the end the number of glyphs.
  private var spanStarts: [Int] = [0]
  /// The glyphs between two line breaks; at least one paragraph, perhaps empty.
  private(set) var paragraphs: [Paragraph] = []

  /// The text between two line breaks.
  struct Paragraph {
    var range: Range<Int>
    var columns: Int
  }

  init(_ text: SafeText) {
    self.init([text])
  }

  init(_ texts: some Sequence<SafeText>) {
    var start = 0
    for text in texts {
      let string = text.string
      // Reserving exactly this many again and again would copy the whole array for each span.
      if glyphs.isEmpty { glyphs.reserveCapacity(string.utf8.count) }
      if string.utf8.allSatisfy({ $0 < 0x80 }) {
        let ascii = Glyph.ascii
        for byte in string.utf8 {
          if byte == UInt8(ascii: "\n") {
            endParagraph(&start)
          } else {
            glyphs.append(ascii[Int(byte)])
          }
        }
      } else {
        var cluster = Glyph.Cluster()
        for scalar in string.unicodeScalars {
          if scalar == "\n" {
            cluster.close(into: &glyphs)
            endParagraph(&start)
          } else {
            cluster.add(scalar, to: &glyphs)
          }
        }
        cluster.close(into: &glyphs)
      }
      spanStarts.append(glyphs.count)
    }
    close(from: start)
  }

  private mutating func endParagraph(_ start: inout Int) {
    close(from: start)
    start = glyphs.count
  }

  /// The index of the span that a glyph came from.
  ///
  /// - Complexity: logarithmic in the number of spans.
  func span(of glyph: Int) -> Int {
    var (low, high) = (0, spanStarts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if spanStarts[middle] <= glyph { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the entry of a glyph in ``widths``.
  private static func width(_ glyph: Glyph) -> UInt8 {
    glyph == .space ? Self.space : UInt8(clamping: glyph.width)
  }

  private mutating func close(from start: Int) {
    let range = start..<glyphs.count
    widths += glyphs[range].lazy.map(Self.width)
    paragraphs.append(Paragraph(range: range, columns: columns(range)))
  }

  /// The width in cells of the longest paragraph in one line.
  var idealColumns: Int { paragraphs.reduce(0) { max($0, $1.columns) } }

  /// Returns the width of a range of glyphs in cells.
  func columns(_ range: Range<Int>) -> Int {
    var sum = 0
    for index in range { sum += width(index) }
    return sum
  }

  /// Returns the width of one glyph in cells.
  func width(_ index: Int) -> Int { Int(widths[index] & 0x0F) }

  /// Whether a glyph is a space.
  func isSpace(_ index: Int) -> Bool { widths[index] == Self.space }

  /// Returns the characters of a line.
  func string(_ line: TextLine, ellipsis: String = "…") -> String {
    glyphs[line.head].map(\.text).joined() + (line.isCut ? ellipsis : "")
      + glyphs[line.tail].map(\.text).joined()
  }

  /// Replaces each visible glyph by as many copies of `block` as it has cells.
  mutating func redact(with block: Glyph) {
    var redacted: [Glyph] = []
    var newStarts = spanStarts
    var span = 0
    for index in paragraphs.indices {
      let start = redacted.count
      for glyph in paragraphs[index].range {
        while span < newStarts.count - 1, spanStarts[span] <= glyph {
          newStarts[span] = redacted.count
          span += 1
        }
        let cover = glyphs[glyph] == .space ? Glyph.space : block
        for _ in 0..<glyphs[glyph].width {
          redacted.append(cover)
        }
      }
      paragraphs[index].range = start..<redacted.count
    }
    glyphs = redacted
    for rest in span..<newStarts.count { newStarts[rest] = redacted.count }
    spanStarts = newStarts
    widths = redacted.map(Self.width)
  }
}

/// One line of a ``TextFlow``: glyphs, then, if something was omitted, an ellipsis and further glyphs.
struct TextLine: Hashable {
  /// Glyphs before the ellipsis, or all of them.
  var head: Range<Int>
  /// Whether an ellipsis of one cell follows `head`.
  var isCut = false
  /// Glyphs after the ellipsis.
  var tail: Range<Int> = 0..<0
  /// The width in cells, including the ellipsis.
  var columns: Int
}
