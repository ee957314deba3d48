import WidgetCards
import WidgetKitCore

/// A cell of a picture in a tone.
nonisolated struct ImageSpot: Hashable, Sendable {
  var cell: ImageCell
  var tone: ImageTone

  /// The picture that the cell is a part of.
  var copy: ImageCopy { ImageCopy(drawing: cell.drawing, tone: tone) }
  /// The same cell of the picture as it is in its file.
  var plain: ImageSpot { ImageSpot(cell: cell, tone: .plain) }
}

/// Pictures of widgets on a terminal with graphics.
///
/// ncurses knows nothing of them: it draws a blank in each of their cells, and what shows the pictures
/// is written behind the frame, in the same write.
struct ImageLayer {
  private var kitty = KittyImages()
  private var sixel = SixelImages()
  /// The cell of a picture on the screen, by its index in the canvas.
  private var shown: [Int: ImageSpot] = [:]
  /// Whether pictures are not on the screen yet that should be.
  private(set) var isUnfinished = false

  /// What is drawn by ncurses in place of pictures.
  ///
  /// The blank does not break, so that ncurses does not take it for the end of a line that can be
  /// erased.
  private static let blank = Glyph.glyphs(of: "\u{A0}").first ?? .space

  /// The canvas for ncurses: without the pictures that the terminal shows itself.
  ///
  /// - Parameters:
  ///   - page: The whole screen.
  ///   - images: The pictures that are drawn.
  ///   - graphics: What the terminal can do.
  ///   - theme: The colours.
  ///   - isFrame: Whether it is a frame of an animation.
  /// - Returns: The screen with a blank in each cell of a picture, or with its character.
  func canvas(
    _ page: Canvas,
    _ images: DrawnImages,
    _ graphics: TerminalGraphics,
    _ theme: Theme,
    isFrame: Bool
  ) -> Canvas {
    // Most pages have none, and looking for them takes as long as finding what has changed.
    guard !images.isEmpty else { return page }
    let shades = [ImageTone.dim, .focused].reduce(into: [:]) { $0[$1] = ImageShade($1, theme) }
    let method = graphics.method
    let size = graphics.cellPixels
    // While pictures move, sixels would have to be sent again for each frame.
    let isMoving = method == .sixel && isFrame
    return page.replacingImages { cell, style in
      let blank = Cell(glyph: Self.blank, style: CellStyle(background: style.background))
      switch images[cell.drawing] {
      case .pixels(let pixels)?:
        guard isMoving else { return blank }
        let shade = shades[ImageTone(style.attributes)]
        return HalfBlocks.cell(cell, of: pixels, in: size, style, shade)
      case .symbols(let cells)?: return Canvas.symbol(cell, of: cells, style)
      case nil: return Cell(glyph: .space, style: style)
      }
    }
  }

  /// What is written behind a frame.
  ///
  /// - Parameters:
  ///   - page: The whole screen, with pictures.
  ///   - images: The pictures that are drawn.
  ///   - segments: What ncurses has drawn of it.
  ///   - graphics: What the terminal can do.
  ///   - theme: The colours.
  ///   - isFrame: Whether it is a frame of an animation.
  /// - Returns: What is sent before the frame, and what behind it.
  mutating func bytes(
    _ page: Canvas,
    _ images: DrawnImages,
    drawn segments: [CanvasDiff.Segment],
    _ graphics: TerminalGraphics,
    _ theme: Theme,
    isFrame: Bool
  ) -> (before: [UInt8], behind: [UInt8]) {
    isUnfinished = false
    guard !images.isEmpty || !shown.isEmpty || kitty.hasImages else { return ([], []) }
    var wanted: [Int: ImageSpot] = [:]
    for (index, cell) in page.cells.enumerated() {
      guard let image = cell.glyph.image, case .pixels? = images[image.drawing] else { continue }
      wanted[index] = ImageSpot(cell: image, tone: ImageTone(cell.style.attributes))
    }
    let columns = page.size.columns
    // ncurses may write a row again from its first change to its last.
    let rows = Set(segments.map(\.position.row))
    shown = shown.filter { !rows.contains($0.key / max(1, columns)) }
    switch graphics.method {
    case .kitty?:
      let before = kitty.send(Set(wanted.values.map(\.copy)), images, theme)
      isUnfinished = kitty.isSending
      // Until the terminal has a picture in its tone, it shows it as it is in its file.
      let next = wanted.compactMapValues { spot in
        [spot, spot.plain].first { kitty.isSent($0.copy) }
      }
      let stale = next.keys.filter { next[$0] != shown[$0] }.sorted()
      shown = next
      return (before, kitty.cells(stale, next, columns: columns))
    case .sixel? where !isFrame:
      let stale = Set(wanted.keys.filter { wanted[$0] != shown[$0] })
      shown = wanted
      let pieces = page.imagePieces.filter { piece in
        piece.indices(columns).contains { stale.contains($0) }
      }
      return ([], sixel.bytes(pieces, images, graphics.cellPixels, theme, rows: page.size.rows))
    case .sixel?:
      isUnfinished = !wanted.isEmpty
      shown = [:]
      return ([], [])
    case nil:
      shown = [:]
      return ([], [])
    }
  }

  /// Nothing is on the screen any more, which is drawn again.
  mutating func forgetCells() {
    shown = [:]
  }

  /// Removes the pictures from the terminal.
  mutating func farewell() -> [UInt8] {
    shown = [:]
    return kitty.removeAll()
  }
}

nonisolated extension ImagePiece {
  /// The indices of its cells on a canvas of so many columns.
  fileprivate func indices(_ columns: Int) -> [Int] {
    (area.minRow..<area.maxRow).flatMap { row in
      (area.minColumn..<area.maxColumn).map { row * columns + $0 }
    }
  }
}
