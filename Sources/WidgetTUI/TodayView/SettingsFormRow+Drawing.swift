import WidgetCards
import WidgetKitCore

nonisolated extension SettingsFormRow {
  /// Draws the control.
  func draw(isSelected: Bool, in area: Rect, _ glyphs: GlyphSet, on canvas: inout Canvas) {
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
      let mark = glyphs == .unicode ? "✓" : "x"
      write(SafeText(flag.map { $0 ? "[\(mark)]" : "[ ]" } ?? "[-]"), plain)
    case .choice(let index):
      let words = index.map { declaration.choices[$0] } ?? "none"
      write(SafeText(glyphs == .unicode ? "‹ \(words) ›" : "< \(words) >"), plain)
    case .text(let editor):
      let isStandard = editor.isEmpty && !standard.isEmpty
      draw(editor, isSelected, isStandard ? standard : "", in: area, glyphs, on: &canvas)
    case .secret(let editor):
      let dots = glyphs == .unicode ? "•" : "*"
      // A place is shown; anything else may be a secret that was pasted by mistake.
      let isPlace = editor.text.first == "{"
      var shown = editor
      if !isPlace, !editor.isEmpty {
        shown.setText(String(repeating: dots, count: editor.text.count))
      }
      let hint: SafeText = isSet ? SafeText(String(repeating: dots, count: 6) + " set") : ""
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
