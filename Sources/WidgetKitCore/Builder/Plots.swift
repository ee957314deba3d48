/// A line of small bars.
public struct Sparkline: View {
  /// A sparkline is one element and has no body.
  public typealias Body = Never

  /// The sparkline as one element.
  public let nodes: [ViewNode]

  /// Creates a sparkline.
  ///
  /// - Parameters:
  ///   - values: The values from the oldest to the newest; nil is a gap.
  ///   - bounds: The values of the lowest and the highest bar; nil for the extremes of the values.
  ///   - height: Rows.
  public init(_ values: [Double?], in bounds: ClosedRange<Double>? = nil, height: Int = 1) {
    let content = SparklineContent(
      values: values,
      minimum: bounds?.lowerBound,
      maximum: bounds?.upperBound,
      height: height
    )
    nodes = [ViewNode(.sparkline(content))]
  }
}

/// Several series plotted in rows of cells.
public struct Chart: View {
  /// A chart is one element and has no body.
  public typealias Body = Never

  /// The chart as one element.
  public let nodes: [ViewNode]

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
    let content = ChartContent(
      series: series,
      minimum: bounds?.lowerBound,
      maximum: bounds?.upperBound,
      height: height,
      kind: kind
    )
    nodes = [ViewNode(.chart(content))]
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

  private init(_ content: ChartContent) {
    nodes = [ViewNode(.chart(content))]
  }

  private func changed(_ change: (inout ChartContent) -> Void) -> Chart {
    guard case .chart(var content) = nodes.first?.content else { return self }
    change(&content)
    return Chart(content)
  }

  /// Shows values on the left, at the top, in the middle and at the bottom, if there is room.
  ///
  /// The unit follows each value; one that begins with a letter follows a space and the prefix of the
  /// value: 1,200,000 with the unit `B/s` is `1.2 MB/s`.
  public func axis(unit: String? = nil) -> Chart {
    changed { content in
      content.showsAxis = true
      content.unit = unit.map { SafeText($0) }
    }
  }

  /// Shows or hides the names of the series.
  public func legend(_ isShown: Bool) -> Chart {
    changed { $0.showsLegend = isShown }
  }
}

/// A picture, or its `alt` if it cannot be shown.
public struct Image: View {
  /// An image is one element and has no body.
  public typealias Body = Never

  /// The image as one element.
  public let nodes: [ViewNode]

  /// Creates an image of the file at `path`, in the bundle or in one of its containers.
  public init(_ path: String, alt: String, height: Int? = nil) {
    nodes = [ViewNode(.image(ImageContent(path: path, alt: SafeText(alt), height: height)))]
  }

  /// Creates an image from a file's content in base64.
  public init(base64 data: String, alt: String, height: Int? = nil) {
    nodes = [ViewNode(.image(ImageContent(data: data, alt: SafeText(alt), height: height)))]
  }
}
