/// What a layout pass draws: runs of cells, elements and targets, all inside the view's bounds.
struct Picture {
  let glyphs: GlyphSet
  private(set) var runs: [CellRun] = []
  private(set) var elements: [LaidOutElement] = []
  private(set) var targets: [PressTarget] = []
  /// Seconds since 1970 when a drawn date will be written differently.
  private(set) var nextChange: Double?

  /// Cells that may still be drawn.
  ///
  /// Far more than a screen has: it only stops a tree that wants thousands of large frames on top
  /// of each other.
  private var cellsLeft = 200_000
  /// Runs that may still be drawn.
  private var runsLeft = 100_000

  init(glyphs: GlyphSet) {
    self.glyphs = glyphs
  }

  /// Takes `count` cells off the budget; false if there are not so many left.
  mutating func take(_ count: Int) -> Bool {
    guard count <= cellsLeft else { return false }
    cellsLeft -= count
    return true
  }

  /// Draws cells from `position` to the right, as far as they lie inside `clip`.
  ///
  /// Of a wide glyph that the clip cuts in two, neither half is drawn but a space.
  mutating func draw(_ cells: [Cell], at position: Position, clip: Rect, element: Int?) {
    guard !cells.isEmpty, position.row >= clip.minRow, position.row < clip.maxRow, runsLeft > 0
    else { return }
    let first = max(0, clip.minColumn - position.column)
    let last = min(cells.count, clip.maxColumn - position.column)
    guard first < last else { return }
    var visible = cells
    if first > 0 || last < cells.count {
      visible = Array(cells[first..<last])
      if visible[0].glyph == .continuation { visible[0].glyph = .space }
      if visible[visible.count - 1].glyph.width == 2 { visible[visible.count - 1].glyph = .space }
    }
    guard take(visible.count) else { return }
    runsLeft -= 1
    let start = Position(column: position.column + first, row: position.row)
    runs.append(CellRun(position: start, cells: visible, element: element))
  }

  /// Fills a rectangle with one look; its rows share their cells.
  mutating func fill(_ rect: Rect, style: CellStyle, clip: Rect, element: Int?) {
    let visible = rect.intersection(clip)
    // All of its cells, though its rows share them: whoever draws the runs goes over each.
    guard !visible.size.isEmpty, take(visible.size.columns * visible.size.rows) else { return }
    let look = CellStyle(background: style.background)
    let cells = Array(repeating: Cell(glyph: .space, style: look), count: visible.size.columns)
    for row in visible.minRow..<visible.maxRow {
      guard runsLeft > 0 else { return }
      runsLeft -= 1
      let start = Position(column: visible.minColumn, row: row)
      runs.append(CellRun(position: start, cells: cells, element: element))
    }
  }

  /// Whether there is a character anywhere, and not only blanks and colours.
  var showsAnything: Bool {
    runs.contains { $0.cells.contains { $0.glyph != .space } }
  }

  /// Draws a message instead of a view of which nothing is visible; `…` in one column.
  mutating func drawTooNarrow(in bounds: Rect) {
    let flow = TextFlow("too narrow")
    let style = CellStyle(foreground: .secondary)
    guard let line = flow.lines(width: bounds.size.columns, limit: 1).first else { return }
    var cells = Cell.cells(flow.glyphs[line.head], style)
    if line.isCut { cells.append(Cell(glyph: glyphs.ellipsis, style: style)) }
    draw(cells, at: bounds.origin, clip: bounds, element: nil)
  }

  /// Adds an element and returns its index.
  mutating func add(_ element: LaidOutElement) -> Int {
    elements.append(element)
    return elements.count - 1
  }

  /// Adds something to press.
  mutating func add(_ target: PressTarget) {
    targets.append(target)
  }

  /// Records when a drawn date will change.
  mutating func note(change: Double) {
    nextChange = min(nextChange ?? change, change)
  }
}

extension Cell {
  /// Appends a glyph, and the mark of its second cell where it is wide.
  static func append(_ glyph: Glyph, _ style: CellStyle, to cells: inout [Cell]) {
    cells.append(Cell(glyph: glyph, style: style))
    if glyph.width == 2 { cells.append(Cell(glyph: .continuation, style: style)) }
  }

  /// The cells of some glyphs in one look.
  static func cells(_ glyphs: some Sequence<Glyph>, _ style: CellStyle) -> [Cell] {
    glyphs.reduce(into: []) { append($1, style, to: &$0) }
  }
}
