import CNcurses
import WidgetKitCore

/// Puts cells on the screen of ncurses, in the colours of a theme and the characters of the locale.
struct CellWriter {
  /// The colours that the terminal has.
  var depth: ColorDepth { pairs.depth }

  private var pairs: ColorPairs
  private let isUTF8: Bool
  private var styles: [CellStyle: (attributes: UInt32, pair: Int32)] = [:]

  /// A writer with no pairs of colours in use.
  init(_ pairs: ColorPairs, isUTF8: Bool) {
    self.pairs = pairs
    self.isUTF8 = isUTF8
  }

  /// Forgets what the styles looked like.
  mutating func themeDidChange() {
    styles.removeAll()
  }

  /// Puts the cells of a segment at their place; ``cn_refresh()`` sends them.
  mutating func put(_ segment: CanvasDiff.Segment, _ theme: Theme) {
    var column = Int32(segment.position.column)
    let row = Int32(segment.position.row)
    for cell in segment.cells {
      defer { column += 1 }
      guard cell.glyph.width > 0 else { continue }
      let look = look(cell.style, theme)
      if isUTF8, UnknownGlyphs.contains(cell.glyph) {
        unsafe cn_put(row, column, [UnknownGlyphs.standIn, 0], look.attributes, look.pair)
        if cell.glyph.width == 2 {
          unsafe cn_put(row, column + 1, [0x20, 0], look.attributes, look.pair)
        }
        continue
      }
      unsafe cn_put(row, column, codePoints(cell.glyph), look.attributes, look.pair)
      if !isUTF8, cell.glyph.width == 2 {
        unsafe cn_put(row, column + 1, [0x3F, 0], look.attributes, look.pair)
      }
    }
  }

  /// The code points of a glyph and a 0; without UTF-8, a question mark if it is not ASCII.
  private func codePoints(_ glyph: Glyph) -> [UInt32] {
    // A cell of a picture that is not drawn any more.
    guard glyph.image == nil else { return [0x20, 0] }
    guard isUTF8 || glyph.codePoints.allSatisfy({ $0 < 0x80 }) else {
      let base = Unicode.Scalar(glyph.base)
      return [(base.map { ASCIIText.character(like: $0) } ?? "?").value, 0]
    }
    return glyph.codePoints + [0]
  }

  private mutating func look(_ style: CellStyle, _ theme: Theme) -> (
    attributes: UInt32, pair: Int32
  ) {
    if let known = styles[style] { return known }
    let resolved = theme.resolve(style)
    let look = (cn_attributes(resolved.attributes.rawValue), pairs.number(for: resolved))
    // Widgets may send any colours: the table is cleared before it gets large.
    if styles.count >= 4_096 { styles.removeAll() }
    styles[style] = look
    return look
  }
}
