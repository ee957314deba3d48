import WidgetCards
import WidgetExtensions
import WidgetKitCore

/// The settings of a widget in a form: what is typed and chosen in it takes effect when it is saved.
nonisolated struct SettingsForm: Sendable {
  /// What a key came to.
  enum Outcome {
    case stays
    case ends
    case saves
  }

  let card: CardID
  private let name: SafeText
  private(set) var rows: [Row]
  /// The row with the focus; behind the last one come Save and Cancel.
  private(set) var selection = 0
  /// Why nothing could be saved.
  private(set) var error: SafeText?

  /// Creates a form of the values that are in force.
  init(card: CardID, name: SafeText, _ rows: [SettingsBook.Row]) {
    self.card = card
    self.name = name
    self.rows = rows.map { Row($0) }
    selection = self.rows.firstIndex { !$0.isFixed } ?? self.rows.count + 1
  }

  // MARK: - Values

  /// The settings that were changed, each with its value as it is written in a command; without a value
  /// it is taken back.
  var changes: [(name: String, words: String?)] {
    rows.filter(\.isChanged).map { ($0.declaration.name, $0.words) }
  }

  /// Shows why settings cannot be saved, by name; the first of them gets the focus.
  mutating func show(_ errors: [String: SafeText]) {
    for index in rows.indices { rows[index].error = errors[rows[index].declaration.name] }
    if let first = rows.firstIndex(where: { $0.error != nil }) { selection = first }
  }

  /// Shows why nothing could be saved.
  mutating func show(_ error: SafeText) {
    self.error = error
  }

  // MARK: - Keys and the mouse

  private var save: Int { rows.count }
  private var cancel: Int { rows.count + 1 }

  /// Takes a key.
  mutating func take(_ key: Key) -> Outcome {
    switch key {
    case .escape: return .ends
    case .enter: return selection == cancel ? .ends : .saves
    case .down, .tab: selection = selection == cancel ? 0 : selection + 1
    case .up, .backTab: selection = selection == 0 ? cancel : selection - 1
    case .pageUp: selection = 0
    case .pageDown: selection = save
    default:
      guard rows.indices.contains(selection) else { return takeOnButton(key) }
      if rows[selection].take(key) { rows[selection].error = nil }
      error = nil
    }
    return .stays
  }

  private mutating func takeOnButton(_ key: Key) -> Outcome {
    switch key {
    case .left, .right: selection = selection == save ? cancel : save
    case .character(" "): return selection == save ? .saves : .ends
    default: break
    }
    return .stays
  }

  /// Takes a click at a position of a screen.
  mutating func click(_ position: Position, on size: Size, _ glyphs: GlyphSet) -> Outcome {
    let plan = plan(size)
    if let part = plan.buttons.first(where: { $0.area.contains(position) }) {
      selection = part.index
      return part.index == save ? .saves : .ends
    }
    guard let line = plan.lines.first(where: { $0.area.contains(position) && !$0.isError }) else {
      return .stays
    }
    selection = line.index
    let column = position.column - line.control.minColumn
    rows[line.index].click(column, of: line.control.size.columns)
    return .stays
  }

  /// Moves the focus with the wheel.
  mutating func scroll(forward: Bool) {
    selection = min(max(0, selection + (forward ? 1 : -1)), cancel)
  }
}

// MARK: - Drawing

nonisolated extension SettingsForm {
  /// Where a part of the form is on the screen.
  private struct Line {
    /// The setting.
    var index: Int
    /// The whole line.
    var area: Rect
    /// The control in it.
    var control: Rect
    /// Whether it is the error of the setting.
    var isError = false
  }

  private struct Plan {
    var inside: Rect
    var lines: [Line] = []
    var buttons: [(index: Int, area: Rect)] = []
    var detail: Rect
    var labelColumns = 0
  }

  private static let saveWords = TextLine("[ Save ]")
  private static let cancelWords = TextLine("[ Cancel ]")

  /// The columns for titles, the same in all lines: as many as the values can spare.
  private func labelColumns(_ columns: Int) -> Int {
    let widest = rows.reduce(0) { max($0, TextLine($1.declaration.title).width) }
    return min(widest, max(columns / 3, columns - 4 - Self.valueColumns))
  }

  /// Columns that a value has at least, where there is room.
  private static let valueColumns = 24

  /// What is said about a setting below all of them: its title, if its line has no room for it, and what it may be.
  private func details(_ row: Row, columns: Int) -> (title: [TextLine], words: [TextLine]) {
    let title = TextLine(row.declaration.title)
    return (
      title.width > labelColumns(columns) ? title.wrapped(to: columns) : [],
      TextLine.wrapped(detailWords(row), columns: columns)
    )
  }

  /// The rows for the details of any setting, so that the form stays as large as it is when the focus moves.
  private func detailRows(_ columns: Int) -> Int {
    let counts = rows.map { row in
      let details = details(row, columns: columns)
      return details.title.count + details.words.count
    }
    return min(max(1, counts.max() ?? 1), Self.detailLimit)
  }

  /// The most rows of details.
  private static let detailLimit = 6
  /// The columns of the form, between the edges of its frame: beside the titles there is room for a value of usual
  /// length, where the screen has it.
  private var wantedColumns: Int {
    let widest = rows.reduce(0) { max($0, TextLine($1.declaration.title).width) }
    return max(Self.leastColumns, min(widest, Self.leastColumns) + 4 + Self.usualValueColumns)
  }

  private static let leastColumns = 72
  /// Columns that a value has where there is room.
  private static let usualValueColumns = 64

  /// The size that shows all of it, on a screen.
  private func wantedSize(on screen: Size) -> Size {
    let columns = min(wantedColumns, OverlayBox.columns(on: screen))
    return Size(
      columns: wantedColumns,
      rows: rows.count + rows.count { $0.error != nil } + 3 + detailRows(columns)
    )
  }

  /// Where everything is on a screen of a size.
  private func plan(_ size: Size) -> Plan {
    let inside = OverlayBox.inside(of: wantedSize(on: size), on: size)
    let columns = inside.size.columns
    // On a small screen a few settings are worth more than all of the details.
    let spare = inside.size.rows - 3 - min(rows.count, 3)
    let details = min(detailRows(columns), max(1, spare))
    var plan = Plan(
      inside: inside,
      detail: Rect(
        column: inside.minColumn,
        row: inside.maxRow - min(details, inside.size.rows),
        columns: columns,
        rows: min(details, inside.size.rows)
      )
    )
    plan.labelColumns = labelColumns(columns)
    let labels = plan.labelColumns
    // The settings scroll; below them are an empty line, the buttons, an empty line and the details.
    let room = max(0, inside.size.rows - details - (inside.size.rows >= 5 ? 3 : 0))
    var all: [Line] = []
    for (index, row) in rows.enumerated() {
      let area = Rect(column: inside.minColumn, row: all.count, columns: columns, rows: 1)
      let start = inside.minColumn + labels + 4
      let width = max(0, inside.maxColumn - start)
      let control = Rect(column: start, row: all.count, columns: width, rows: 1)
      all.append(Line(index: index, area: area, control: control))
      guard row.error != nil else { continue }
      all.append(
        Line(
          index: index,
          area: Rect(column: area.minColumn, row: all.count, columns: columns, rows: 1),
          control: Rect(column: start, row: all.count, columns: width, rows: 1),
          isError: true
        )
      )
    }
    let last = all.lastIndex { $0.index == min(selection, rows.count - 1) } ?? 0
    let first = min(max(0, last - room + 1), max(0, all.count - room))
    for var line in all.dropFirst(first).prefix(room) {
      line.area.origin.row += inside.minRow - first
      line.control.origin.row += inside.minRow - first
      plan.lines.append(line)
    }
    guard inside.size.rows >= 5 else { return plan }
    let row = plan.detail.minRow - 2
    let second = inside.minColumn + Self.saveWords.width + 2
    plan.buttons = [
      (
        save,
        Rect(column: inside.minColumn, row: row, columns: Self.saveWords.width, rows: 1)
      ),
      (cancel, Rect(column: second, row: row, columns: Self.cancelWords.width, rows: 1)),
    ]
    return plan
  }

  /// Draws the form over the page.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let frame = FrameGlyphs(glyphs)
    let plan = plan(canvas.size)
    _ = OverlayBox.draw(
      TextLine(" Settings of \(name) "),
      size: wantedSize(on: canvas.size),
      glyphs: frame,
      on: &canvas
    )
    for line in plan.lines {
      if line.isError {
        let words = TextLine("\(frame.warning) \(rows[line.index].error ?? "")")
          .truncated(to: line.control.size.columns, glyphSet: glyphs)
        let style = CellStyle(foreground: .orange)
        canvas.write(words, style: style, at: line.control.origin, in: plan.inside)
      } else {
        draw(line, plan, glyphs, on: &canvas)
      }
    }
    for (index, area) in plan.buttons {
      var style = CellStyle(foreground: index == selection ? .accent : .label)
      if index == selection { style.attributes.insert(.reverse) }
      let words = index == save ? Self.saveWords : Self.cancelWords
      canvas.write(words, style: style, at: area.origin, in: plan.inside)
    }
    drawDetails(plan, glyphs, on: &canvas)
  }

  /// Draws what is said about the setting with the focus, or why nothing could be saved.
  private func drawDetails(_ plan: Plan, _ glyphs: GlyphSet, on canvas: inout Canvas) {
    let columns = plan.detail.size.columns
    var lines: [(words: TextLine, style: CellStyle)] = []
    if let error {
      let style = CellStyle(foreground: .orange)
      lines = TextLine.wrapped(error, columns: columns).map { ($0, style) }
    } else if rows.indices.contains(selection) {
      let details = details(rows[selection], columns: columns)
      lines = details.title.map { ($0, CellStyle(foreground: .accent)) }
      lines += details.words.map { ($0, CellStyle(foreground: .secondary)) }
    }
    let count = plan.detail.size.rows
    for (index, line) in lines.prefix(count).enumerated() {
      var words = line.words
      if index == count - 1, lines.count > count {
        let ellipsis = TextLine(glyphs: FrameGlyphs(glyphs).ellipsis)
        words = TextLine(glyphs: words.glyphs + ellipsis.glyphs)
          .truncated(to: columns, glyphSet: glyphs)
      }
      let place = Position(column: plan.detail.minColumn, row: plan.detail.minRow + index)
      canvas.write(words, style: line.style, at: place, in: plan.detail)
    }
  }

  /// What a setting may be, or where it is set.
  private func detailWords(_ row: Row) -> SafeText {
    if case .fixed(_, let place) = row.control { return "Set at \(place); change it there." }
    let standard = row.standard.isEmpty ? "" : "; default: \(row.standard)"
    // Below the value there may be no room for all of it.
    if let error = row.error { return error }
    if let format = row.declaration.format {
      let isList = row.declaration.kind == .list
      let words = isList ? format.pluralExpectation + ", with commas between" : format.expectation
      return SafeText(words.prefix(1).uppercased() + words.dropFirst() + standard)
    }
    switch row.declaration.kind {
    case .boolean: return SafeText("Space changes it\(standard)")
    case .choice: return SafeText("Left and right change it\(standard)")
    case .list: return SafeText("Texts with commas between them\(standard)")
    case .string: return SafeText("A text\(standard)")
    case .number, .file, .secret:
      let words = row.declaration.expectation
      return SafeText(words.prefix(1).uppercased() + words.dropFirst() + standard)
    }
  }

  private func draw(_ line: Line, _ plan: Plan, _ glyphs: GlyphSet, on canvas: inout Canvas) {
    let row = rows[line.index]
    let isSelected = line.index == selection
    let inside = plan.inside
    let mark: SafeText = glyphs == .unicode ? "›" : ">"
    if isSelected {
      let style = CellStyle(foreground: .accent)
      canvas.write(mark, style: style, at: line.area.origin, in: inside)
    }
    let title = TextLine(row.declaration.title).truncated(to: plan.labelColumns, glyphSet: glyphs)
    var titleStyle = CellStyle(foreground: isSelected ? .accent : .label)
    if row.isFixed { titleStyle.foreground = .secondary }
    let place = Position(column: line.area.minColumn + 2, row: line.area.minRow)
    canvas.write(title, style: titleStyle, at: place, in: inside)
    draw(row, isSelected: isSelected, in: line.control.intersection(inside), glyphs, on: &canvas)
  }

  private func draw(
    _ row: Row,
    isSelected: Bool,
    in area: Rect,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
    let quiet = CellStyle(foreground: .secondary)
    func write(_ words: SafeText, _ style: CellStyle) {
      let line = TextLine(words).truncated(to: area.size.columns, glyphSet: glyphs)
      canvas.write(line, style: style, at: area.origin, in: area)
    }
    var plain = CellStyle(foreground: isSelected ? .accent : .label)
    if isSelected { plain.attributes.insert(.reverse) }
    switch row.control {
    case .fixed(let words, let place):
      // The line and column are at the end of a path that may be long; the details have all of it.
      let file = SafeText(place.string.split(separator: "/").last.map(String.init) ?? place.string)
      write("\(words)  (\(file))", quiet)
    case .flag(let flag):
      let mark = glyphs == .unicode ? "✓" : "x"
      write(SafeText(flag.map { $0 ? "[\(mark)]" : "[ ]" } ?? "[-]"), plain)
    case .choice(let index):
      let words = index.map { row.declaration.choices[$0] } ?? "none"
      write(SafeText(glyphs == .unicode ? "‹ \(words) ›" : "< \(words) >"), plain)
    case .text(let editor):
      let isStandard = editor.isEmpty && !row.standard.isEmpty
      draw(editor, isSelected, isStandard ? row.standard : "", in: area, glyphs, on: &canvas)
    case .secret(let editor):
      let dots = glyphs == .unicode ? "•" : "*"
      // A place is shown; anything else may be a secret that was pasted by mistake.
      let isPlace = editor.text.first == "{"
      var shown = editor
      if !isPlace, !editor.isEmpty {
        shown.setText(String(repeating: dots, count: editor.text.count))
      }
      let hint: SafeText = row.isSet ? SafeText(String(repeating: dots, count: 6) + " set") : ""
      draw(shown, isSelected, hint, in: area, glyphs, on: &canvas)
    }
  }

  /// Draws a line that is typed, or a hint while it is empty; the line below it shows its length.
  private func draw(
    _ editor: LineEditor,
    _ isSelected: Bool,
    _ hint: SafeText,
    in area: Rect,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
    if editor.isEmpty {
      let words = TextLine(hint).truncated(to: area.size.columns, glyphSet: glyphs)
      canvas.write(words, style: CellStyle(foreground: .secondary), at: area.origin, in: area)
    }
    if isSelected, !editor.isEmpty || hint.isEmpty {
      editor.draw(on: &canvas, at: area.origin, columns: area.size.columns, glyphs, in: area)
    } else if isSelected {
      let cell = Rect(origin: area.origin, size: Size(columns: 1, rows: 1))
      canvas.restyle(cell.intersection(area)) { $0.attributes.insert(.reverse) }
    } else {
      let line = TextLine(SafeText(editor.text))
        .truncated(to: area.size.columns, glyphSet: glyphs)
      canvas.write(line, style: CellStyle(foreground: .label), at: area.origin, in: area)
    }
    canvas.restyle(area) { $0.attributes.insert(.underline) }
  }
}
