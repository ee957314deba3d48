import WidgetKitCore

/// Links of a picture, which the terminal opens itself (OSC 8).
///
/// ncurses has no links. It draws the cells as always, and those of a link are written a second time
/// behind the picture, with the link around them.
struct LinkLayer {
  /// The link of each cell on the screen, by its index in the canvas.
  private var shown: [Int: String] = [:]
  /// The size of the canvas to which the indices belong.
  private var size = Size.zero

  /// The schemes that terminals open; any other one belongs to an app of a widget.
  private static let schemes = ["http://", "https://", "mailto:"]
  private static let lengthLimit = 2_000

  /// Whether a terminal can open a URL, and its text cannot act on the terminal.
  static func isLink(_ url: String) -> Bool {
    let lower = url.prefix(10).lowercased()
    return schemes.contains { lower.hasPrefix($0) } && url.utf8.count <= lengthLimit
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Nothing on the screen has a link any more, because everything is drawn again.
  mutating func forget() {
    shown = [:]
  }

  /// What is written behind a picture.
  ///
  /// - Parameters:
  ///   - links: The areas with a link; those in front come last.
  ///   - canvas: The picture.
  ///   - segments: What of it was drawn, and so has no link on the screen.
  ///   - theme: The colours.
  /// - Returns: The bytes; empty if all links are on the screen.
  mutating func bytes(
    _ links: [PageLink],
    on canvas: Canvas,
    drawn segments: [CanvasDiff.Segment],
    _ theme: Theme
  ) -> [UInt8] {
    // A screen of another size is redrawn.
    if canvas.size != size { forget() }
    size = canvas.size
    guard !links.isEmpty || !shown.isEmpty else { return [] }
    var wanted: [Int: String] = [:]
    for link in links where Self.isLink(link.url) {
      let area = link.area.intersection(canvas.bounds)
      guard !area.size.isEmpty else { continue }
      for row in area.minRow..<area.maxRow {
        let cells = canvas.row(row)
        for column in area.minColumn..<area.maxColumn {
          // A picture is not a text that could be written again.
          if cells[column].glyph.image != nil { continue }
          wanted[row * canvas.size.columns + column] = link.url
        }
      }
    }
    for segment in segments {
      let start = segment.position.row * canvas.size.columns + segment.position.column
      for index in start..<start + segment.cells.count { shown[index] = nil }
    }
    let stale = Set(wanted.keys).union(shown.keys).filter { wanted[$0] != shown[$0] }.sorted()
    shown = wanted
    guard !stale.isEmpty else { return [] }
    return CellOverlay.bytes(stale, of: canvas, theme) { wanted[$0] }
  }
}
