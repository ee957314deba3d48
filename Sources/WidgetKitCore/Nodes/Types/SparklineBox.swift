/// One bar for each value, the newest on the right; two in each column of a high one, which is made of dots.
final class SparklineBox: LayoutBox {
  private let sparkline: SparklineContent
  private let tone: GraphTone

  /// The columns that bars keep beside the range.
  private static let leastBars = 8

  init(_ origin: Origin, _ sparkline: SparklineContent) {
    self.sparkline = sparkline
    tone = GraphTone(sparkline.gradient)
    super.init(origin)
  }

  override var wish: Wish {
    let ideal = min(max(sparkline.values.count, 1), 24)
    return Wish(minimum: min(4, ideal), ideal: ideal, least: 1, grows: true)
  }

  override func measureContent(_ width: Int) -> Size {
    Size(columns: width, rows: sparkline.height.boundedExtent)
  }

  /// The values that are shown, and the bounds of the bars.
  private struct Shown {
    var values: ArraySlice<Double?>
    var lower: Double
    var upper: Double
  }

  private func shown(_ count: Int) -> Shown? {
    let values = sparkline.values.suffix(count)
    var range: (least: Double, most: Double)?
    for case let value? in values {
      range = (min(range?.least ?? value, value), max(range?.most ?? value, value))
    }
    return range.map {
      Shown(
        values: values,
        lower: sparkline.minimum ?? $0.least,
        upper: sparkline.maximum ?? $0.most
      )
    }
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var rect = rect
    let isDotted = picture.glyphs == .unicode && rect.size.rows > 1
    let perColumn = isDotted ? 2 : 1
    guard var shown = self.shown(rect.size.columns * perColumn) else { return }
    if let columns = drawRange(of: shown.values, on: &picture, at: rect, in: here) {
      rect.size.columns -= columns
      guard let fewer = self.shown(rect.size.columns * perColumn) else { return }
      shown = fewer
    }
    let cells = (shown.values.count + perColumn - 1) / perColumn
    guard picture.take(cells * min(rect.size.rows, here.clip.size.rows)) else { return }
    isDotted
      ? drawDots(shown, on: &picture, at: rect, in: here)
      : drawBars(shown, on: &picture, at: rect, in: here)
  }

  private func drawBars(
    _ shown: Shown,
    on picture: inout Picture,
    at rect: Rect,
    in here: Surroundings
  ) {
    let ramp = Ramp.upward(picture.glyphs)
    let parts = shown.values.map { $0.map { part(of: $0, in: shown) } }
    let levels = parts.map { part -> Int in
      part.map { 1 + Int(($0 * Double(ramp.steps * rect.size.rows - 1)).rounded()) } ?? 0
    }
    let start = rect.maxColumn - levels.count
    // In one row the height is that of the bar.
    let isLow = rect.size.rows == 1
    var cells = parts.map { part in
      Cell(glyph: .space, style: isLow ? tone.style(style, ofBar: part ?? 0) : style)
    }
    for row in here.clip.minRow..<here.clip.maxRow {
      let height = rect.maxRow - 1 - row
      let look = tone.style(style, row: row - rect.minRow, of: rect.size.rows)
      // Most rows of a tall sparkline equal the one above, whose cells they share.
      for (index, level) in levels.enumerated() {
        let glyph = ramp.glyph(level: level, row: height) ?? .space
        if cells[index].glyph != glyph { cells[index].glyph = glyph }
        if !isLow, cells[index].style != look { cells[index].style = look }
      }
      picture.draw(cells, at: Position(column: start, row: row), in: here)
    }
  }

  /// Draws two values in each column, with four dots in each row.
  private func drawDots(
    _ shown: Shown,
    on picture: inout Picture,
    at rect: Rect,
    in here: Surroundings
  ) {
    let steps = rect.size.rows * 4
    var levels = shown.values.map { value in
      value.map { 1 + Int((part(of: $0, in: shown) * Double(steps - 1)).rounded()) } ?? 0
    }
    if levels.count % 2 == 1 { levels.insert(0, at: 0) }
    let start = rect.maxColumn - levels.count / 2
    for row in here.clip.minRow..<here.clip.maxRow {
      let look = tone.style(style, row: row - rect.minRow, of: rect.size.rows)
      let below = (rect.maxRow - 1 - row) * 4
      let cells = stride(from: 0, to: levels.count, by: 2).map { index in
        let dots = BrailleDots(left: levels[index] - below, right: levels[index + 1] - below)
        return Cell(glyph: dots.glyph, style: look)
      }
      picture.draw(cells, at: Position(column: start, row: row), in: here)
    }
  }

  private func part(of value: Double, in shown: Shown) -> Double {
    shown.lower < shown.upper ? value.fraction(from: shown.lower, to: shown.upper) : 0
  }

  /// Draws the least and the greatest value at the end: in one row, or one above the other.
  ///
  /// - Returns: The columns that they take up; nil if there is no room for them.
  private func drawRange(
    of values: ArraySlice<Double?>,
    on picture: inout Picture,
    at rect: Rect,
    in here: Surroundings
  ) -> Int? {
    let numbers = values.compactMap(\.self).filter(\.isFinite)
    guard sparkline.showsRange, let least = numbers.min(), let most = numbers.max() else {
      return nil
    }
    let unit = ChartAxis.suffix(sparkline.unit)
    let dash = picture.glyphs == .unicode ? "–" : "-"
    let isLow = rect.size.rows == 1
    let extremes = least < most ? [least, most] : [most]
    var texts = ChartAxis.words(ofDistinct: extremes, unit: unit)
    if isLow, texts.count > 1 {
      texts = [ChartAxis.words(ofDistinct: extremes, unit: "")[0] + dash + texts[1]]
    }
    let lines = texts.map { Glyph.glyphs(of: $0) }
    let width = lines.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    guard rect.size.columns - width - 1 >= Self.leastBars else { return nil }
    var quiet = style
    quiet.foreground = .secondary
    for (line, row) in zip(lines.reversed(), [rect.minRow, rect.maxRow - 1]) {
      let columns = line.reduce(0) { $0 + $1.width }
      let start = Position(column: rect.maxColumn - columns, row: row)
      picture.draw(Cell.cells(line, quiet), at: start, in: here)
    }
    return width + 1
  }
}

/// The dots of a braille character that two bars set, each up to four.
struct BrailleDots {
  private let bits: UInt8

  init(left: Int, right: Int) {
    bits = Self.left[min(max(left, 0), 4)] | Self.right[min(max(right, 0), 4)]
  }

  /// From the bottom (Unicode 15, 21.1).
  private static let left: [UInt8] = [0, 0x40, 0x44, 0x46, 0x47]
  private static let right: [UInt8] = [0, 0x80, 0xA0, 0xB0, 0xB8]

  var glyph: Glyph {
    guard bits > 0, let scalar = Unicode.Scalar(0x2800 + UInt32(bits)) else { return .space }
    return Glyph(scalar, width: 1)
  }

  /// The same dots upside down.
  static func flipped(_ bits: UInt8) -> UInt8 {
    let pairs: [(UInt8, UInt8)] = [(0x01, 0x40), (0x02, 0x04), (0x08, 0x80), (0x10, 0x20)]
    return pairs.reduce(0) { result, pair in
      result | (bits & pair.0 != 0 ? pair.1 : 0) | (bits & pair.1 != 0 ? pair.0 : 0)
    }
  }
}
