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
  /// Why nothing could be saved.
  private(set) var error: SafeText?

  /// Creates a form of the values that are in force.
  init(card: CardID, name: SafeText, _ rows: [SettingsBook.Row]) {
    self.card = card
    self.name = name
    self.rows = rows.map { SettingsFormRow($0) }
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

  /// The setting that the focus has left since `other`, if it was changed and nothing is said of it yet.
  func left(since other: SettingsForm) -> SettingsFormRow? {
    guard other.selection != selection, rows.indices.contains(other.selection) else { return nil }
    let row = rows[other.selection]
    return row.isChanged && row.error == nil ? row : nil
  }

  /// Says what is wrong with a setting; the focus stays.
  mutating func note(_ error: SafeText?, of name: String) {
    for index in rows.indices where rows[index].declaration.name == name {
      rows[index].error = error
    }
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
    if let button = plan.buttons.firstIndex(where: { $0.contains(position) }) {
      selection = save + button
      return button == 0 ? .saves : .ends
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
  private func plan(_ screen: Size) -> SettingsFormPlan {
    SettingsFormPlan(rows, selection: selection, on: screen)
  }

  /// Draws the form over the page.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let frame = FrameGlyphs(glyphs)
    let plan = plan(canvas.size)
    _ = OverlayBox.draw(
      TextLine(" Settings of \(name) "),
      size: plan.wantedSize,
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
    for (button, area) in plan.buttons.enumerated() {
      let isSelected = save + button == selection
      var style = CellStyle(foreground: isSelected ? .accent : .label)
      if isSelected { style.attributes.insert(.reverse) }
      let words = SettingsFormPlan.buttonWords[button]
      canvas.write(words, style: style, at: area.origin, in: plan.inside)
    }
    drawDetails(plan, glyphs, on: &canvas)
  }

  /// Draws what is said about the setting with the focus, or why nothing could be saved.
  private func drawDetails(_ plan: SettingsFormPlan, _ glyphs: GlyphSet, on canvas: inout Canvas) {
    let columns = plan.detail.size.columns
    var lines: [(words: TextLine, style: CellStyle)] = []
    if let error {
      let style = CellStyle(foreground: .orange)
      lines = TextLine.wrapped(error, columns: columns).map { ($0, style) }
    } else if rows.indices.contains(selection) {
      let details = rows[selection].details(
        columns: columns,
        besideTitles: plan.labelColumns
      )
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

  private func draw(
    _ line: SettingsFormPlan.Line,
    _ plan: SettingsFormPlan,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
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
    row.draw(isSelected: isSelected, in: line.control.intersection(inside), glyphs, on: &canvas)
  }
}
