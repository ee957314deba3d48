import WidgetKitCore

/// Cells of a picture that are written a second time behind it, without ncurses.
enum CellOverlay {
  /// What writes cells again, each at its own place.
  ///
  /// - Parameters:
  ///   - indices: The cells by their index in the canvas, ascending.
  ///   - canvas: The picture.
  ///   - theme: The colours.
  ///   - link: The link of a cell (OSC 8), or nil.
  /// - Returns: The bytes. The cursor and the attributes stay as ncurses knows them (DECSC, DECRC).
  static func bytes(
    _ indices: [Int],
    of canvas: Canvas,
    _ theme: Theme,
    link: (Int) -> String?
  ) -> [UInt8] {
    guard !indices.isEmpty else { return [] }
    var result = "\u{1B}7"
    var previous: Int?
    var url: String?
    for index in indices {
      let cell = canvas.cell(at: index)
      // The second half of a wide glyph is written with the first.
      guard cell.glyph.width > 0 else { continue }
      let isBeside = previous.map { index == $0 + 1 && index % canvas.size.columns > 0 } ?? false
      if !isBeside {
        let (row, column) = (index / canvas.size.columns, index % canvas.size.columns)
        result += "\u{1B}[\(row + 1);\(column + 1)H"
      }
      if link(index) != url {
        url = link(index)
        result += "\u{1B}]8;;\(url ?? "")\u{1B}\\"
      }
      result += "\u{1B}[\((["0"] + theme.resolve(cell.style).sgr).joined(separator: ";"))m"
      result += cell.glyph.text
      // The terminal may move its cursor by another width than ours over a glyph that ncurses does not know.
      previous = UnknownGlyphs.contains(cell.glyph) ? nil : index + cell.glyph.width - 1
    }
    if url != nil { result += "\u{1B}]8;;\u{1B}\\" }
    return Array("\(result)\u{1B}8".utf8)
  }
}
