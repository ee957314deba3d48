import WidgetKitCore

/// Neighbouring cells with one style.
nonisolated struct StyledText: Hashable, Sendable {
  /// The first column.
  var column: Int
  /// Cells taken.
  var width: Int
  var text: String
  var style: CellStyle
}

nonisolated extension Canvas {
  /// The row, split where the style changes; without invisible trailing blanks, unless they are
  /// painted with a background.
  func styledText(inRow row: Int, isPainted: Bool = false) -> [StyledText] {
    let cells = self.row(row)
    guard
      let last = cells.lastIndex(where: {
        isPainted || $0.glyph != .space || $0.style.background != nil
          || $0.style.attributes.isVisibleOnBlanks
      })
    else { return [] }
    var result: [StyledText] = []
    var column = 0
    for cell in cells[...last] {
      if cell.glyph.width == 0, let end = result.indices.last {
        result[end].width += 1
      } else if let end = result.indices.last, result[end].style == cell.style {
        result[end].text += cell.glyph.text
        result[end].width += 1
      } else {
        result.append(
          StyledText(column: column, width: 1, text: cell.glyph.text, style: cell.style)
        )
      }
      column += 1
    }
    return result
  }
}

nonisolated extension CellAttributes {
  /// Whether a blank with these attributes is visible.
  var isVisibleOnBlanks: Bool { !isDisjoint(with: [.reverse, .underline, .strikethrough]) }
}
