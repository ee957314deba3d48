/// A value from which a gauge has another colour.
public struct GaugeThreshold: Hashable, Sendable {
  /// The value, in the gauge's own unit.
  public var at: Double
  /// The colour for values from `at` on.
  public var foreground: Color

  /// Creates a threshold.
  public init(at: Double, foreground: Color) {
    self.at = at
    self.foreground = foreground
  }
}

/// The members of a `gauge`.
public struct GaugeContent: Hashable, Sendable {
  /// The value; clamped to the bounds when drawn.
  public var value: Double
  /// The value of an empty bar; 0 by default.
  public var minimum: Double
  /// The value of a full bar; 1 by default.
  public var maximum: Double
  /// The text before the bar.
  public var label: SafeText?
  /// The text after the bar.
  public var valueLabel: SafeText?
  /// Colours for values above thresholds, in any order.
  public var thresholds: [GaugeThreshold]

  /// Creates the content of a gauge.
  public init(
    value: Double,
    minimum: Double = 0,
    maximum: Double = 1,
    label: SafeText? = nil,
    valueLabel: SafeText? = nil,
    thresholds: [GaugeThreshold] = []
  ) {
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
    self.label = label
    self.valueLabel = valueLabel
    self.thresholds = thresholds
  }
}

/// The members of a `sparkline`.
public struct SparklineContent: Hashable, Sendable {
  /// From the oldest to the newest; nil is a hole, and of more than fit the newest are shown.
  public var values: [Double?]
  /// The values from the oldest to the newest; nil is a gap.
  ///
  /// If not all fit, the newest are shown.
  public var minimum: Double?
  /// The value of the highest bar; nil for the extremes of the values.
  public var maximum: Double?
  /// Rows; 1 by default.
  public var height: Int

  /// Creates the content of a sparkline.
  public init(
    values: [Double?],
    minimum: Double? = nil,
    maximum: Double? = nil,
    height: Int = 1
  ) {
    self.values = values
    self.minimum = minimum
    self.maximum = maximum
    self.height = height
  }
}

/// One line or set of bars of a chart.
public struct ChartSeries: Hashable, Sendable {
  /// Its name in the legend.
  public var name: SafeText?
  /// The values from the oldest to the newest; nil is a gap.
  public var values: [Double?]
  /// Its colour.
  public var style: TextStyle

  /// Creates a series.
  public init(name: SafeText? = nil, values: [Double?], style: TextStyle = .inherited) {
    self.name = name
    self.values = values
    self.style = style
  }
}

/// The kind of a chart.
public enum ChartKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A line of dots, two by four per cell.
  case line
  /// A line, and everything below it.
  case area
  /// Bars from the bottom, with a resolution of an eighth of a row.
  case bar
}

/// The members of a `chart`.
public struct ChartContent: Hashable, Sendable {
  /// The series, the last one in front.
  public var series: [ChartSeries]
  /// The value at the bottom; nil for the extremes of the values.
  public var minimum: Double?
  /// The value at the top; nil for the extremes of the values.
  public var maximum: Double?
  /// Rows of the plot; 4 by default.
  public var height: Int
  /// Lines, areas or bars.
  public var kind: ChartKind
  /// Whether the values at the top, in the middle and at the bottom are shown on the left if there is
  /// room; false by default.
  public var showsAxis: Bool
  /// Whether the names of the series are shown below; true by default.
  public var showsLegend: Bool
  /// The unit of the values, which follows those on the axis.
  public var unit: SafeText?

  /// Creates the content of a chart.
  public init(
    series: [ChartSeries],
    minimum: Double? = nil,
    maximum: Double? = nil,
    height: Int = 4,
    kind: ChartKind = .line,
    showsAxis: Bool = false,
    showsLegend: Bool = true,
    unit: SafeText? = nil
  ) {
    self.series = series
    self.minimum = minimum
    self.maximum = maximum
    self.height = height
    self.kind = kind
    self.showsAxis = showsAxis
    self.showsLegend = showsLegend
    self.unit = unit
  }
}

/// The members of an `image`.
public struct ImageContent: Hashable, Sendable {
  /// A file in the bundle or in one of its containers.
  public var path: String?
  /// The file itself, base64.
  public var data: String?
  /// The text that is shown instead of the image.
  public var alt: SafeText?
  /// Rows.
  public var height: Int?

  /// Creates the content of an image.
  public init(
    path: String? = nil,
    data: String? = nil,
    alt: SafeText? = nil,
    height: Int? = nil
  ) {
    self.path = path
    self.data = data
    self.alt = alt
    self.height = height
  }

  /// Where its file is; nil if it has none.
  package var source: ImageSource? { path.map { .path($0) } ?? data.map { .data($0) } }
}
