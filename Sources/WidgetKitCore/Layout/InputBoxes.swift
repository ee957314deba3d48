/// A line that opens and closes what is below it.
final class FoldBox: LayoutBox {
  private let header: LayoutBox
  private let mark: [Glyph]
  /// The children; none while it is closed.
  private let children: [LayoutBox]
  private let key: String
  private let isOpen: Bool

  /// Columns before the children, where there is room for them.
  private static let indent = 2

  init(
    _ origin: Origin,
    header: LayoutBox,
    mark: String,
    children: [LayoutBox],
    key: String,
    isOpen: Bool
  ) {
    self.header = header
    self.mark = Glyph.glyphs(of: mark)
    self.children = children
    self.key = key
    self.isOpen = isOpen
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish(ofStacked: children)
    let isIndented = !children.isEmpty
    wish.ideal = max(header.idealColumns + mark.count, wish.ideal + (isIndented ? Self.indent : 0))
    wish.minimum = max(header.minColumns + mark.count, wish.minimum)
    wish.least = mark.count + min(1, header.idealColumns)
    wish.grows = true
    return wish
  }

  private func indent(_ width: Int) -> Int {
    let needed = children.reduce(0) { max($0, $1.minColumns) }
    return width >= needed + Self.indent ? Self.indent : 0
  }

  override func measureContent(_ width: Int) -> Size {
    let line = header.measure(max(0, width - mark.count))
    var size = Size(columns: mark.count + line.columns, rows: max(1, line.rows))
    let indent = indent(width)
    for child in children {
      let part = child.measure(max(0, width - indent))
      size.columns = max(size.columns, part.columns + indent)
      size.rows += part.rows
    }
    size.columns = min(size.columns, width)
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let rows = max(1, header.size.rows)
    let line = Rect(origin: rect.origin, size: Size(columns: rect.size.columns, rows: rows))
    addTarget(to: &picture, line, .fold(key: key, isOpen: isOpen), label: header, in: here)
    picture.draw(Cell.cells(mark, style), at: rect.origin, in: here)
    let start = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    header.place(on: &picture, at: Rect(origin: start, size: header.size), in: here)
    let column = rect.minColumn + indent(rect.size.columns)
    var row = rect.minRow + rows
    for child in children where row < here.clip.maxRow {
      let place = Position(column: column, row: row)
      child.place(on: &picture, at: Rect(origin: place, size: child.size), in: here)
      row += child.size.rows
    }
  }

  private func addTarget(
    to picture: inout Picture,
    _ frame: Rect,
    _ role: PressRole,
    label: LayoutBox,
    in here: Surroundings
  ) {
    let words = node.accessibilityLabel ?? NodeWords.text(of: label.node)
    picture.add(role, isRedacted ? "" : words, help: shownHelp, at: frame, in: here)
  }
}

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

  init(_ origin: Origin, _ lines: [Line], key: String, marks: ListMarks?) {
    self.lines = lines
    self.key = key
    self.marks = marks
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish(ofStacked: lines.map(\.box))
    let columns = marks?.columns ?? 0
    wish.minimum += columns
    wish.ideal += columns
    wish.grows = true
    return wish
  }

  override func measureContent(_ width: Int) -> Size {
    var size = Size.zero
    for line in lines {
      let columns = columns(of: line, in: width)
      let part = line.box.measure(columns)
      let hasMarks = columns < width
      // The mark that removes a row is at the end of the line.
      size.columns = max(size.columns, hasMarks ? width : part.columns)
      size.rows += hasMarks ? max(1, part.rows) : part.rows
    }
    return size
  }

  /// The columns for the view of a line: without the marks, where there is room for both.
  private func columns(of line: Line, in width: Int) -> Int {
    guard let marks, line.row != nil, width >= 2 * marks.columns else { return width }
    return width - marks.columns
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var row = rect.minRow
    for line in lines where row < here.clip.maxRow {
      let hasMarks = columns(of: line, in: rect.size.columns) < rect.size.columns
      let rows = hasMarks ? max(1, line.box.size.rows) : line.box.size.rows
      let frame = Rect(
        column: rect.minColumn,
        row: row,
        columns: rect.size.columns,
        rows: rows
      )
      draw(line, marks: hasMarks ? marks : nil, at: frame, on: &picture, in: here)
      row += rows
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
      here.element = picture.add(
        LaidOutElement(
          id: ViewNode.element(ofRow: row.id, in: key),
          frame: frame,
          parent: here.element,
          transition: row.view.transition
        )
      )
    }
    if let role = line.role {
      let words = line.box.isRedacted ? "" : NodeWords.text(of: line.box.node)
      var target = PressTarget(
        frame: frame,
        elementID: here.element.map { picture.elements[$0].id },
        action: line.row?.action,
        link: line.row?.link,
        newValue: nil,
        label: words
      )
      if let row = line.row, row.isItsView { target.press(row.view) }
      target.help = line.box.shownHelp
      target.role = marks?.marking(role, at: frame) ?? role
      picture.add(target, in: here)
    }
    let before = marks?.gripColumns ?? 0
    let room = frame.size.columns - (marks?.columns ?? 0)
    let start = Position(column: frame.minColumn + before, row: frame.minRow)
    let size = Size(columns: min(line.box.size.columns, room), rows: frame.size.rows)
    if let row = line.row { marks?.drawGrip(row, at: frame, on: &picture, in: here) }
    line.box.place(on: &picture, at: Rect(origin: start, size: size), in: here)
    if let row = line.row { marks?.drawRemoval(row, at: frame, on: &picture, in: here) }
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

  /// Draws the mark of a row that can be moved.
  func drawGrip(
    _ row: ListRow,
    at frame: Rect,
    on picture: inout Picture,
    in here: LayoutBox.Surroundings
  ) {
    guard editing.moves, row.canMove else { return }
    let cells = Cell.cells(Glyph.glyphs(of: grip), CellStyle(foreground: .secondary))
    picture.draw(cells, at: frame.origin, in: here)
  }

  /// Draws the mark that removes a row.
  func drawRemoval(
    _ row: ListRow,
    at frame: Rect,
    on picture: inout Picture,
    in here: LayoutBox.Surroundings
  ) {
    guard editing.removes, row.canRemove else { return }
    let cells = Cell.cells(Glyph.glyphs(of: removal), CellStyle(foreground: .accent))
    let place = Position(column: frame.maxColumn - removal.count, row: frame.minRow)
    picture.draw(cells, at: place, in: here)
  }
}

/// A line that the user types into.
final class FieldBox: LayoutBox {
  /// What is shown while it is empty.
  private let placeholder: SafeText?
  private let mark: [Glyph]
  private let text: String
  /// Characters before the cursor; more than there are for behind the last one.
  private let cursor: Int
  /// The character for redacted text.
  private let cover: String

  /// Columns for the text if the field can have as many as it likes.
  private static let idealText = 20

  init(
    _ origin: Origin,
    _ content: FieldContent,
    mark: [Glyph],
    state: FieldState?,
    cover: String
  ) {
    placeholder = content.placeholder ?? (content.kind == .search ? "Search" : nil)
    self.mark = mark
    text = state?.text ?? content.text?.string ?? ""
    cursor = state?.cursor ?? .max
    self.cover = cover
    super.init(origin)
  }

  override var hasOwnTarget: Bool { true }

  override var wish: Wish {
    Wish(
      minimum: mark.count + 1,
      ideal: mark.count + Self.idealText,
      least: mark.count + 1,
      grows: true
    )
  }

  override func measureContent(_ width: Int) -> Size { Size(columns: width, rows: 1) }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let line = Rect(origin: rect.origin, size: Size(columns: rect.size.columns, rows: 1))
    let columns = max(0, rect.size.columns - mark.count)
    let origin = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    let window = TextWindow(text, cursor: cursor, columns: columns)
    let field = FieldTarget(
      key: node.inputKey,
      id: node.id,
      text: text,
      cursor: Position(column: origin.column + window.cursorColumn, row: origin.row),
      origin: origin,
      columns: columns
    )
    let words = node.accessibilityLabel ?? placeholder ?? ""
    let action = node.action
    picture.add(.field(field), words, action: action, help: shownHelp, at: line, in: here)
    var quiet = style
    quiet.foreground = node.style.foreground ?? .secondary
    picture.draw(Cell.cells(mark, quiet), at: rect.origin, in: here)
    var (cells, look) = (window.glyphs, style)
    if text.isEmpty, let placeholder {
      look = quiet
      cells = TextWindow(placeholder.string, cursor: 0, columns: columns).glyphs
    } else if isRedacted {
      cells = Glyph.glyphs(of: String(repeating: cover, count: cells.reduce(0) { $0 + $1.width }))
    }
    // The line below shows how long the field is.
    look.attributes.insert(.underline)
    let shown = Cell.cells(cells, look)
    picture.draw(shown, at: origin, in: here)
    let end = Position(column: origin.column + shown.count, row: origin.row)
    picture.draw(picture.blanks(max(0, columns - shown.count), look), at: end, in: here)
  }
}

extension Picture {
  /// Adds a target of a role where its frame is inside the clip.
  mutating func add(
    _ role: PressRole,
    _ label: SafeText,
    action: String? = nil,
    link: String? = nil,
    help: SafeText? = nil,
    at frame: Rect,
    in here: LayoutBox.Surroundings
  ) {
    var target = PressTarget(
      frame: frame,
      elementID: here.element.map { elements[$0].id },
      action: action,
      link: link,
      newValue: nil,
      label: label
    )
    target.role = role
    target.help = help
    add(target, in: here)
  }

  /// Adds a target where its frame is inside the clip.
  fileprivate mutating func add(_ target: PressTarget, in here: LayoutBox.Surroundings) {
    var target = target
    target.frame = target.frame.intersection(here.clip)
    if !target.frame.size.isEmpty { add(target) }
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

extension PressTarget {
  /// Does what a press on a view does.
  fileprivate mutating func press(_ view: ViewNode) {
    (action, link) = (view.action, view.link)
    elementID = view.id ?? elementID
    if case .toggle(let toggle) = view.content { newValue = !toggle.isOn }
  }
}
