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
  /// The colours from the lowest values to the highest; none for the colour of the node, less prominent further down.
  public var gradient: [Color] = []
  /// Whether the lowest and the highest value follow the bars, if there is room; false by default.
  public var showsRange = false
  /// The unit of these values.
  public var unit: SafeText?

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

extension SparklineContent: NodeContent {
  static let type = "sparkline"
  var wrapped: ViewNode.Content { .sparkline(self) }

  enum Member: Int, ViewMemberKey {
    case values, minimum, maximum, height, gradient, showsRange, unit
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      values: try members.numbers(.values),
      minimum: try members.number(.minimum),
      maximum: try members.number(.maximum),
      height: try members.extent(.height) ?? 1
    )
    gradient = try members.list(.gradient, of: "colours")
    showsRange = try members.flag(.showsRange) ?? false
    unit = try members.value(.unit)
  }

  func write(to members: inout Writer) throws {
    try members.encode(values, forKey: .values)
    try members.encodeIfPresent(minimum, forKey: .minimum)
    try members.encodeIfPresent(maximum, forKey: .maximum)
    try members.encode(height, forKey: .height, unless: 1)
    try members.encode(gradient, forKey: .gradient, unless: [])
    try members.encode(showsRange, forKey: .showsRange, unless: false)
    try members.encodeIfPresent(unit, forKey: .unit)
  }

  static let isFigure = true

  func words(isBesideText: Bool) -> SafeText? { isBesideText ? "" : values.words ?? "" }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    SparklineBox(origin, origin.isRedacted ? SparklineContent(values: [], height: height) : self)
  }
}

extension [Double?] {
  /// `1 to 9, now 4`; nil without values.
  var words: SafeText? {
    let numbers = compactMap(\.self).filter(\.isFinite)
    guard let least = numbers.min(), let most = numbers.max(), let last = numbers.last else {
      return nil
    }
    return SafeText("\(Self.words(least)) to \(Self.words(most)), now \(Self.words(last))")
  }

  /// A number with three digits.
  private static func words(_ number: Double) -> String {
    let digits = number.magnitude < 10 ? 100.0 : number.magnitude < 100 ? 10 : 1
    let rounded = (number * digits).rounded() / digits
    return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}

/// A line of small bars.
public struct Sparkline: ElementView {
  private var content: SparklineContent

  /// Creates a sparkline.
  ///
  /// - Parameters:
  ///   - values: The values from the oldest to the newest; nil is a gap.
  ///   - bounds: The values of the lowest and the highest bar; nil for the extremes of the values.
  ///   - height: Rows.
  public init(_ values: [Double?], in bounds: ClosedRange<Double>? = nil, height: Int = 1) {
    content = SparklineContent(
      values: values,
      minimum: bounds?.lowerBound,
      maximum: bounds?.upperBound,
      height: height
    )
  }

  /// The sparkline as one element.
  public var nodes: [ViewNode] { [ViewNode(.sparkline(content))] }

  /// Sets the colours from the lowest values to the highest.
  public func gradient(_ colors: [Color]) -> Sparkline {
    var sparkline = self
    sparkline.content.gradient = colors
    return sparkline
  }

  /// Shows the lowest and the highest value behind the bars, with their unit, if there is room.
  public func range(unit: String? = nil) -> Sparkline {
    var sparkline = self
    sparkline.content.showsRange = true
    sparkline.content.unit = unit.map { SafeText($0) }
    return sparkline
  }
}
