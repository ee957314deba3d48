import CNcurses
import WidgetKitCore

/// Puts cells on the screen of ncurses, in the colours of a theme and the characters of the locale.
struct CellWriter {
  /// The colours that the terminal has.
  var depth: ColorDepth { pairs.depth }

  private var pairs: ColorPairs
  private let isUTF8: Bool
  private var styles: [CellStyle: (attributes: UInt32, pair: Int32)] = [:]
  /// The style of the last cell and what it looks like, as neighbours mostly have the same.
  private var last: (style: CellStyle, look: (attributes: UInt32, pair: Int32))?
  /// Characters beside each other that are put together, and the column of the first one.
  private var run: [cn_cell] = []
  private var runStart = 0

  /// A writer with no pairs of colours in use.
  init(_ pairs: ColorPairs, isUTF8: Bool) {
    self.pairs = pairs
    self.isUTF8 = isUTF8
  }

  /// Forgets what the styles looked like.
  mutating func themeDidChange() {
    styles.removeAll()
    last = nil
  }

  /// Puts the cells of a segment at their place; ``cn_refresh()`` sends them.
  mutating func put(_ segment: CanvasDiff.Segment, _ theme: Theme) {
    var column = segment.position.column
    let row = segment.position.row
    for cell in segment.cells {
      defer { column += 1 }
      guard cell.glyph.width > 0 else { continue }
      let look = look(cell.style, theme)
      if isPlain(cell.glyph) {
        if run.isEmpty { runStart = column }
        run.append(
          cn_cell(character: cell.glyph.base, attributes: look.attributes, pair: look.pair)
        )
        if run.count == Int(CN_RUN_LIMIT) { putRun(in: row) }
      } else {
        putRun(in: row)
        put(cell.glyph, look, at: Position(column: column, row: row))
      }
    }
    putRun(in: row)
  }

  /// Whether a glyph is one character that ncurses draws as it is.
  private func isPlain(_ glyph: Glyph) -> Bool {
    guard !glyph.hasMarks, glyph.image == nil else { return false }
    return glyph.base < 0x80 || isUTF8 && !UnknownGlyphs.contains(glyph)
  }

  private mutating func putRun(in row: Int) {
    guard !run.isEmpty else { return }
    unsafe cn_put_run(Int32(row), Int32(runStart), run, Int32(run.count))
    run.removeAll(keepingCapacity: true)
  }

  private func put(_ glyph: Glyph, _ look: (attributes: UInt32, pair: Int32), at place: Position) {
    let (row, column) = (Int32(place.row), Int32(place.column))
    func put(_ text: [UInt32], at column: Int32) {
      unsafe cn_put(row, column, text, look.attributes, look.pair)
    }
    if isUTF8, UnknownGlyphs.contains(glyph) {
      put([UnknownGlyphs.standIn, 0], at: column)
      if glyph.width == 2 { put([0x20, 0], at: column + 1) }
    } else {
      put(codePoints(glyph), at: column)
      if !isUTF8, glyph.width == 2 { put([0x3F, 0], at: column + 1) }
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
    if let last, last.style == style { return last.look }
    let look = knownLook(style, theme)
    last = (style, look)
    return look
  }

  private mutating func knownLook(_ style: CellStyle, _ theme: Theme) -> (
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
