/// The cells of a chart's plot while series are added to it.
struct ChartPlot {
  private let size: Size
  /// The cells; none as long as the plot has only dots.
  private var cells: [Cell] = []
  /// The dots of each cell; none as long as the plot has no dots.
  ///
  /// The cells themselves are made once, when all dots are set: a line sets up to eight in each.
  private var dots: [Dots] = []
  /// The style of each line of dots.
  private var styles: [CellStyle] = []

  /// The dots of one cell.
  private struct Dots: Equatable {
    /// The dots of a braille character that are set.
    var bits: UInt8 = 0
    /// The last line that set one of them, from 1; 0 for none.
    var line: Int32 = 0

    mutating func insert(_ bits: UInt8, of line: Int32) {
      self.bits |= bits
      self.line = line
    }
  }

  /// The bit of a dot in a braille character, two by four of them (Unicode 15, 21.1).
  private static func bit(_ column: Int, _ row: Int) -> UInt8 {
    row < 3 ? 1 << UInt8(column * 3 + row) : 0x40 << UInt8(column)
  }

  init(size: Size) {
    self.size = size
  }

  /// Makes room for characters.
  private mutating func needCells() {
    if cells.isEmpty { cells = Array(repeating: .blank, count: size.columns * size.rows) }
  }

  /// Makes room for dots, and returns the number of a new line.
  private mutating func addLine(_ style: CellStyle) -> Int32 {
    if dots.isEmpty { dots = Array(repeating: Dots(), count: size.columns * size.rows) }
    styles.append(style)
    return Int32(truncatingIfNeeded: styles.count)
  }

  /// The cells of one row from the top.
  func row(_ row: Int) -> [Cell] {
    guard !dots.isEmpty else {
      guard !cells.isEmpty else { return Array(repeating: .blank, count: size.columns) }
      return Array(cells[places(row)])
    }
    return places(row).map { index in
      guard dots[index].line > 0 else { return cells.isEmpty ? .blank : cells[index] }
      let scalar = Unicode.Scalar(0x2800 + UInt32(dots[index].bits)) ?? " "
      return Cell(glyph: Glyph(scalar, width: 1), style: styles[Int(dots[index].line) - 1])
    }
  }

  /// The cells of one row from the bottom, upside down.
  func flippedRow(_ row: Int) -> [Cell] {
    let row = size.rows - 1 - row
    guard !dots.isEmpty else {
      return self.row(row).map { cell in
        // Only half blocks have a counterpart; other parts of cells stay as dense as they are.
        cell.glyph == Self.lowerHalf ? Cell(glyph: Self.upperHalf, style: cell.style) : cell
      }
    }
    return places(row).map { index in
      guard dots[index].line > 0 else { return .blank }
      let bits = BrailleDots.flipped(dots[index].bits)
      let scalar = Unicode.Scalar(0x2800 + UInt32(bits)) ?? " "
      return Cell(glyph: Glyph(scalar, width: 1), style: styles[Int(dots[index].line) - 1])
    }
  }

  private static let lowerHalf = Glyph("▄", width: 1)
  private static let upperHalf = Glyph("▀", width: 1)

  /// Whether a plot of dots has the same dots in two rows, so that their cells are the same.
  func hasEqualDots(_ row: Int, _ other: Int) -> Bool {
    guard cells.isEmpty else { return false }
    return dots.isEmpty || dots[places(row)].elementsEqual(dots[places(other)])
  }

  private func places(_ row: Int) -> Range<Int> {
    (row * size.columns)..<((row + 1) * size.columns)
  }

  /// Returns how many cells or dots are touched when a line is drawn.
  static func cost(of points: [Position?]) -> Int {
    var previous: Position?
    return points.reduce(1) { sum, point in
      defer { previous = point }
      guard let point, let previous else { return sum + 1 }
      return sum + max(abs(point.column - previous.column), abs(point.row - previous.row))
    }
  }

  /// Adds a line of dots, two by four in a cell.
  mutating func addDots(_ points: [Position?], _ style: CellStyle) {
    let line = addLine(style)
    let width = size.columns
    Self.lines(through: points) { column, row in
      let index = (row >> 2) * width + (column >> 1)
      dots[index].insert(Self.bit(column & 1, row & 3), of: line)
    }
  }

  /// Adds a line of dots and all dots below it, two by four in a cell.
  mutating func addDottedArea(_ points: [Position?], _ style: CellStyle) {
    let line = addLine(style)
    for (column, top) in tops(points, columns: size.columns * 2).enumerated() {
      guard let top else { continue }
      for row in (top >> 2)..<size.rows {
        let index = row * size.columns + (column >> 1)
        let bits = (max(0, top - row * 4)..<4).reduce(0) { $0 | Self.bit(column & 1, $1) }
        dots[index].insert(bits, of: line)
      }
    }
  }

  /// Adds a line and all that is below it, with the parts of a cell that a ramp has.
  mutating func addArea(_ points: [Position?], _ style: CellStyle, _ ramp: Ramp) {
    needCells()
    for (column, top) in tops(points, columns: size.columns).enumerated() {
      guard let top else { continue }
      let level = size.rows * ramp.steps - top
      for row in 0..<size.rows {
        guard let glyph = ramp.glyph(level: level, row: row) else { break }
        cells[(size.rows - 1 - row) * size.columns + column] = Cell(glyph: glyph, style: style)
      }
    }
  }

  /// Returns the highest place of a line in each column; nil where there is a gap.
  private func tops(_ points: [Position?], columns: Int) -> [Int?] {
    var tops = [Int?](repeating: nil, count: columns)
    Self.lines(through: points) { column, row in
      tops[column] = min(tops[column] ?? row, row)
    }
    return tops
  }

  /// Adds a line with one character in each cell.
  mutating func addMarks(_ points: [Position?], _ mark: Cell) {
    needCells()
    Self.lines(through: points) { column, row in
      cells[row * size.columns + column] = mark
    }
  }

  /// Adds bars: a slot for each value, divided among the series if it is wide enough.
  mutating func addBars(
    _ series: ChartFigure.Series,
    _ index: Int,
    _ shown: [ChartFigure.Series],
    _ ramp: Ramp
  ) {
    needCells()
    let longest = shown.reduce(1) { max($0, $1.values.count) }
    let count = min(longest, size.columns)
    let values = series.values.suffix(count)
    let slot = size.columns / count
    let room = max(1, slot > 2 ? slot - 1 : slot)
    // The remainder of the division is on the left: the newest value is at the right edge.
    let first = size.columns - count * slot + (slot - room)
    let isDivided = room >= shown.count
    let width = isDivided ? room / shown.count : room
    for (position, value) in values.enumerated() {
      guard let value else { continue }
      let level = ramp.level(series.height(value), cells: size.rows)
      let place = position + count - values.count
      let start = first + place * slot + (isDivided ? index * width : 0)
      for column in start..<min(start + width, size.columns) {
        for row in 0..<size.rows {
          guard let glyph = ramp.glyph(level: level, row: row) else { break }
          let cell = (size.rows - 1 - row) * size.columns + column
          cells[cell] = Cell(glyph: glyph, style: series.style)
        }
      }
    }
  }

  /// How many places for a point there are in a cell.
  struct Resolution {
    var columns: Int
    var rows: Int

    static let cells = Resolution(columns: 1, rows: 1)
    /// The dots of a braille character.
    static let dots = Resolution(columns: 2, rows: 4)
  }

  /// Returns the positions of the newest values from the left to the right edge, in parts of a cell.
  func points(
    of series: ChartFigure.Series,
    _ resolution: Resolution
  ) -> [Position?] {
    let columns = size.columns * resolution.columns
    let rows = size.rows * resolution.rows
    let values = series.values.suffix(columns)
    return values.enumerated().map { index, value in
      guard let value else { return nil }
      let column = values.count > 1 ? index * (columns - 1) / (values.count - 1) : columns - 1
      let height = Int((series.height(value) * Double(rows - 1)).rounded())
      return Position(column: column, row: rows - 1 - height)
    }
  }

  /// Calls `add` for each dot of the lines between points, with a gap where there is none.
  private static func lines(
    through points: [Position?],
    _ add: (_ column: Int, _ row: Int) -> Void
  ) {
    var previous: Position?
    for point in points {
      if let point { line(from: previous ?? point, to: point, add) }
      previous = point
    }
  }

  /// Calls `add` for each dot between two points, both included (Bresenham 1965, along the longer
  /// axis).
  private static func line(
    from start: Position,
    to end: Position,
    _ add: (_ column: Int, _ row: Int) -> Void
  ) {
    let columns = end.column - start.column
    let rows = end.row - start.row
    let steps = max(abs(columns), abs(rows))
    var (column, row) = (start.column, start.row)
    // It starts half a step ahead, so that the nearest dot is reached; a whole step contains both
    // halves.
    var (columnPart, rowPart) = (steps, steps)
    add(column, row)
    for _ in 0..<steps {
      columnPart += 2 * abs(columns)
      rowPart += 2 * abs(rows)
      if columnPart >= 2 * steps {
        columnPart -= 2 * steps
        column += columns.signum()
      }
      if rowPart >= 2 * steps {
        rowPart -= 2 * steps
        row += rows.signum()
      }
      add(column, row)
    }
  }
}
