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

extension GaugeContent: NodeContent {
  static let type = "gauge"
  var wrapped: ViewNode.Content { .gauge(self) }

  enum Member: Int, ViewMemberKey {
    case value, minimum, maximum, label, valueLabel, thresholds
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    guard let value = try members.number(.value) else {
      throw members.expected("a number", forKey: .value)
    }
    self.init(
      value: value,
      minimum: try members.number(.minimum) ?? 0,
      maximum: try members.number(.maximum) ?? 1,
      label: try members.value(.label),
      valueLabel: try members.value(.valueLabel),
      thresholds: try members.list(.thresholds, of: "thresholds")
    )
  }

  func write(to members: inout Writer) throws {
    try members.encode(value, forKey: .value)
    try members.encode(minimum, forKey: .minimum, unless: 0)
    try members.encode(maximum, forKey: .maximum, unless: 1)
    try members.encodeIfPresent(label, forKey: .label)
    try members.encodeIfPresent(valueLabel, forKey: .valueLabel)
    try members.encode(thresholds, forKey: .thresholds, unless: [])
  }

  static let isFigure = true

  /// How full it is, 0 to 1.
  fileprivate var fraction: Double { value.fraction(from: minimum, to: maximum) }

  var texts: [SafeText] { [label, valueLabel].compactMap(\.self) }

  func words(isBesideText: Bool) -> SafeText? {
    let words = valueLabel ?? SafeText("\(Int((fraction * 100).rounded())) %")
    return label.map { SafeText("\($0) \(words)") } ?? words
  }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    GaugeBox(origin, self, builder)
  }
}

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

extension GaugeThreshold: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case at, foreground
    static let names = listNames()
  }

  /// Reads `{"at":0.9,"foreground":"red"}`.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    guard let at = try members.number(.at) else { throw members.expected("a number", forKey: .at) }
    guard let foreground: Color = try members.value(.foreground) else {
      throw members.expected("a colour", forKey: .foreground)
    }
    self.init(at: at, foreground: foreground)
  }

  /// Writes both members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(at, forKey: .at)
    try members.encode(foreground, forKey: .foreground)
  }
}

extension Double {
  /// Returns the position between two bounds, 0 to 1, for any three numbers.
  func fraction(from lower: Double, to upper: Double) -> Double {
    guard lower < upper else { return self >= upper && self > 0 ? 1 : 0 }
    // Halves are used because the difference of two finite numbers may be infinite.
    let part = (self / 2 - lower / 2) / (upper / 2 - lower / 2)
    return part.isNaN ? 0 : min(max(part, 0), 1)
  }
}

/// A label, a bar and a value in one row.
///
/// ```
/// Memory ━━━━━━━╾────────────  7.1 of 24 GB
/// ```
final class GaugeBox: LayoutBox {
  private let label: TextFlow?
  private let value: TextFlow?
  /// How full the bar is, 0 to 1.
  private let fraction: Double
  /// The colour of the highest threshold reached; nil for the node's own.
  private let color: Color?
  /// The text before the bar without its digits, by which it is the same one with another value.
  private let name: String

  private static let leastBar = 4

  init(_ origin: Origin, _ content: GaugeContent, _ builder: BoxBuilder) {
    label = content.label.map { builder.flow([TextSpan($0)], origin) }
    value = content.valueLabel.map { builder.flow([TextSpan($0)], origin) }
    fraction = origin.isRedacted ? 0 : content.fraction
    name = (content.label?.string ?? "").filter { !$0.isNumber }
    let reached = content.thresholds.filter { content.value >= $0.at }
    color = origin.isRedacted ? nil : reached.max { $0.at < $1.at }?.foreground
    super.init(origin)
  }

  override var wish: Wish {
    let ideal = words(label) + 12 + words(value)
    return Wish(minimum: Self.leastBar, ideal: ideal, least: 1, grows: true)
  }

  override func measureContent(_ width: Int) -> Size { Size(columns: width, rows: 1) }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let parts = self.parts(rect.size.columns)
    var look = style
    look.foreground = color ?? look.foreground
    var start = rect.origin
    if parts.label > 0, let words = label?.words(in: parts.label - 1, style, picture.glyphs) {
      picture.draw(words, at: start, in: here)
    }
    start.column += parts.label
    guard picture.take(parts.bar) else { return }
    let bar = GaugeBar(
      columns: parts.bar,
      fraction: fraction,
      style: look,
      isRated: color != nil,
      glyphs: picture.glyphs
    )
    picture.draw(.bar(bar), named: isRedacted ? nil : name, at: start, in: here)
    start.column += parts.bar + 1
    if parts.value > 0, let words = value?.words(in: parts.value - 1, style, picture.glyphs) {
      picture.draw(words, at: start, in: here)
    }
  }

  /// Returns the columns of a text and of the space next to it.
  private func words(_ flow: TextFlow?) -> Int {
    guard let flow, flow.idealColumns > 0 else { return 0 }
    return flow.idealColumns + 1
  }

  /// Returns how many columns of `width` the label, the bar and the value get; each text includes its
  /// space.
  ///
  /// The bar keeps at least four columns. If it cannot, it is left out, provided that the label and the
  /// value then fit; otherwise the value is left out, and the label last.
  private func parts(_ width: Int) -> (label: Int, bar: Int, value: Int) {
    let label = words(label)
    let value = words(value)
    let room = width - Self.leastBar
    if label + value <= room { return (label, width - label - value, value) }
    if label > 0 && value > 0 && label + value - 1 <= width { return (width - value, 0, value) }
    let shortened = min(label, room)
    return shortened < 4 ? (0, max(0, width), 0) : (shortened, width - shortened, 0)
  }
}

/// A value between two bounds, as a bar.
public struct Gauge: ElementView {
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
