import WidgetKitCore

nonisolated extension LaidOutView {
  /// The view as a look back shows it: nothing can be pressed, nothing changes, and what differs from the content
  /// before it is marked.
  ///
  /// - Parameter before: The content before it in the same width; nil if there was none.
  /// - Returns: The view.
  func asPast(after before: LaidOutView?) -> LaidOutView {
    var view = self
    (view.targets, view.nextChange) = ([], nil)
    view.countdownEnd = nil
    guard let before else { return view }
    let cells = before.glyphs
    for run in view.runs.indices {
      let position = view.runs[run].position
      var isMarked = false
      for index in view.runs[run].cells.indices {
        let glyph = view.runs[run].cells[index].glyph
        if glyph != .continuation {
          let place = Position(column: position.column + index, row: position.row)
          isMarked = glyph != .space && !glyph.isDrawn && glyph != cells[place]
        }
        if isMarked { view.runs[run].cells[index].style.markAsChanged() }
      }
    }
    return view
  }

  /// The characters by their places; those in front count.
  private var glyphs: [Position: Glyph] {
    var glyphs: [Position: Glyph] = [:]
    for run in runs {
      for (index, cell) in run.cells.enumerated() {
        glyphs[Position(column: run.position.column + index, row: run.position.row)] = cell.glyph
      }
    }
    return glyphs
  }
}

nonisolated extension Glyph {
  /// Whether it is a part of a line, a bar or a graph, which moves as a whole: U+2500 to U+259F, and Braille.
  fileprivate var isDrawn: Bool {
    guard let scalar = text.unicodeScalars.first else { return false }
    return (0x2500...0x259F).contains(scalar.value) || (0x2800...0x28FF).contains(scalar.value)
  }
}

nonisolated extension CellStyle {
  /// Marks what has changed, also without colours.
  fileprivate mutating func markAsChanged() {
    attributes.formUnion([.underline, .bold])
    if background == nil { foreground = .accent }
  }
}
