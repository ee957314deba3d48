/// A value between two bounds, as a bar.
public struct Gauge: View {
  /// A gauge is one element and has no body.
  public typealias Body = Never

  private var content: GaugeContent

  /// Creates a gauge with texts on its sides.
  ///
  /// - Parameters:
  ///   - label: The text before the bar.
  ///   - value: The value; drawn within the bounds.
  ///   - bounds: The values of an empty and of a full bar.
  ///   - valueLabel: The text after the bar, with the unit.
  public init(
    _ label: String? = nil,
    value: Double,
    in bounds: ClosedRange<Double> = 0...1,
    valueLabel: String? = nil
  ) {
    content = GaugeContent(
      value: value,
      minimum: bounds.lowerBound,
      maximum: bounds.upperBound,
      label: label.map(SafeText.init(_:)),
      valueLabel: valueLabel.map(SafeText.init(_:))
    )
  }

  /// Creates a gauge with a text before the bar.
  public init(value: Double, in bounds: ClosedRange<Double> = 0...1, label: () -> Text) {
    self.init(value: value, in: bounds)
    content.label = label().plain
  }

  /// Creates a gauge with a text before the bar and one after it.
  public init(
    value: Double,
    in bounds: ClosedRange<Double> = 0...1,
    label: () -> Text,
    currentValueLabel: () -> Text
  ) {
    self.init(value: value, in: bounds, label: label)
    content.valueLabel = currentValueLabel().plain
  }

  /// Sets another colour of the bar for values from `value` on.
  public func threshold(at value: Double, _ color: Color) -> Gauge {
    var gauge = self
    gauge.content.thresholds.append(GaugeThreshold(at: value, foreground: color))
    return gauge
  }

  /// The gauge as one element.
  public var nodes: [ViewNode] { [ViewNode(.gauge(content))] }
}
