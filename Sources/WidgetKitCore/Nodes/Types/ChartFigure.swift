/// A chart ready to be drawn at any width.
struct ChartFigure {
  /// One series.
  struct Series {
    var values: [Double?]
    var style: CellStyle
    var name: TextFlow?
    /// The values at the bottom and at the top.
    var lower = 0.0
    var upper = 1.0

    /// Returns the relative height of a value, 0 to 1.
    func height(_ value: Double) -> Double {
      lower < upper ? value.fraction(from: lower, to: upper) : 0
    }
  }

  let series: [Series]
  let kind: ChartKind
  /// Rows of the plot.
  let plotRows: Int
  /// Whether the second series goes down.
  let isMirrored: Bool
  /// The colours by height.
  let tone: GraphTone
  /// Whether a row below the plot names the series.
  let hasLegend: Bool
  /// What is shown on the left; nil for nothing.
  let axis: ChartAxis?

  init(_ content: ChartContent, _ origin: LayoutBox.Origin, _ builder: BoxBuilder) {
    let (style, isRedacted) = (origin.style, origin.isRedacted)
    kind = content.kind
    plotRows = content.height.boundedExtent
    let isSingle = content.series.count < 2
    var series = content.series.enumerated().map { index, series in
      var own = style.applying(series.style)
      if !isSingle && series.style.foreground == nil {
        own.foreground = Self.palette[index % Self.palette.count]
      }
      let name = series.name.map { builder.flow([TextSpan($0)], origin) }
      return Series(values: isRedacted ? [] : series.values, style: own, name: name)
    }
    let isFilled = content.kind != .line
    isMirrored = content.mirrored && isFilled && series.count > 1 && plotRows > 1
    // The lower part of a line says as much as the upper one, so that only what is filled fades.
    tone = GraphTone(content.gradient, fades: isFilled)
    let common = Self.range(of: series)
    for index in series.indices {
      // What goes in two directions mostly differs by far, such as what is received and sent.
      let range = isMirrored ? Self.range(of: [series[index]]) : common
      series[index].lower =
        isMirrored ? 0 : content.minimum ?? (isFilled ? min(0, range.least) : range.least)
      series[index].upper = content.maximum ?? range.most
    }
    self.series = series
    hasLegend = content.showsLegend && content.series.contains { $0.name != nil }
    guard content.showsAxis, !isRedacted, let first = series.first else {
      axis = nil
      return
    }
    axis =
      isMirrored
      ? ChartAxis(up: first.upper, down: series[1].upper, unit: content.unit, style: style)
      : ChartAxis(from: first.lower, to: first.upper, unit: content.unit, style: style)
  }

  /// The least and the largest value of all series; 0 and 1 if there is none.
  private static func range(of series: [Series]) -> (least: Double, most: Double) {
    var (least, most) = (Double.infinity, -Double.infinity)
    for series in series {
      for case let value? in series.values {
        least = min(least, value)
        most = max(most, value)
      }
    }
    return least <= most ? (least, most) : (0, 1)
  }

  /// Colours of series that have none of their own.
  private static let palette: [Color] = [.blue, .orange, .green, .purple, .teal, .pink]

  var rows: Int { plotRows + (hasLegend ? 1 : 0) }

  var idealColumns: Int {
    let longest = series.reduce(0) { max($0, $1.values.count) }
    return min(max(longest, 8), 40)
  }

  /// Returns the mark of a series if a cell shows one character and no dots.
  static func mark(_ index: Int, _ glyphs: GlyphSet) -> Glyph {
    let marks = Glyph.glyphs(of: "*+ox#@")
    return glyphs == .unicode ? Glyph("■", width: 1) : marks[index % marks.count]
  }
}
