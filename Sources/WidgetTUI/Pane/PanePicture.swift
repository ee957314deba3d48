import WidgetKitCore

/// The rows of a pane, and the places in them that the mouse can press.
nonisolated struct PanePicture: Sendable {
  /// A place that can be pressed.
  struct Target: Hashable, Sendable {
    var area: Rect
    var action: PaneAction
  }

  var canvas: Canvas
  var targets: [Target] = []

  /// What is at a place; the last one that was added if there are several.
  func action(at position: Position) -> PaneAction? {
    targets.last { $0.area.contains(position) }?.action
  }
}

/// What a press within a pane does.
nonisolated enum PaneAction: Hashable, Sendable {
  /// A row of a list.
  case row(Int)
  /// A row of the configuration.
  case item(Int)
  /// The text field.
  case text
  /// An element of a view.
  case element(PressTarget)
  /// Removes a view that was pushed over the sheet.
  case back
  case post
  case cancel
}

/// What a pane is drawn with.
nonisolated struct PaneLook: Hashable, Sendable {
  var glyphs: GlyphSet
  /// The columns and rows that it may have.
  var size: Size
  /// Whether it has all of them, and not only as many as it needs.
  var fillsScreen = false

  var frame: FrameGlyphs { FrameGlyphs(glyphs) }
}

nonisolated extension PanePicture {
  /// The most columns, beyond which lines are hard to read.
  static let columnLimit = 84

  /// The inside of a box of rows with a title and a remark on its upper border and keys on its lower one.
  ///
  /// - Parameters:
  ///   - rows: The rows between the borders.
  ///   - title: The title.
  ///   - remark: What is said at the right of the title.
  ///   - keys: The keys that can be pressed.
  ///   - look: What it is drawn with.
  /// - Returns: A picture with the box, and its inside.
  static func box(
    rows: Int,
    title: SafeText,
    remark: SafeText,
    keys: [(SafeText, SafeText)],
    _ look: PaneLook
  ) -> (PanePicture, Rect) {
    let frame = look.frame
    let size = Size(
      columns: look.fillsScreen ? look.size.columns : min(look.size.columns, columnLimit),
      rows: max(0, look.fillsScreen ? look.size.rows : min(look.size.rows, rows + 2))
    )
    var picture = PanePicture(canvas: Canvas(size: size))
    let bounds = picture.canvas.bounds
    let hasBorder = size.rows >= 4 && size.columns >= 20
    guard hasBorder else { return (picture, bounds) }
    let border = CellStyle(foreground: .separator)
    picture.canvas.drawBox(bounds, frame, style: border, in: bounds)
    let name = TextLine(" \(title) ").truncated(to: size.columns - 4, frame)
    let end = picture.canvas.write(
      name,
      style: CellStyle(foreground: .accent, attributes: .bold),
      at: Position(column: 1, row: 0),
      in: bounds
    )
    let room = size.columns - end - 3
    let note = TextLine(" \(remark) ").truncated(to: room, frame)
    if !remark.isEmpty, room > 8 {
      picture.canvas.write(
        note,
        style: CellStyle(foreground: .secondary),
        at: Position(column: size.columns - 1 - note.width, row: 0),
        in: bounds
      )
    }
    picture.write(keys, below: size, look)
    return (
      picture,
      Rect(column: 2, row: 1, columns: size.columns - 4, rows: size.rows - 2)
    )
  }

  private mutating func write(
    _ keys: [(SafeText, SafeText)],
    below size: Size,
    _ look: PaneLook
  ) {
    var column = 1
    for (index, (key, words)) in keys.enumerated() {
      let text = index == 0 ? " \(key) \(words) " : "\(look.frame.dot) \(key) \(words) "
      let line = TextLine(SafeText(text))
      guard column + line.width < size.columns - 1 else { return }
      column = canvas.write(
        line,
        style: CellStyle(foreground: .secondary),
        at: Position(column: column, row: size.rows - 1),
        in: canvas.bounds
      )
    }
  }
}
