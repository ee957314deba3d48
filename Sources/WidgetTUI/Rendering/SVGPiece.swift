import WidgetKitCore

/// A part of a row that is drawn as one element.
nonisolated struct SVGPiece: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// Words, with single blanks between them.
    case text(String)
    /// The shape of one cell, or a line through several cells.
    case shape(SVGShape)
  }

  var column: Int
  var width: Int
  var style: CellStyle
  var content: Content

  /// The pieces of one row, separated by blanks and by wide glyphs, whose width depends on the font.
  static func pieces(ofRow row: Int, in canvas: Canvas) -> [SVGPiece] {
    var result: [SVGPiece] = []
    var column = 0
    var joinsText = false
    let cells = canvas.row(row)
    let bars = barColumns(of: cells[...])
    for cell in cells {
      defer { column += 1 }
      let glyph = cell.glyph
      guard glyph.width > 0 else { continue }
      guard glyph != .space || cell.style.attributes.isLineOnBlanks else {
        joinsText = false
        continue
      }
      if let block = SVGShape(glyph) {
        let shape = bars.contains(column) ? block.inBar : block
        joinsText = false
        if case .bar(1..<8) = shape, let rest = cells.dropFirst(column + 1).first,
          SVGShape(rest.glyph)?.inBar == .emptyBar
        {
          // The empty rest of the bar begins behind the end of the full part.
          result.append(
            SVGPiece(column: column, width: 1, style: rest.style, content: .shape(.emptyBar))
          )
        }
        if shape.joins, let last = result.indices.last, result[last].style == cell.style,
          result[last].content == .shape(shape),
          result[last].column + result[last].width == column
        {
          result[last].width += 1
        } else {
          result.append(
            SVGPiece(column: column, width: 1, style: cell.style, content: .shape(shape))
          )
        }
      } else if joinsText, glyph.isPlain, let last = result.indices.last,
        result[last].style == cell.style, case .text(let text) = result[last].content
      {
        result[last].content = .text(text + glyph.text)
        result[last].width += 1
      } else {
        result.append(
          SVGPiece(
            column: column,
            width: glyph.width,
            style: cell.style,
            content: .text(glyph.text)
          )
        )
        joinsText = glyph.isPlain
      }
    }
    return result
  }

  /// The columns of bars that a text has: blocks with some shade among them.
  ///
  /// They are drawn lower than their cells, so that bars below each other stay apart.
  private static func barColumns(of cells: ArraySlice<Cell>) -> Set<Int> {
    var result: Set<Int> = []
    var bar: [Int] = []
    var hasShade = false
    func endBar() {
      if hasShade { result.formUnion(bar) }
      bar = []
      hasShade = false
    }
    for (column, cell) in cells.enumerated() {
      switch SVGShape(cell.glyph) {
      case .shade?:
        bar.append(column)
        hasShade = true
      case .left?, .lower(8)?: bar.append(column)
      default: endBar()
      }
    }
    endBar()
    return result
  }
}

nonisolated extension Glyph {
  /// Whether every monospaced font has it at its usual width.
  var isPlain: Bool {
    width == 1 && text.unicodeScalars.allSatisfy { $0.value < 0x250 }
  }
}

nonisolated extension CellAttributes {
  /// Whether a blank shows a line.
  fileprivate var isLineOnBlanks: Bool { !isDisjoint(with: [.underline, .strikethrough]) }
}
