/// A picture at one size: what is drawn in the cells of an `image`.
package struct ImageDrawing: Hashable, Sendable {
  /// The number of the picture, which the host gives; the same content has the same number.
  package var number: Int
  /// The size in cells.
  package var size: Size

  /// Creates a drawing.
  package init(number: Int, size: Size) {
    self.number = number
    self.size = size
  }

  /// The largest size, in which the place of a cell can still be told to every terminal.
  package static let largest = Size(columns: 256, rows: 100)

  /// The size of a picture in cells that are twice as high as wide.
  ///
  /// A picture is not enlarged beyond 8 × 16 pixels for each cell, unless rows are requested.
  ///
  /// - Parameters:
  ///   - pixels: The columns and rows of its pixels, from 1.
  ///   - width: The columns that are available.
  ///   - rows: The rows that are requested; nil if the height follows from the width.
  /// - Returns: The size; at least one cell, if there is room for one.
  package static func size(of pixels: Size, width: Int, rows: Int?) -> Size {
    let available = min(width, largest.columns)
    guard available > 0, rows ?? 1 > 0 else { return .zero }
    // In cells as high as wide, so that the ratio of the pixels is that of the cells.
    let ratio = Double(max(1, pixels.columns)) / Double(max(1, pixels.rows)) * 2
    let most = Double(min(rows ?? defaultRows, largest.rows))
    var columns = Double(available)
    if rows == nil { columns = min(columns, (Double(pixels.columns) / 8).rounded(.up)) }
    columns = min(columns, max(1, (most * ratio).rounded()))
    let height = min(max(1, (columns / ratio).rounded()), most)
    return Size(columns: Int(saturated: columns), rows: Int(saturated: height))
  }

  /// The most rows of a picture without a requested height.
  private static let defaultRows = 40
}

/// A cell of a drawing, in place of a character.
package struct ImageCell: Hashable, Sendable {
  /// The drawing.
  package var drawing: ImageDrawing
  /// The place in it.
  package var place: Position

  /// Creates a cell.
  package init(_ drawing: ImageDrawing, at place: Position) {
    self.drawing = drawing
    self.place = place
  }
}
