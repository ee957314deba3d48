/// The bar of a gauge: a part that is filled, and a track.
package struct GaugeBar: Hashable, Sendable {
  /// Its columns.
  let columns: Int
  /// How full it is, 0 to 1.
  package private(set) var fraction: Double
  /// Whether its colour says something about the value, so that no theme chooses another.
  package let isRated: Bool
  private let style: CellStyle
  private let glyphs: GlyphSet

  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - columns: Its columns.
  ///   - fraction: How full it is, 0 to 1.
  ///   - style: The look of the filled part.
  ///   - isRated: Whether its colour is that of a threshold.
  ///   - glyphs: The characters that it is drawn with.
  init(columns: Int, fraction: Double, style: CellStyle, isRated: Bool, glyphs: GlyphSet) {
    (self.columns, self.fraction, self.style, self.glyphs) = (columns, fraction, style, glyphs)
    self.isRated = isRated
  }

  /// The bar part of the way from another one.
  func between(_ old: GaugeBar, part: Double) -> GaugeBar {
    var bar = self
    bar.fraction = old.fraction + (fraction - old.fraction) * part
    return bar
  }

  /// What is drawn.
  var cells: [Cell] {
    let filled = filledGlyphs
    var track = style
    track.foreground = .separator
    let rest = Array(repeating: Ramp.track(glyphs), count: columns - filled.count)
    return Cell.cells(filled, style) + Cell.cells(rest, track)
  }

  /// The glyphs of the filled part, the last of which may be filled in part.
  private var filledGlyphs: [Glyph] {
    let ramp = Ramp.rightward(glyphs)
    let steps = ramp.level(fraction, cells: columns)
    var filled = Array(repeating: ramp.full, count: min(steps / ramp.steps, columns))
    if steps % ramp.steps > 0 && filled.count < columns {
      filled.append(ramp.glyphs[steps % ramp.steps - 1])
    }
    return filled
  }

  /// Colours its cells by their places.
  ///
  /// - Parameters:
  ///   - cells: Those that were drawn.
  ///   - gradient: The colours from an empty to a full bar; none leaves the cells as they are.
  fileprivate func color(_ cells: inout [Cell], _ gradient: [Color]) {
    guard !isRated, !gradient.isEmpty, columns > 0 else { return }
    for index in cells.indices.prefix(filledGlyphs.count) {
      let place = (Double(index) + 0.5) / Double(columns) * Double(gradient.count)
      cells[index].style.foreground = gradient[min(Int(place), gradient.count - 1)]
    }
  }
}

extension LaidOutView {
  /// The view with the bars whose colour rates nothing in the colours of a theme.
  package func coloringBars(_ gradient: [Color]) -> LaidOutView {
    guard !gradient.isEmpty else { return self }
    var view = self
    for figure in figures {
      guard case .bar(let bar) = figure.form, view.runs.indices.contains(figure.run) else {
        continue
      }
      bar.color(&view.runs[figure.run].cells, gradient)
    }
    return view
  }
}
