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
  /// The mode below the form.
  var below = TodayModel.ModeBelow.page
  private let name: SafeText
  private(set) var rows: [SettingsFormRow]
  /// The row with the focus; behind the last one come Save and Cancel.
  private(set) var selection = 0
  /// The line with the focus in a list; 0 in any other row.
  private(set) var line = 0
  /// Why nothing could be saved.
  private(set) var error: SafeText?

  /// Creates a form of the values that are in force.
  init(card: CardID, name: SafeText, _ rows: [SettingsBook.Row]) {
    self.card = card
    self.name = name
    self.rows = rows.map { SettingsFormRow($0) }
    selection = self.rows.firstIndex { !$0.isFixed } ?? self.rows.count + 1
    if self.rows.indices.contains(selection) { line = self.rows[selection].firstLine }
  }

  // MARK: - Values

  /// The settings that were changed.
  var changedRows: [SettingsFormRow] { rows.filter(\.isChanged) }

  /// The settings that were changed, each with its value as it is written in a command; without a value
  /// it is taken back.
  var changes: [(name: String, words: String?)] {
    changedRows.map { ($0.declaration.name, $0.words) }
  }

  /// Shows why settings cannot be saved, by name; the first of them gets the focus.
  mutating func show(_ faults: [String: SettingsFormRow.Fault]) {
    for index in rows.indices { rows[index].fault = faults[rows[index].declaration.name] }
    guard let first = rows.firstIndex(where: { $0.fault != nil }) else { return }
    (selection, line) = (first, rows[first].fault?.line ?? 0)
  }

  /// The setting of which the focus has left a line since `other`, if it was changed and nothing is said of it yet.
  func left(since other: SettingsForm) -> SettingsFormRow? {
    guard (other.selection, other.line) != (selection, line),
      rows.indices.contains(other.selection)
    else { return nil }
    let row = rows[other.selection]
    return row.isChanged && row.fault == nil ? row : nil
  }

  /// Says what is wrong with a setting; the focus stays.
  mutating func note(_ fault: SettingsFormRow.Fault?, of name: String) {
    for index in rows.indices where rows[index].declaration.name == name {
      rows[index].fault = fault
    }
  }

  /// Shows why nothing could be saved.
  mutating func show(_ error: SafeText) {
    self.error = error
  }

  // MARK: - Keys and the mouse

  private var save: Int { rows.count }
  private var cancel: Int { rows.count + 1 }

  /// The list with the focus is one whose texts can be removed and moved.
  var isInList: Bool {
    guard rows.indices.contains(selection), case .list = rows[selection].control else {
      return false
    }
    return true
  }

  /// Takes a key.
  mutating func take(_ key: Key) -> Outcome {
    switch key {
    case .escape: return .ends
    case .enter:
      if selection == cancel { return .ends }
      leaveLine()
      return .saves
    case .down: move(down: true)
    case .up: move(down: false)
    case .tab: select(selection == cancel ? 0 : selection + 1, \.firstLine)
    case .backTab: select(selection == 0 ? cancel : selection - 1, \.firstLine)
    case .pageUp: select(0, \.firstLine)
    case .pageDown: select(save, \.firstLine)
    default:
      guard rows.indices.contains(selection) else { return takeOnButton(key) }
      if let next = rows[selection].take(key, on: line) {
        line = next
        rows[selection].fault = nil
      }
      error = nil
    }
    return .stays
  }

  /// To the next or the previous line; from the last one of a setting to the next setting.
  private mutating func move(down: Bool) {
    if rows.indices.contains(selection) {
      // A line that is left without a text goes, so that the next one takes its place.
      let isEmptied = rows[selection].isEmptied(line)
      if isEmptied { rows[selection].removeEmptyLines() }
      let next = down ? (isEmptied ? line : line + 1) : line - 1
      if (0..<rows[selection].lineCount).contains(next) {
        line = next
        return
      }
    }
    let next = selection + (down ? 1 : -1)
    select(next < 0 ? cancel : next > cancel ? 0 : next) { down ? 0 : $0.lineCount - 1 }
  }

  private mutating func select(_ index: Int, _ line: (SettingsFormRow) -> Int) {
    leaveLine()
    selection = index
    self.line = rows.indices.contains(index) ? line(rows[index]) : 0
  }

  private mutating func leaveLine() {
    guard rows.indices.contains(selection), rows[selection].isEmptied(line) else { return }
    rows[selection].removeEmptyLines()
    line = min(line, rows[selection].lineCount - 1)
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
    let plan = plan(size, glyphs)
    if let button = plan.buttons.firstIndex(where: { $0.contains(position) }) {
      select(save + button, \.firstLine)
      return button == 0 ? .saves : .ends
    }
    guard let hit = plan.lines.first(where: { $0.area.contains(position) }) else { return .stays }
    switch hit.content {
    case .gap, .fault: return .stays
    case .title: select(hit.index, \.firstLine)
    case .control(let line, _):
      select(hit.index) { min(line, $0.lineCount - 1) }
      rows[hit.index].click(
        position.column - hit.area.minColumn,
        of: rows[hit.index].editorColumns(of: hit.area.size.columns),
        on: self.line
      )
    }
    return .stays
  }

  /// Moves the focus with the wheel.
  mutating func scroll(forward: Bool) {
    let isAtEnd = forward ? selection == cancel : selection == 0 && line == 0
    if !isAtEnd { move(down: forward) }
  }
}

// MARK: - Drawing

nonisolated extension SettingsForm {
  private func plan(_ screen: Size, _ glyphs: GlyphSet) -> SettingsFormPlan {
    SettingsFormPlan(rows, selection: selection, line: line, on: screen, glyphs)
  }

  /// Draws the form over the page.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let frame = FrameGlyphs(glyphs)
    let plan = plan(canvas.size, glyphs)
    _ = OverlayBox.draw(
      TextLine(" Settings of \(name) "),
      size: plan.wantedSize,
      glyphs: frame,
      on: &canvas
    )
    for line in plan.lines { draw(line, plan, glyphs, on: &canvas) }
    for (button, area) in plan.buttons.enumerated() {
      let isSelected = save + button == selection
      var style = CellStyle(foreground: isSelected ? .accent : .label)
      if isSelected { style.attributes.insert(.reverse) }
      let words = SettingsFormPlan.buttonWords[button]
      canvas.write(words, style: style, at: area.origin, in: plan.inside)
    }
    drawDetails(plan, glyphs, on: &canvas)
    let (above, below) = plan.hidden
    OverlayBox.drawHidden(above: above, below: below, plan.inside, frame, on: &canvas)
  }

  /// Draws what is said about the setting with the focus, or why nothing could be saved.
  private func drawDetails(_ plan: SettingsFormPlan, _ glyphs: GlyphSet, on canvas: inout Canvas) {
    let columns = plan.detail.size.columns
    var (words, style) = (SafeText(""), CellStyle(foreground: .secondary))
    if let error {
      (words, style.foreground) = (error, .orange)
    } else if rows.indices.contains(selection) {
      words = rows[selection].detail
    }
    let lines = TextLine.wrapped(words, columns: columns)
    let count = plan.detail.size.rows
    for (index, line) in lines.prefix(count).enumerated() {
      var words = line
      if index == count - 1, lines.count > count {
        let ellipsis = TextLine(glyphs: FrameGlyphs(glyphs).ellipsis)
        words = TextLine(glyphs: words.glyphs + ellipsis.glyphs)
          .truncated(to: columns, glyphSet: glyphs)
      }
      let place = Position(column: plan.detail.minColumn, row: plan.detail.minRow + index)
      canvas.write(words, style: style, at: place, in: plan.detail)
    }
  }

  private func draw(
    _ line: SettingsFormPlan.Line,
    _ plan: SettingsFormPlan,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
    let row = rows[line.index]
    let isFocused = line.index == selection
    let area = line.area.intersection(plan.inside)
    switch line.content {
    case .gap: break
    case .title(let title):
      let style = CellStyle(foreground: isFocused ? .accent : .secondary)
      canvas.write(title, style: style, at: line.area.origin, in: area)
    case .fault(let words):
      canvas.write(words, style: CellStyle(foreground: .orange), at: line.area.origin, in: area)
    case .control(let number, let title):
      let isSelected = isFocused && number == self.line
      if isSelected {
        let place = Position(column: plan.inside.minColumn, row: line.area.minRow)
        let mark: SafeText = glyphs == .unicode ? "›" : ">"
        canvas.write(mark, style: CellStyle(foreground: .accent), at: place, in: plan.inside)
      }
      row.draw(number, title: title, isSelected: isSelected, in: area, glyphs, on: &canvas)
    }
  }
}
