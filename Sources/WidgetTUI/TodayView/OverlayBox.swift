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
    let box = box(for: size, on: canvas.size)
    if isPageDimmed { canvas.restyle(canvas.bounds) { $0.attributes.insert(.dim) } }
    canvas.fill(box, style: .plain, in: canvas.bounds)
    if hasBorder(box) {
      canvas.drawBox(box, glyphs, style: CellStyle(foreground: .accent), in: canvas.bounds)
      canvas.write(
        title.truncated(to: box.size.columns - 2, glyphs),
        style: CellStyle(foreground: .label, attributes: .bold),
        at: Position(column: box.minColumn + 1, row: box.minRow),
        in: box
      )
    }
    return inside(of: size, on: canvas.size)
  }

  /// Says on the lower border how many lines are below those that are shown, or else above.
  static func drawHidden(
    above: Int,
    below: Int,
    _ inside: Rect,
    _ glyphs: FrameGlyphs,
    on canvas: inout Canvas
  ) {
    guard below > 0 || above > 0 else { return }
    let words = TextLine(
      below > 0 ? " \(glyphs.below) \(below) more " : " \(glyphs.above) \(above) more "
    )
    let place = Position(column: inside.maxColumn - words.width, row: inside.maxRow)
    canvas.write(words, style: CellStyle(foreground: .secondary), at: place, in: canvas.bounds)
  }

  /// The columns of the widest contents that are not cut on a screen.
  static func columns(on screen: Size) -> Int {
    inside(of: screen, on: screen).size.columns
  }

  /// The inside of a box with room for contents of a size, on a screen.
  static func inside(of size: Size, on screen: Size) -> Rect {
    let box = box(for: size, on: screen)
    let inset = hasBorder(box) ? 1 : 0
    return Rect(
      column: box.minColumn + 2 * inset,
      row: box.minRow + inset,
      columns: max(0, box.size.columns - 4 * inset),
      rows: max(0, box.size.rows - 2 * inset)
    )
  }

  private static func box(for size: Size, on screen: Size) -> Rect {
    let width = min(size.columns + 6, screen.columns)
    let height = min(size.rows + 2, screen.rows)
    return Rect(
      column: (screen.columns - width) / 2,
      row: (screen.rows - height) / 2,
      columns: width,
      rows: height
    )
  }

  private static func hasBorder(_ box: Rect) -> Bool {
    box.size.columns >= 16 && box.size.rows >= 5
  }
}
