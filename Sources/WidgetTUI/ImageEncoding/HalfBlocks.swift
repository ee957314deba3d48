import WidgetCards
import WidgetKitCore

/// A picture of pixels in half cells, which is shown instead of it while it moves.
nonisolated enum HalfBlocks {
  private static let upper = Glyph.glyphs(of: "▀").first ?? .space

  /// The cell of a picture, in the mean colours of its halves.
  static func cell(
    _ cell: ImageCell,
    of pixels: ImagePixels,
    in size: CellPixels,
    _ style: CellStyle,
    _ shade: ImageShade? = nil
  ) -> Cell {
    let frame = PixelFrame(pixels, of: cell.drawing, size, shade)
    let (left, top) = (cell.place.column * size.width, cell.place.row * size.height)
    let middle = top + size.height / 2
    let colors = [(top, middle), (middle, top + size.height)].map { from, to in
      mean(frame, left..<left + size.width, from..<to)
    }
    return Cell(
      glyph: upper,
      style: CellStyle(
        foreground: colors[0] ?? style.background ?? .indexed(0),
        background: colors[1] ?? style.background,
        // Otherwise the terminal would do again what the shade has done.
        attributes: shade == nil ? style.attributes : []
      )
    )
  }

  /// The mean colour of an area; nil if most of it is transparent.
  private static func mean(_ frame: PixelFrame, _ columns: Range<Int>, _ rows: Range<Int>) -> Color?
  {
    var sums = (red: 0, green: 0, blue: 0)
    var (count, opaque) = (0, 0)
    // Every other pixel is enough.
    for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
      for column in stride(from: columns.lowerBound, to: columns.upperBound, by: 2) {
        count += 1
        guard let color = frame.color(column, row) else { continue }
        opaque += 1
        sums.red += Int(color.red)
        sums.green += Int(color.green)
        sums.blue += Int(color.blue)
      }
    }
    guard opaque * 2 > count else { return nil }
    return .rgb(
      red: UInt8(clamping: sums.red / opaque),
      green: UInt8(clamping: sums.green / opaque),
      blue: UInt8(clamping: sums.blue / opaque)
    )
  }
}

/// A picture in the middle of the pixels of its cells.
nonisolated struct PixelFrame {
  private let pixels: ImagePixels
  private let left: Int
  private let top: Int
  private let shade: ImageShade?

  init(
    _ pixels: ImagePixels,
    of drawing: ImageDrawing,
    _ size: CellPixels,
    _ shade: ImageShade? = nil
  ) {
    self.pixels = pixels
    self.shade = shade
    left = (drawing.size.columns * size.width - pixels.width) / 2
    top = (drawing.size.rows * size.height - pixels.height) / 2
  }

  /// The colour of a pixel; nil where there is none, or a transparent one.
  func color(_ column: Int, _ row: Int) -> RGB? {
    let (column, row) = (column - left, row - top)
    guard column >= 0, column < pixels.width, row >= 0, row < pixels.height else { return nil }
    let place = (row * pixels.width + column) * 4
    guard pixels.bytes[place + 3] >= 128 else { return nil }
    let color = RGB(
      red: pixels.bytes[place],
      green: pixels.bytes[place + 1],
      blue: pixels.bytes[place + 2]
    )
    return shade?.color(color) ?? color
  }
}
