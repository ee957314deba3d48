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

extension SparklineContent: NodeContent {
  static let type = "sparkline"
  var wrapped: ViewNode.Content { .sparkline(self) }

  enum Member: Int, ViewMemberKey {
    case values, minimum, maximum, height
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      values: try members.numbers(.values),
      minimum: try members.number(.minimum),
      maximum: try members.number(.maximum),
      height: try members.extent(.height) ?? 1
    )
  }

  func write(to members: inout Writer) throws {
    try members.encode(values, forKey: .values)
    try members.encodeIfPresent(minimum, forKey: .minimum)
    try members.encodeIfPresent(maximum, forKey: .maximum)
    try members.encode(height, forKey: .height, unless: 1)
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

/// One bar for each value, the newest on the right.
final class SparklineBox: LayoutBox {
  private let sparkline: SparklineContent

  init(_ origin: Origin, _ sparkline: SparklineContent) {
    self.sparkline = sparkline
    super.init(origin)
  }

  override var wish: Wish {
    let ideal = min(max(sparkline.values.count, 1), 24)
    return Wish(minimum: min(4, ideal), ideal: ideal, least: 1, grows: true)
  }

  override func measureContent(_ width: Int) -> Size {
    Size(columns: width, rows: sparkline.height.boundedExtent)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let shown = sparkline.values.suffix(rect.size.columns)
    var range: (least: Double, most: Double)?
    for case let value? in shown {
      range = (min(range?.least ?? value, value), max(range?.most ?? value, value))
    }
    guard let range, picture.take(shown.count * min(rect.size.rows, here.clip.size.rows)) else {
      return
    }
    let lower = sparkline.minimum ?? range.least
    let upper = sparkline.maximum ?? range.most
    let ramp = Ramp.upward(picture.glyphs)
    let levels = shown.map { value -> Int in
      guard let value else { return 0 }
      let part = lower < upper ? value.fraction(from: lower, to: upper) : 0
      return 1 + Int((part * Double(ramp.steps * rect.size.rows - 1)).rounded())
    }
    let start = rect.maxColumn - levels.count
    var cells = Array(repeating: Cell(glyph: .space, style: style), count: levels.count)
    for row in here.clip.minRow..<here.clip.maxRow {
      let height = rect.maxRow - 1 - row
      // Most rows of a tall sparkline equal the one above, whose cells they share.
      for (index, level) in levels.enumerated() {
        let glyph = ramp.glyph(level: level, row: height) ?? .space
        if cells[index].glyph != glyph { cells[index].glyph = glyph }
      }
      picture.draw(cells, at: Position(column: start, row: row), in: here)
    }
  }
}

/// A line of small bars.
public struct Sparkline: ElementView {
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
