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
  /// The colours from the bottom to the top; none for the colours of the series.
  public var gradient: [Color] = []
  /// Whether the second series goes down from a common base, as what is sent below what is received; false by default.
  public var mirrored = false

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

extension ChartContent: NodeContent {
  static let type = "chart"
  var wrapped: ViewNode.Content { .chart(self) }

  enum Member: Int, ViewMemberKey {
    case series, minimum, maximum, height, kind, showsAxis, showsLegend, unit, gradient, mirrored
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      series: try members.list(.series, of: "series"),
      minimum: try members.number(.minimum),
      maximum: try members.number(.maximum),
      height: try members.extent(.height) ?? 4,
      kind: try members.choice(.kind) ?? .line,
      showsAxis: try members.flag(.showsAxis) ?? false,
      showsLegend: try members.flag(.showsLegend) ?? true,
      unit: try members.value(.unit)
    )
    gradient = try members.list(.gradient, of: "colours")
    mirrored = try members.flag(.mirrored) ?? false
  }

  func write(to members: inout Writer) throws {
    try members.encode(series, forKey: .series, unless: [])
    try members.encodeIfPresent(minimum, forKey: .minimum)
    try members.encodeIfPresent(maximum, forKey: .maximum)
    try members.encode(height, forKey: .height, unless: 4)
    try members.encode(kind, forKey: .kind, unless: .line)
    try members.encode(showsAxis, forKey: .showsAxis, unless: false)
    try members.encode(showsLegend, forKey: .showsLegend, unless: true)
    try members.encodeIfPresent(unit, forKey: .unit)
    try members.encode(gradient, forKey: .gradient, unless: [])
    try members.encode(mirrored, forKey: .mirrored, unless: false)
  }

  static let isFigure = true

  var texts: [SafeText] { series.compactMap(\.name) }

  func words(isBesideText: Bool) -> SafeText? {
    SafeText(
      joining: series.compactMap { series in
        guard let words = series.values.words else { return nil }
        let named = series.name.map { SafeText("\($0) \(words)") } ?? words
        return unit.map { SafeText("\(named) \($0)") } ?? named
      },
      with: "; "
    )
  }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    ChartBox(origin, ChartFigure(self, origin, builder))
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

extension ChartSeries: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case name, values, style
    static let names = listNames()
  }

  /// Reads a series; `values` is required.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      name: try members.value(.name),
      values: try members.numbers(.values),
      style: try members.value(.style) ?? .inherited
    )
  }

  /// Writes the values, and all other members that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(name, forKey: .name)
    try members.encode(values, forKey: .values)
    try members.encode(style, forKey: .style, unless: .inherited)
  }
}

/// Several series plotted in rows of cells.
public struct Chart: ElementView {
  private var content: ChartContent

  /// Creates a chart.
  ///
  /// - Parameters:
  ///   - series: The series, the last one in front.
  ///   - kind: Lines, areas or bars.
  ///   - bounds: The values at the bottom and at the top; nil for the extremes of the values.
  ///   - height: Rows of the plot.
  public init(
    _ series: [ChartSeries],
    kind: ChartKind = .line,
    in bounds: ClosedRange<Double>? = nil,
    height: Int = 4
  ) {
    content = ChartContent(
      series: series,
      minimum: bounds?.lowerBound,
      maximum: bounds?.upperBound,
      height: height,
      kind: kind
    )
  }

  /// Creates a chart of one series without a name.
  public init(
    _ values: [Double?],
    kind: ChartKind = .line,
    in bounds: ClosedRange<Double>? = nil,
    height: Int = 4
  ) {
    self.init([ChartSeries(values: values)], kind: kind, in: bounds, height: height)
  }

  /// The chart as one element.
  public var nodes: [ViewNode] { [ViewNode(.chart(content))] }

  /// Shows values on the left, at the top, in the middle and at the bottom, if there is room.
  ///
  /// The unit follows each value; one that begins with a letter follows a space and the prefix of the
  /// value: 1,200,000 with the unit `B/s` is `1.2 MB/s`.
  public func axis(unit: String? = nil) -> Chart {
    var chart = self
    chart.content.showsAxis = true
    chart.content.unit = unit.map { SafeText($0) }
    return chart
  }

  /// Sets the colours from the bottom to the top.
  public func gradient(_ colors: [Color]) -> Chart {
    var chart = self
    chart.content.gradient = colors
    return chart
  }

  /// Lets the second series go down from a common base, each with a scale of its own.
  public func mirrored() -> Chart {
    var chart = self
    chart.content.mirrored = true
    return chart
  }

  /// Shows or hides the names of the series.
  public func legend(_ isShown: Bool) -> Chart {
    var chart = self
    chart.content.showsLegend = isShown
    return chart
  }
}
