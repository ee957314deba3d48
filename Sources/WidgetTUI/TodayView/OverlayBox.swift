import WidgetKitCore

/// A box over the middle of a dimmed page, with a title on its border.
nonisolated enum OverlayBox {
  /// Clears the box and draws its border.
  ///
  /// - Parameters:
  ///   - title: The title on the border.
  ///   - size: Columns and rows of the contents; reduced to what fits.
  ///   - glyphs: The characters of the border.
  ///   - isPageDimmed: Whether the page around it is dimmed.
  ///   - canvas: The page.
  /// - Returns: The inside, with a blank column on both sides.
  static func draw(
    _ title: TextLine,
    size: Size,
    glyphs: FrameGlyphs,
    isPageDimmed: Bool = true,
    on canvas: inout Canvas
  ) -> Rect {
    let width = min(size.columns + 6, canvas.size.columns)
    let height = min(size.rows + 2, canvas.size.rows)
    let box = Rect(
      column: (canvas.size.columns - width) / 2,
      row: (canvas.size.rows - height) / 2,
      columns: width,
      rows: height
    )
    if isPageDimmed { canvas.restyle(canvas.bounds) { $0.attributes.insert(.dim) } }
    canvas.fill(box, style: .plain, in: canvas.bounds)
    let hasBorder = width >= 16 && height >= 5
    if hasBorder {
      canvas.drawBox(box, glyphs, style: CellStyle(foreground: .accent), in: canvas.bounds)
      canvas.write(
        title,
        style: CellStyle(foreground: .label, attributes: .bold),
        at: Position(column: box.minColumn + 1, row: box.minRow),
        in: box
      )
    }
    let inset = hasBorder ? 1 : 0
    return Rect(
      column: box.minColumn + 2 * inset,
      row: box.minRow + inset,
      columns: max(0, width - 4 * inset),
      rows: max(0, height - 2 * inset)
    )
  }
}
