/// The values at the left of a chart: at the top, at the bottom, and in the middle of a high one.
///
/// ```
///  4 MB/s ┤
///         │
///  2 MB/s ┤
///         │
///       0 ┤
/// ```
struct ChartAxis {
  private let lower: Double
  private let upper: Double
  private let unit: String
  private let style: CellStyle
  /// Whether what is below zero goes down, and is as much as what is above it.
  private var isMirrored = false

  /// A plot keeps at least this many columns; the axis is left out in a narrower chart.
  private static let leastPlot = 8
  /// From this number of rows on, there is a value in the middle.
  private static let rowsWithMiddle = 5
  /// More characters of a unit are not shown.
  private static let unitLimit = 8

  init(from lower: Double, to upper: Double, unit: SafeText?, style: CellStyle) {
    self.lower = lower
    self.upper = upper
    self.unit = Self.suffix(unit)
    var style = style
    style.foreground = .secondary
    self.style = style
  }

  /// The axis of two plots with a common base, of which the second one goes down.
  init(up: Double, down: Double, unit: SafeText?, style: CellStyle) {
    self.init(from: -down, to: up, unit: unit, style: style)
    isMirrored = true
  }

  /// A unit as it follows a value: after a space if it is a word.
  static func suffix(_ unit: SafeText?) -> String {
    let words = unit?.string.replacing("\n", with: " ") ?? ""
    let isWord = words.first?.isLetter == true
    return String((isWord ? " " + words : words).prefix(unitLimit + (isWord ? 1 : 0)))
  }

  /// The cells of the axis beside a plot.
  struct Labels {
    /// The cells of each row, from the top; all have ``columns`` cells.
    var rows: [[Cell]]
    var columns: Int

    var cells: Int { rows.count * columns }
  }

  /// Returns the axis for a chart of `size`, which it is a part of; nil if there is no room.
  func labels(in size: Size, _ glyphs: GlyphSet) -> Labels? {
    guard size.rows > 1, lower.isFinite, upper.isFinite else { return nil }
    let texts = words(rows: size.rows).mapValues { Glyph.glyphs(of: $0) }
    let widest = texts.values.reduce(0) { max($0, Self.columns($1)) }
    let columns = widest + 2
    guard size.columns - columns >= max(Self.leastPlot, size.columns / 2) else { return nil }
    let (tick, line) = Self.marks(glyphs)
    let rows = (0..<size.rows).map { row -> [Cell] in
      let text = texts[row] ?? []
      let space = Array(repeating: Glyph.space, count: widest - Self.columns(text))
      return Cell.cells(space + text + [.space, text.isEmpty ? line : tick], style)
    }
    return Labels(rows: rows, columns: columns)
  }

  private static func columns(_ glyphs: [Glyph]) -> Int { glyphs.reduce(0) { $0 + $1.width } }

  private static func marks(_ glyphs: GlyphSet) -> (tick: Glyph, line: Glyph) {
    glyphs == .ascii
      ? (Glyph("+", width: 1), Glyph("|", width: 1)) : (Glyph("┤", width: 1), Glyph("│", width: 1))
  }

  /// The words of each row that has some, by its number from the top.
  private func words(rows: Int) -> [Int: String] {
    let last = rows - 1
    if isMirrored {
      return [0: upper, last: -lower].mapValues { Self.words($0, digits: 3, unit: unit) }
    }
    guard lower < upper else { return [last: Self.words(lower, digits: 3, unit: unit)] }
    // Of an even number of rows, the middle is the upper edge of this one.
    let hasMiddle = rows >= Self.rowsWithMiddle
    let places = hasMiddle ? [0, rows / 2, last] : [0, last]
    let values = hasMiddle ? [upper, upper / 2 + lower / 2, lower] : [upper, lower]
    let words = Self.words(ofDistinct: values, unit: unit)
    return Dictionary(uniqueKeysWithValues: zip(places, words))
  }

  /// Returns values that differ with their unit: in as many significant digits as it takes to tell
  /// them apart, from 3 to 6, and with the same decimals if they have the same prefix.
  ///
  /// ```
  /// 2.9, 2.79, "%"       2.90%  2.79%
  /// 4000000, 0, " B/s"   4 MB/s  0 B/s
  /// ```
  static func words(ofDistinct values: [Double], unit: String) -> [String] {
    var figures: [Figure] = []
    // Values that are close to each other need more digits to differ.
    for digits in 3...6 {
      figures = values.map { Figure($0, digits: digits) }
      if Set(figures).count == figures.count { break }
    }
    let numbers = figures.filter { $0.number != "0" }
    let decimals = numbers.map(\.decimals).max() ?? 0
    if Set(numbers.map(\.prefix)).count == 1 {
      for index in figures.indices { figures[index].pad(to: decimals) }
    }
    return figures.map { $0.words(unit: unit) }
  }

  /// Returns a value with its unit, in `digits` significant digits and with the prefix of the SI for
  /// thousands: 1,234,000 is `1.23M`, with the unit ` B/s` `1.23 MB/s`.
  static func words(_ value: Double, digits: Int, unit: String) -> String {
    Figure(value, digits: digits).words(unit: unit)
  }

  /// A value as it is written: its digits, and the prefix of its unit.
  private struct Figure: Hashable {
    var number: String
    var prefix = ""

    private static let prefixes = ["", "k", "M", "G", "T", "P", "E"]

    init(_ value: Double, digits: Int) {
      let size = abs(value)
      guard size > 0 else {
        number = "0"
        return
      }
      guard size < 1e21, size >= 1e-3 else {
        number = "\(value)"
        return
      }
      var (scaled, step) = (size, 0)
      while true {
        let whole = scaled >= 100 ? 3 : scaled >= 10 ? 2 : 1
        let power = [1, 10, 100, 1_000, 10_000, 100_000][max(0, digits - whole)]
        let rounded = (scaled * Double(power)).rounded() / Double(power)
        guard rounded >= 1_000, step < Self.prefixes.count - 1 else {
          scaled = rounded
          break
        }
        scaled /= 1_000
        step += 1
      }
      var number = "\(scaled)"
      if number.hasSuffix(".0") { number.removeLast(2) }
      self.number = (value < 0 ? "-" : "") + number
      prefix = Self.prefixes[step]
    }

    /// The number of digits after the point; 0 for a number with an exponent.
    var decimals: Int {
      guard let point = number.firstIndex(of: "."), !number.contains("e") else { return 0 }
      return number[point...].count - 1
    }

    /// Adds zeros after the point, but not to zero itself.
    mutating func pad(to decimals: Int) {
      guard number != "0", !number.contains("e"), self.decimals < decimals else { return }
      if self.decimals == 0 { number += "." }
      number += String(repeating: "0", count: decimals - self.decimals)
    }

    func words(unit: String) -> String {
      let isWord = unit.hasPrefix(" ")
      return number + (isWord ? " " + prefix + unit.dropFirst() : prefix + unit)
    }
  }
}
