import WidgetKitCore

/// Writes a canvas as plain text.
nonisolated enum TextWriter {
  /// One line for each row, without trailing spaces.
  static func lines(_ canvas: Canvas) -> [String] {
    (0..<canvas.size.rows).map { row in
      var line = canvas.row(row).map(\.glyph.text).joined()
      line = String(line.reversed().drop { $0 == " " }.reversed())
      return line
    }
  }

  /// The lines, each with a line feed.
  static func text(_ canvas: Canvas) -> String {
    lines(canvas).map { $0 + "\n" }.joined()
  }
}
