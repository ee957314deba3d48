import CNcurses
import WidgetKitCore

/// Glyphs that are younger than the C library, whose `wcwidth` does not know them.
///
/// ncurses would draw a blank in their place. It draws a stand-in, which no text has, so that it sends
/// the cell again when something else is there; the glyph is written over it, behind the picture.
enum UnknownGlyphs {
  /// The last character for private use, which takes one cell.
  static let standIn: UInt32 = 0x10_FFFD

  /// Whether ncurses cannot draw a glyph.
  static func contains(_ glyph: Glyph) -> Bool {
    // What is below has been in every C library for long, and is most of all text.
    guard glyph.base >= 0x300 || glyph.hasMarks, glyph.image == nil else { return false }
    return cn_width(glyph.base) != Int32(glyph.width)
      || glyph.hasMarks && glyph.codePoints.dropFirst().contains { cn_width($0) != 0 }
  }

  /// What is written behind a picture: the unknown glyphs in the segments that were drawn of it.
  static func bytes(
    on canvas: Canvas,
    drawn segments: [CanvasDiff.Segment],
    _ theme: Theme
  ) -> [UInt8] {
    var indices: [Int] = []
    for segment in segments {
      let start = segment.position.row * canvas.size.columns + segment.position.column
      for (offset, cell) in segment.cells.enumerated() where contains(cell.glyph) {
        indices.append(start + offset)
      }
    }
    return CellOverlay.bytes(indices.sorted(), of: canvas, theme) { _ in nil }
  }
}
