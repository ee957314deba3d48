/// Rows below each other that can be selected.
final class ListBox: LayoutBox {
  /// A row of the list, or a line below its rows.
  struct Line {
    var box: LayoutBox
    /// What a press on the whole line is for; nil for a line that cannot be pressed.
    var role: PressRole?
    /// The row; nil for another line.
    var row: ListRow?
  }

  private let lines: [Line]
  private let key: String
  /// The marks beside the rows while the widget is edited.
  private let marks: ListMarks?

  /// The columns of the margin, where a row has a colour.
  private let margin: Int

  init(_ origin: Origin, _ lines: [Line], key: String, marks: ListMarks?) {
    self.lines = lines
    margin = lines.contains { $0.row?.tint != nil } ? 2 : 0
    self.key = key
    self.marks = marks
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish(ofStacked: lines.map(\.box))
    let columns = margin + (marks?.columns ?? 0)
    wish.minimum += columns
    wish.ideal += columns
    wish.grows = true
    return wish
  }

  override func measureContent(_ wholeWidth: Int) -> Size {
    var size = Size.zero
    let width = wholeWidth - margin(in: wholeWidth)
    for line in lines {
      let columns = columns(of: line, in: width)
      let part = line.box.measure(columns)
      let hasMarks = columns < width
      // The mark that removes a row is at the end of the line.
      size.columns = max(size.columns, hasMarks ? width : part.columns)
      size.rows += hasMarks ? max(1, part.rows) : part.rows
    }
    size.columns += margin(in: wholeWidth)
    return size
  }

  /// The columns of the margin in a list of a width; a narrow one has none.
  private func margin(in width: Int) -> Int { width >= 8 ? margin : 0 }

  /// The columns for the view of a line: without the marks, where there is room for both.
  private func columns(of line: Line, in width: Int) -> Int {
    guard let marks, line.row != nil, width >= 2 * marks.columns else { return width }
    return width - marks.columns
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var row = rect.minRow
    let margin = margin(in: rect.size.columns)
    let width = rect.size.columns - margin
    for line in lines where row < here.clip.maxRow {
      let hasMarks = columns(of: line, in: width) < width
      let rows = hasMarks ? max(1, line.box.size.rows) : line.box.size.rows
      let frame = Rect(
        column: rect.minColumn + margin,
        row: row,
        columns: width,
        rows: rows
      )
      if margin > 0, let tint = line.row?.tint, !line.box.isRedacted {
        drawMargin(
          tint,
          at: Position(column: rect.minColumn, row: row),
          rows,
          on: &picture,
          in: here
        )
      }
      draw(line, marks: hasMarks ? marks : nil, at: frame, on: &picture, in: here)
      row += rows
    }
  }

  private func drawMargin(
    _ tint: Color,
    at start: Position,
    _ rows: Int,
    on picture: inout Picture,
    in here: Surroundings
  ) {
    var style = CellStyle.plain
    style.foreground = tint
    let glyph =
      switch picture.glyphs {
      case .unicode: Glyph("▎", width: 1)
      case .console: Glyph("│", width: 1)
      case .ascii: Glyph("|", width: 1)
      }
    for row in 0..<rows {
      let place = Position(column: start.column, row: start.row + row)
      picture.draw([Cell(glyph: glyph, style: style)], at: place, in: here)
    }
  }

  private func draw(
    _ line: Line,
    marks: ListMarks?,
    at frame: Rect,
    on picture: inout Picture,
    in here: Surroundings
  ) {
    var here = here
    if let row = line.row {
      var element = LaidOutElement(
        id: ViewNode.element(ofRow: row.id, in: key),
        frame: frame,
        parent: here.element,
        transition: row.view.transition
      )
      element.isRow = true
      here.element = picture.add(element)
    }
    if let role = line.role {
      let row = line.row
      let view = row?.isItsView == true ? row?.view : nil
      picture.add(
        line.box.isRedacted ? "" : NodeWords.text(of: line.box.node),
        role: marks?.marking(role, at: frame) ?? role,
        id: view?.id,
        action: view?.action ?? row?.action,
        link: view?.link ?? row?.link,
        newValue: view?.content.payload.newValue,
        help: line.box.shownHelp,
        at: frame,
        in: here
      )
    }
    let before = marks?.gripColumns ?? 0
    let room = frame.size.columns - (marks?.columns ?? 0)
    let start = Position(column: frame.minColumn + before, row: frame.minRow)
    let size = Size(columns: min(line.box.size.columns, room), rows: frame.size.rows)
    if let grip = line.row.flatMap({ marks?.grip(of: $0) }) {
      picture.draw(grip, at: frame.origin, in: here)
    }
    line.box.place(on: &picture, at: Rect(origin: start, size: size), in: here)
    if let removal = line.row.flatMap({ marks?.removal(of: $0) }) {
      let place = Position(column: frame.maxColumn - removal.count, row: frame.minRow)
      picture.draw(removal, at: place, in: here)
    }
  }
}

/// The marks beside the rows of a list that is edited: one that a row can be moved, and one that removes it.
struct ListMarks {
  private let editing: ListEditing
  private let grip: String
  private let removal: String

  init(_ editing: ListEditing, _ glyphs: GlyphSet) {
    self.editing = editing
    (grip, removal) = glyphs == .unicode ? ("≡ ", " ✕") : ("= ", " x")
  }

  /// The columns before a row.
  var gripColumns: Int { editing.moves ? grip.count : 0 }

  /// The columns of both marks.
  var columns: Int { gripColumns + (editing.removes ? removal.count : 0) }

  /// The role of a row with the places of its marks in the frame of the row.
  func marking(_ role: PressRole, at frame: Rect) -> PressRole {
    guard case .row(var row) = role else { return role }
    if editing.moves, row.canMove {
      row.grip = Rect(column: frame.minColumn, row: frame.minRow, columns: gripColumns, rows: 1)
    }
    if editing.removes, row.canRemove {
      row.removal = Rect(
        column: frame.maxColumn - removal.count,
        row: frame.minRow,
        columns: removal.count,
        rows: 1
      )
    }
    return .row(row)
  }

  /// The mark of a row that can be moved.
  func grip(of row: ListRow) -> [Cell]? {
    guard editing.moves, row.canMove else { return nil }
    return Cell.cells(Glyph.glyphs(of: grip), CellStyle(foreground: .secondary))
  }

  /// The mark that removes a row.
  func removal(of row: ListRow) -> [Cell]? {
    guard editing.removes, row.canRemove else { return nil }
    return Cell.cells(Glyph.glyphs(of: removal), CellStyle(foreground: .accent))
  }
}

extension ListRow {
  /// Whether a press on the row is one on its view, such as a toggle.
  var isItsView: Bool {
    guard action == nil, link == nil else { return false }
    if case .field = view.content { return false }
    return view.action != nil || view.link != nil
  }
}
