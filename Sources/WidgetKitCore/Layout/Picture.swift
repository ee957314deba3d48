/// The result of a layout pass: runs of cells, elements and targets, all inside the view's bounds.
struct Picture {
  let glyphs: GlyphSet
  private(set) var runs: [CellRun] = []
  private(set) var elements: [LaidOutElement] = []
  private(set) var targets: [PressTarget] = []
  /// When the text of a drawn date changes, in seconds since 1970.
  private(set) var nextChange: Double?
  /// The pictures of files in it, also those that are not ready.
  private(set) var images: [ImageDrawing] = []
  /// The bars and large numbers in it, up to a limit.
  private(set) var figures: [ShownFigure] = []
  /// When the first of the countdowns in it comes to nought, in seconds since 1970.
  private(set) var countdownEnd: Double?

  /// Cells that may still be drawn.
  ///
  /// This is far more than a screen has: it only stops a tree with thousands of large frames on top of
  /// each other.
  private var cellsLeft = 200_000
  /// Runs that may still be drawn.
  private var runsLeft = 50_000
  /// The cells that `blanks(_:_:)` returned last.
  private var lastBlanks: [Cell] = []

  /// The context in which something is drawn.
  struct Surroundings {
    /// Cells outside of it are not drawn.
    var clip: Rect
    /// The index of the nearest element with an `id`.
    var element: Int?
    /// The action of the nearest node around with one.
    var action: String?
  }

  init(glyphs: GlyphSet) {
    self.glyphs = glyphs
  }

  /// Subtracts `count` cells from the budget; returns false if too few are left.
  mutating func take(_ count: Int) -> Bool {
    guard count <= cellsLeft else { return false }
    cellsLeft -= count
    return true
  }

  /// Draws cells from `position` to the right where they are inside the clip.
  ///
  /// If the clip cuts a wide glyph in two, a space is drawn instead of the visible half.
  mutating func draw(_ cells: [Cell], at position: Position, in here: Surroundings) {
    let clip = here.clip
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
    runs.append(CellRun(position: start, cells: visible, element: here.element))
  }

  /// Of more figures nobody sees where they glide.
  private static let figureLimit = 200

  /// Draws a bar or a number.
  ///
  /// If nothing cuts it off, it can glide to another value; the name is what it has in common with that one, or nil if
  /// it shows no value.
  mutating func draw(
    _ form: ShownFigure.Form,
    named name: String?,
    at position: Position,
    in here: Surroundings
  ) {
    let (first, rows) = (runs.count, form.rows)
    for (row, cells) in rows.enumerated() {
      draw(cells, at: Position(column: position.column, row: position.row + row), in: here)
    }
    guard let name, figures.count < Self.figureLimit, runs.count == first + rows.count,
      zip(runs[first...], rows).allSatisfy({ $0.cells.count == $1.count })
    else { return }
    var key = ShownFigure.Identity(
      element: here.element.map { elements[$0].id },
      name: name,
      number: 0
    )
    key.number = figures.count { $0.key.element == key.element && $0.key.name == key.name }
    figures.append(ShownFigure(key: key, form: form, run: first))
  }

  /// Returns empty cells; those of neighbours with the same look share their memory.
  mutating func blanks(_ count: Int, _ style: CellStyle) -> [Cell] {
    if lastBlanks.count != count || lastBlanks.first?.style != style {
      lastBlanks = Array(repeating: Cell(glyph: .space, style: style), count: count)
    }
    return lastBlanks
  }

  /// Fills a rectangle with one style; its rows share their cells.
  mutating func fill(_ rect: Rect, style: CellStyle, clip: Rect, element: Int?) {
    let visible = rect.intersection(clip)
    // All cells are counted although the rows share them, because drawing the runs visits each of them.
    guard !visible.size.isEmpty, take(visible.size.columns * visible.size.rows) else { return }
    let cells = blanks(visible.size.columns, CellStyle(background: style.background))
    for row in visible.minRow..<visible.maxRow {
      guard runsLeft > 0 else { return }
      runsLeft -= 1
      let start = Position(column: visible.minColumn, row: row)
      runs.append(CellRun(position: start, cells: cells, element: element))
    }
  }

  /// Whether there is any character except blanks; colours alone do not count.
  var showsAnything: Bool {
    runs.contains { $0.cells.contains { $0.glyph != .space } }
  }

  /// Draws a message instead of a view of which nothing is visible; in one column it is `…`.
  mutating func drawTooNarrow(in bounds: Rect) {
    let style = CellStyle(foreground: .secondary)
    let words = TextFlow("too narrow").words(in: bounds.size.columns, style, glyphs) ?? []
    draw(words, at: bounds.origin, in: Surroundings(clip: bounds, element: nil))
  }

  /// Adds an element and returns its index.
  mutating func add(_ element: LaidOutElement) -> Int {
    elements.append(element)
    return elements.count - 1
  }

  /// Adds a target where its frame is inside the clip; without an `id` it has that of the nearest element.
  mutating func add(
    _ label: SafeText,
    role: PressRole = .element,
    id: String? = nil,
    action: String? = nil,
    link: String? = nil,
    newValue: Bool? = nil,
    help: SafeText?,
    at frame: Rect,
    in here: Surroundings
  ) {
    let frame = frame.intersection(here.clip)
    guard !frame.size.isEmpty else { return }
    var target = PressTarget(
      frame: frame,
      elementID: id ?? here.element.map { elements[$0].id },
      action: action,
      link: link,
      newValue: newValue,
      label: label
    )
    target.role = role
    target.help = help
    targets.append(target)
  }

  /// Records that a picture of a file is a part of it.
  mutating func add(_ image: ImageDrawing) {
    if !images.contains(image) { images.append(image) }
  }

  /// Records when a countdown comes to nought.
  mutating func note(countdownEnd end: Double) {
    countdownEnd = min(countdownEnd ?? end, end)
  }

  /// Records when a drawn date will change.
  mutating func note(change: Double) {
    nextChange = min(nextChange ?? change, change)
  }
}

extension Cell {
  /// Appends a glyph, and the mark of its second cell if it is wide.
  static func append(_ glyph: Glyph, _ style: CellStyle, to cells: inout [Cell]) {
    cells.append(Cell(glyph: glyph, style: style))
    if glyph.width == 2 { cells.append(Cell(glyph: .continuation, style: style)) }
  }

  /// Returns the cells of glyphs in one style.
  static func cells(_ glyphs: some Sequence<Glyph>, _ style: CellStyle) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(glyphs.underestimatedCount)
    for glyph in glyphs { append(glyph, style, to: &cells) }
    return cells
  }
}
