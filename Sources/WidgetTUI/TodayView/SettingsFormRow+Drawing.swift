import WidgetCards
import WidgetKitCore

nonisolated extension SettingsFormRow {
  /// Columns of a number, where there is room.
  private static let numberColumns = 16

  /// The columns in which a line is typed, of those that the control has.
  func editorColumns(of columns: Int) -> Int {
    declaration.kind == .number ? min(columns, Self.numberColumns) : columns
  }

  /// The box of a toggle as on a card.
  static func box(_ flag: Bool?, _ glyphs: GlyphSet) -> SafeText {
    guard glyphs == .unicode else { return flag == nil ? "[-]" : flag == true ? "[x]" : "[ ]" }
    return flag == true ? "☑" : "☐"
  }

  /// The columns of a box with the blank behind it; nil if the setting has none.
  func boxColumns(_ glyphs: GlyphSet) -> Int? {
    guard case .flag = control else { return nil }
    return glyphs == .unicode ? 2 : 4
  }

  /// Draws a line of the control; `title` is what stands behind the box of a toggle.
  func draw(
    _ line: Int,
    title: TextLine?,
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
    switch control {
    case .fixed(let words, let place):
      // The line and column are at the end of a path that may be long; the details have all of it.
      let file = SafeText(place.string.split(separator: "/").last.map(String.init) ?? place.string)
      write("\(words)  (\(file))", quiet)
    case .flag(let flag):
      if flag == true, !isSelected { plain.foreground = .accent }
      write(Self.box(flag, glyphs), plain)
      if let title {
        let place = Position(
          column: area.minColumn + (boxColumns(glyphs) ?? 0),
          row: area.minRow
        )
        let style = CellStyle(foreground: isSelected ? .accent : .label)
        canvas.write(title, style: style, at: place, in: area)
      }
    case .choice(let index):
      let words = index.map { declaration.choices[$0] } ?? "none"
      write(SafeText(glyphs == .unicode ? "‹ \(words) ›" : "< \(words) >"), plain)
    case .text(let editor):
      drawLine(editor, hint, isSelected, in: area, glyphs, on: &canvas)
    case .list(let list):
      guard list.lines.indices.contains(line) else { return }
      drawLine(list.lines[line], hint, isSelected, in: area, glyphs, on: &canvas)
    case .secret(let editor):
      let dots = glyphs == .unicode ? "•" : "*"
      // A place is shown; anything else may be a secret that was pasted by mistake.
      let isPlace = editor.text.first == "{"
      var shown = editor
      if !isPlace, !editor.isEmpty {
        shown.setText(String(repeating: dots, count: editor.text.count))
      }
      let hint = isSet ? SafeText(String(repeating: dots, count: 6) + " set") : self.hint
      drawLine(shown, hint, isSelected, in: area, glyphs, on: &canvas)
    }
  }

  /// Draws a line that is typed, or a hint while it is empty; the line below it shows its length.
  private func drawLine(
    _ editor: LineEditor,
    _ hint: SafeText,
    _ isSelected: Bool,
    in whole: Rect,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
    var area = whole
    area.size.columns = editorColumns(of: whole.size.columns)
    if editor.isEmpty {
      let words = TextLine(hint).truncated(to: area.size.columns, glyphSet: glyphs)
      canvas.write(words, style: CellStyle(foreground: .secondary), at: area.origin, in: area)
    }
    if isSelected, !editor.isEmpty || hint.isEmpty {
      editor.draw(on: &canvas, at: area.origin, columns: area.size.columns, glyphs, in: area)
    } else if isSelected {
      let cell = Rect(origin: area.origin, size: Size(columns: 1, rows: 1))
      canvas.restyle(cell.intersection(area)) { $0.attributes.formUnion([.reverse, .cursor]) }
    } else {
      let line = TextLine(SafeText(editor.text))
        .truncated(to: area.size.columns, glyphSet: glyphs)
      canvas.write(line, style: CellStyle(foreground: .label), at: area.origin, in: area)
    }
    canvas.restyle(area) { $0.attributes.insert(.underline) }
    if let unit = declaration.unit {
      let place = Position(column: area.maxColumn + 1, row: area.minRow)
      canvas.write(unit, style: CellStyle(foreground: .secondary), at: place, in: whole)
    }
  }
}
