import WidgetCards
import WidgetKitCore

/// Pictures as sixels: whole cells of them, drawn again wherever they move.
struct SixelImages {
  /// The sequences that draw parts of pictures; the cursor stays as ncurses knows it.
  ///
  /// - Parameters:
  ///   - pieces: The parts.
  ///   - images: The pictures that are drawn.
  ///   - cell: The pixels of a cell.
  ///   - theme: The colours.
  ///   - rows: The rows of the screen; a picture in the last one would scroll it.
  /// - Returns: The bytes; empty if there is nothing to draw.
  func bytes(
    _ pieces: [ImagePiece],
    _ images: DrawnImages,
    _ cell: CellPixels,
    _ theme: Theme,
    rows: Int
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      guard case .pixels(let pixels)? = images[piece.drawing] else { continue }
      var area = piece.area
      area.size.rows = min(area.size.rows, rows - 1 - area.minRow)
      guard !area.size.isEmpty else { continue }
      bytes += erasure(of: area, theme)
      bytes += Array("\u{1B}[\(area.minRow + 1);\(area.minColumn + 1)H".utf8)
      let shade = ImageShade(piece.tone, theme)
      let frame = PixelFrame(pixels, of: piece.drawing, cell, shade)
      let start = (column: piece.start.column * cell.width, row: piece.start.row * cell.height)
      bytes += Sixel.sequence(
        width: area.size.columns * cell.width,
        height: area.size.rows * cell.height
      ) { frame.color(start.column + $0, start.row + $1) }
    }
    guard !bytes.isEmpty else { return [] }
    return Array("\u{1B}7".utf8) + bytes + Array("\u{1B}[0m\u{1B}8".utf8)
  }

  /// Blanks, which remove what another picture has left.
  private func erasure(of area: Rect, _ theme: Theme) -> [UInt8] {
    let style = (["0"] + theme.resolve(.plain).sgr).joined(separator: ";")
    let blanks = String(repeating: " ", count: area.size.columns)
    return (area.minRow..<area.maxRow).flatMap { row in
      Array("\u{1B}[\(row + 1);\(area.minColumn + 1)H\u{1B}[\(style)m\(blanks)".utf8)
    }
  }
}
