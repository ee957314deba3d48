/// Flexible space along a stack.
final class SpacerBox: LayoutBox {
  private let minLength: Int

  init(_ origin: Origin, minLength: Int) {
    self.minLength = minLength
    super.init(origin)
  }

  override var isSpacer: Bool { true }

  override var wish: Wish {
    let columns = container == .row ? minLength : 0
    return Wish(
      minimum: columns,
      ideal: columns,
      grows: container != .column,
      growsRows: container != .row
    )
  }

  override func measureContent(_ width: Int) -> Size {
    Size(
      columns: container == .row ? width : 0,
      rows: container == .column ? minLength : 0
    )
  }
}

/// A horizontal line, or a vertical one over the height of a row.
final class DividerBox: LayoutBox {
  override var isVerticalDivider: Bool { container == .row }

  override var wish: Wish {
    Wish(minimum: 1, ideal: 1, least: 1, grows: container != .row)
  }

  override func measureContent(_ width: Int) -> Size {
    Size(columns: min(1, width), rows: 1)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var style = style
    style.foreground = node.style.foreground ?? .separator
    let isVertical = isVerticalDivider
    let isASCII = picture.glyphs == .ascii
    let glyph = Glyph(
      isASCII ? (isVertical ? "|" : "-") : (isVertical ? "│" : "─"),
      width: 1
    )
    let columns = isVertical ? 1 : here.clip.maxColumn - rect.minColumn
    let cells = Array(repeating: Cell(glyph: glyph, style: style), count: max(0, columns))
    let rows = isVertical ? here.clip.minRow..<here.clip.maxRow : rect.minRow..<(rect.minRow + 1)
    for row in rows {
      picture.draw(cells, at: Position(column: rect.minColumn, row: row), in: here)
    }
  }
}
