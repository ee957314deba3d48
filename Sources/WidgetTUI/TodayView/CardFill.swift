import WidgetExtensions
import WidgetKitCore

/// What cards without lines are filled with.
nonisolated struct CardFill: Hashable, Sendable {
  /// The colour of the cards.
  var surface: Color
  /// The colour of the page between them.
  var ground: Color

  /// Fills a card up to the middle of the cells at its edges, so that there is a gap to the next one.
  ///
  /// After the card itself was drawn, as nothing on it depends on the colour behind it.
  ///
  /// - Parameters:
  ///   - canvas: What the card was drawn on.
  ///   - frame: The card.
  ///   - clip: Cells outside are not drawn.
  ///   - edge: The style of the left edge, which says what a border does; nil for that of the card.
  func draw(on canvas: inout Canvas, _ frame: Rect, in clip: Rect, edge: CellStyle?) {
    guard frame.size.columns > 1, frame.size.rows > 1 else { return }
    let inside = Rect(
      column: frame.minColumn + 1,
      row: frame.minRow,
      columns: frame.size.columns - 2,
      rows: frame.size.rows - 1
    )
    canvas.restyle(inside.intersection(clip)) { style in
      if style.background == nil { style.background = surface }
    }
    let plain = CellStyle(foreground: surface, background: ground)
    var left = edge ?? plain
    left.background = ground
    let last = frame.maxColumn - 1
    for row in inside.minRow..<inside.maxRow {
      let start = Position(column: frame.minColumn, row: row)
      canvas.put(Self.edges.left, style: left, at: start, in: clip)
      canvas.put(Self.edges.right, style: plain, at: Position(column: last, row: row), in: clip)
    }
    let below = inside.maxRow
    for column in frame.minColumn...last {
      let place = Position(column: column, row: below)
      // What is written there says how much more there is.
      guard clip.contains(place), canvas.row(below)[column].glyph == .space else { continue }
      let isCorner = column == frame.minColumn || column == last
      let corner = column == last ? Self.edges.lowerRight : Self.edges.lowerLeft
      let style = column == frame.minColumn ? left : plain
      canvas.put(isCorner ? corner : Self.edges.lower, style: style, at: place, in: clip)
    }
  }

  private static let edges = {
    let glyphs = Glyph.glyphs(of: "▐▌▀▝▘")
    return (
      left: glyphs[0], right: glyphs[1], lower: glyphs[2], lowerLeft: glyphs[3],
      lowerRight: glyphs[4]
    )
  }()
}

nonisolated extension PageLook {
  /// Takes over what a theme has besides the colours of names, as far as the characters allow it.
  mutating func adopt(_ theme: Theme, _ glyphs: GlyphSet) {
    fill = glyphs == .unicode ? theme.fill : nil
    gauge = theme.gauge
  }
}

nonisolated extension Theme {
  /// What cards are filled with; nil where they have lines.
  var fill: CardFill? {
    guard let surface, let ground = definition.background else { return nil }
    return CardFill(surface: surface, ground: ground)
  }
}
