/// A chart ready to be drawn at any width.
struct ChartFigure {
  /// One series.
  struct Series {
    var values: [Double?]
    var style: CellStyle
    var name: TextFlow?
  }

  let series: [Series]
  let kind: ChartKind
  /// Rows of the plot.
  let plotRows: Int
  /// The values at the bottom and at the top.
  let lower: Double
  let upper: Double
  /// Whether a row below the plot names the series.
  let hasLegend: Bool
  /// What is shown on the left; nil for nothing.
  let axis: ChartAxis?

  init(_ content: ChartContent, _ origin: LayoutBox.Origin, _ builder: BoxBuilder) {
    let (style, isRedacted) = (origin.style, origin.isRedacted)
    kind = content.kind
    plotRows = content.height.boundedExtent
    let isSingle = content.series.count < 2
    series = content.series.enumerated().map { index, series in
      var own = style.applying(series.style)
      if !isSingle && series.style.foreground == nil {
        own.foreground = Self.palette[index % Self.palette.count]
      }
      let name = series.name.map { builder.flow([TextSpan($0)], origin) }
      return Series(values: isRedacted ? [] : series.values, style: own, name: name)
    }
    let range = Self.range(of: series)
    let isFilled = content.kind != .line
    lower = content.minimum ?? (isFilled ? min(0, range.least) : range.least)
    upper = content.maximum ?? range.most
    hasLegend = content.showsLegend && content.series.contains { $0.name != nil }
    axis =
      content.showsAxis && !isRedacted
      ? ChartAxis(from: lower, to: upper, unit: content.unit, style: style) : nil
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

  /// Returns the relative height of a value, 0 to 1.
  func height(_ value: Double) -> Double {
    lower < upper ? value.fraction(from: lower, to: upper) : 0
  }

  /// Returns the mark of a series if a cell shows one character and no dots.
  static func mark(_ index: Int, _ glyphs: GlyphSet) -> Glyph {
    let marks = Glyph.glyphs(of: "*+ox#@")
    return glyphs == .unicode ? Glyph("■", width: 1) : marks[index % marks.count]
  }
}
