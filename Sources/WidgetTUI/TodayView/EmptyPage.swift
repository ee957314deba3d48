import PageRecords
import WidgetKitCore

/// The text of a page without cards: how to add a widget, or where widgets are looked for.
nonisolated enum EmptyPage {
  /// Draws the words in the upper third of the viewport.
  static func draw(_ model: TodayModel, on canvas: inout Canvas) {
    let margin = model.size.columns >= 24 ? 2 : 0
    let columns = model.size.columns - 2 * margin
    var lines: [(TextLine, CellStyle)] = []
    func add(_ text: SafeText, _ style: CellStyle) {
      for line in TextLine.wrapped(text, columns: columns) { lines.append((line, style)) }
    }
    let quiet = CellStyle(foreground: .secondary)
    let loud = CellStyle(foreground: .label, attributes: .bold)
    if let filter = model.place.filter {
      add("No card has “\(SafeText(filter.text))”.", loud)
      add("Esc shows all cards.", quiet)
      write(lines, model, margin: margin, on: &canvas)
      return
    }
    let isHidden = model.content.hiddenCount > 0
    let isNew = !model.content.newWidgets.isEmpty
    add(
      isHidden ? "Nothing to show today." : isNew ? "Nothing on the page yet." : "No widgets yet.",
      loud
    )
    if isNew {
      let key = model.keyMap.name(of: .edit).map { "\($0), or with a command:" }
      add("Add a widget \(SafeText(key.map { "with \($0)" } ?? "with a command:"))", quiet)
      for widget in model.content.newWidgets.prefix(8) {
        add("today add \(widget.bundleIdentifier)", CellStyle(foreground: .label))
      }
    }
    if isHidden {
      add("Widgets without content: \(model.content.hiddenCount).", quiet)
    } else if !isNew, !model.content.searchedFolders.isEmpty {
      add("Folders ending in .widget or .app are looked for in", quiet)
      for folder in model.content.searchedFolders {
        add("\(folder)", CellStyle(foreground: .label))
      }
    }
    write(lines, model, margin: margin, on: &canvas)
  }

  private static func write(
    _ lines: [(TextLine, CellStyle)],
    _ model: TodayModel,
    margin: Int,
    on canvas: inout Canvas
  ) {
    let viewport = model.viewport
    let spare = viewport.size.rows - lines.count - model.problemLines.count
    var place = Position(
      column: margin,
      row: viewport.minRow + model.problemLines.count + max(0, spare / 3)
    )
    for (line, style) in lines {
      canvas.write(line, style: style, at: place, in: viewport)
      place.row += 1
    }
  }
}
