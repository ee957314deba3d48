/// A text that begins with a number, whose digits are two rows of half blocks; the rest follows in the lower row.
///
/// ```
/// ▀█ ▀▀█
/// █▄ ▄▄█ °C
/// ```
final class LargeTextBox: LayoutBox {
  /// The characters of the digits, upper and lower row.
  private let digits: [LargeDigit]
  private let alignment: Alignment
  /// What follows the digits, and its style.
  private let rest: TextFlow
  private let restStyle: CellStyle
  private let digitStyle: CellStyle
  /// The same text in one row, where there is no room.
  private let plain: LayoutBox

  /// Creates a box; nil if the text does not begin with a number.
  init?(_ origin: Origin, _ content: TextContent, _ builder: BoxBuilder) {
    let text = content.spans.text.string
    let number = text.prefix { LargeDigit($0) != nil }
    guard number.contains(where: \.isWholeNumber), number.count <= Self.digitLimit else {
      return nil
    }
    digits = number.compactMap { LargeDigit($0) }
    alignment = content.alignment
    digitStyle = content.spans.first.map { origin.style.applying($0.style) } ?? origin.style
    restStyle = content.spans.last.map { origin.style.applying($0.style) } ?? origin.style
    rest = builder.flow([TextSpan(SafeText(String(text.dropFirst(number.count))))], origin)
    plain = builder.text(origin, content)
    super.init(origin)
  }

  /// A longer number is for reading, not for looking at.
  private static let digitLimit = 12

  private var columns: Int {
    digits.reduce(0) { $0 + $1.columns } + max(0, digits.count - 1) + rest.idealColumns
  }

  override var wish: Wish {
    Wish(minimum: plain.minColumns, ideal: columns, least: 1, grows: alignment != .leading)
  }

  override var isPlacedText: Bool { alignment != .leading }

  private func isLarge(_ width: Int) -> Bool { columns <= width }

  override func measureContent(_ width: Int) -> Size {
    guard isLarge(width) else { return plain.measure(width) }
    return Size(columns: columns, rows: 2)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    guard isLarge(rect.size.columns), rect.size.rows > 1 else {
      _ = plain.measure(rect.size.columns)
      plain.place(on: &picture, at: rect, in: here)
      return
    }
    var place = rect.origin
    place.column += alignment.offset(of: columns, in: rect.size.columns)
    for row in 0..<2 {
      let glyphs = digits.enumerated().flatMap { index, digit in
        (index > 0 ? [Glyph.space] : []) + digit.rows[row]
      }
      let start = Position(column: place.column, row: place.row + row)
      picture.draw(Cell.cells(glyphs, digitStyle), at: start, in: here)
    }
    place.column += columns - rest.idealColumns
    place.row += 1
    if let words = rest.words(in: rest.idealColumns, restStyle, picture.glyphs) {
      picture.draw(words, at: place, in: here)
    }
  }
}

/// A digit, or a sign in a number, as two rows of half blocks.
struct LargeDigit {
  /// The glyphs of the upper and of the lower row.
  let rows: [[Glyph]]

  var columns: Int { rows[0].count }

  /// Creates it; nil for a character that has no such form.
  init?(_ character: Character) {
    guard let rows = Self.forms[character] else { return nil }
    self.rows = rows
  }

  private static let forms: [Character: [[Glyph]]] = [
    "0": ("█▀█", "█▄█"), "1": ("▀█ ", "▄█▄"), "2": ("▀▀█", "█▄▄"), "3": ("▀██", "▄▄█"),
    "4": ("█ █", "▀▀█"), "5": ("█▀▀", "▄▄█"), "6": ("█▄▄", "█▄█"), "7": ("▀▀█", "  █"),
    "8": ("███", "█▄█"), "9": ("█▀█", "▀▀█"), ".": (" ", "▄"), ",": (" ", "█"),
    ":": ("▄", "▄"), "-": ("▄▄", "  "), "−": ("▄▄", "  "), "+": ("▄█▄", " ▀ "),
  ].mapValues { [Glyph.glyphs(of: $0.0), Glyph.glyphs(of: $0.1)] }
}
