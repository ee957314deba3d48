/// A picture: the cells of its drawing when that is ready, and before that its `alt` in the same place.
final class ImageBox: LayoutBox {
  private let found: FoundImage?
  private let alt: LayoutBox?
  /// The rows that were requested.
  private let rows: Int?
  private let ready: Set<ImageDrawing>

  init(
    _ origin: Origin,
    _ found: FoundImage?,
    alt: LayoutBox?,
    rows: Int?,
    ready: Set<ImageDrawing>
  ) {
    self.found = found
    self.alt = alt
    self.rows = rows
    self.ready = ready
    super.init(origin)
  }

  override var wish: Wish {
    guard let found else {
      guard let alt else { return Wish() }
      return Wish(minimum: alt.minColumns, ideal: alt.idealColumns, least: alt.leastColumns)
    }
    let ideal = ImageDrawing.size(of: found.pixels, width: Size.limit.upperBound, rows: rows)
    return Wish(minimum: min(4, ideal.columns), ideal: ideal.columns, least: min(1, ideal.columns))
  }

  /// The size of the drawing in `width` columns.
  private func drawingSize(_ width: Int) -> Size? {
    found.map { ImageDrawing.size(of: $0.pixels, width: width, rows: rows) }
  }

  override func measureContent(_ width: Int) -> Size {
    let text = alt?.measure(width) ?? .zero
    guard let size = drawingSize(width) else {
      return Size(columns: text.columns, rows: rows ?? text.rows)
    }
    return Size(columns: size.columns, rows: rows ?? size.rows)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    if let found, !isRedacted, let size = drawingSize(rect.size.columns), !size.isEmpty {
      let drawing = ImageDrawing(number: found.number, size: size)
      picture.add(drawing)
      if ready.contains(drawing) { return draw(drawing, on: &picture, at: rect.origin, in: here) }
    }
    guard let alt else { return }
    alt.measure(rect.size.columns)
    alt.place(on: &picture, at: Rect(origin: rect.origin, size: alt.size), in: here)
  }

  private func draw(
    _ drawing: ImageDrawing,
    on picture: inout Picture,
    at origin: Position,
    in here: Surroundings
  ) {
    let columns = drawing.size.columns
    for row in 0..<drawing.size.rows {
      let start = Position(column: origin.column, row: origin.row + row)
      guard start.row >= here.clip.minRow else { continue }
      guard start.row < here.clip.maxRow else { return }
      let cells = (0..<columns).map { column in
        let place = Position(column: column, row: row)
        return Cell(glyph: Glyph(image: ImageCell(drawing, at: place)), style: style)
      }
      picture.draw(cells, at: start, in: here)
    }
  }
}
