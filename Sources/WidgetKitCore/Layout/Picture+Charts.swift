extension Picture {
  /// Draws a plot of several series, and below it their names.
  mutating func drawChart(_ chart: ChartFigure, at rect: Rect, in here: Surroundings) {
    let plot = Rect(
      origin: rect.origin,
      size: Size(columns: rect.size.columns, rows: min(chart.plotRows, rect.size.rows))
    )
    if !plot.size.isEmpty && take(plot.size.columns * plot.size.rows) {
      var plotted = ChartPlot(size: plot.size)
      for (index, series) in chart.series.enumerated() {
        // Series on top of each other draw the same cells again, thousands of times if allowed.
        guard take(plotted.cost(of: series, chart, glyphs)) else { break }
        switch (chart.kind, glyphs) {
        case (.line, .unicode): plotted.addDots(series, chart)
        case (.line, _): plotted.addMarks(series, chart, ChartFigure.mark(index, glyphs))
        case (.bar, _): plotted.addBars(series, index, chart, Ramp.upward(glyphs))
        }
      }
      for row in max(0, here.clip.minRow - plot.minRow)..<plot.size.rows {
        let start = Position(column: plot.minColumn, row: plot.minRow + row)
        guard start.row < here.clip.maxRow else { break }
        draw(plotted.row(row), at: start, clip: here.clip, element: here.element)
      }
    }
    if chart.hasLegend { drawLegend(chart, at: rect, in: here) }
  }

  private mutating func drawLegend(_ chart: ChartFigure, at rect: Rect, in here: Surroundings) {
    var cells: [Cell] = []
    for (index, series) in chart.series.enumerated() where cells.count < rect.size.columns {
      guard let name = series.name else { continue }
      if !cells.isEmpty { cells += Cell.cells([.space, .space], series.style) }
      cells += Cell.cells([ChartFigure.mark(index, glyphs), .space], series.style)
      let room = rect.size.columns - cells.count
      guard let line = name.lines(width: room, limit: 1).first else { break }
      cells += Cell.cells(name.glyphs[line.head], series.style)
      if line.isCut { cells.append(Cell(glyph: glyphs.ellipsis, style: series.style)) }
    }
    let start = Position(column: rect.minColumn, row: rect.minRow + chart.plotRows)
    draw(cells, at: start, clip: here.clip, element: here.element)
  }
}

/// The cells of a chart's plot while series are put into it.
struct ChartPlot {
  private let size: Size
  private var cells: [Cell]
  /// For each cell the dots of a braille character that are set.
  private var dots: [UInt8]

  /// The bits of a braille character, a column of four after the other (Unicode 15, 21.1).
  private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  init(size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
    dots = Array(repeating: 0, count: size.columns * size.rows)
  }

  /// The cells of one row from the top.
  func row(_ row: Int) -> [Cell] {
    Array(cells[(row * size.columns)..<((row + 1) * size.columns)])
  }

  /// How many cells or dots drawing a series touches.
  func cost(of series: ChartFigure.Series, _ chart: ChartFigure, _ glyphs: GlyphSet) -> Int {
    guard chart.kind == .line else { return size.columns * size.rows }
    let isDotted = glyphs == .unicode
    let points = points(
      series,
      chart,
      columns: size.columns * (isDotted ? 2 : 1),
      rows: size.rows * (isDotted ? 4 : 1)
    )
    var previous: Position?
    return points.reduce(1) { sum, point in
      defer { previous = point }
      guard let point, let previous else { return sum + 1 }
      return sum + max(abs(point.column - previous.column), abs(point.row - previous.row))
    }
  }

  /// Adds a line of dots, two by four in a cell.
  mutating func addDots(_ series: ChartFigure.Series, _ chart: ChartFigure) {
    let points = points(series, chart, columns: size.columns * 2, rows: size.rows * 4)
    var previous: Position?
    for point in points {
      guard let point else {
        previous = nil
        continue
      }
      for dot in Self.line(from: previous ?? point, to: point) {
        let index = dot.row / 4 * size.columns + dot.column / 2
        dots[index] |= Self.bits[dot.column % 2][dot.row % 4]
        let scalar = Unicode.Scalar(0x2800 + UInt32(dots[index])) ?? " "
        cells[index] = Cell(glyph: Glyph(text: String(scalar), width: 1), style: series.style)
      }
      previous = point
    }
  }

  /// Adds a line of one character a cell.
  mutating func addMarks(_ series: ChartFigure.Series, _ chart: ChartFigure, _ mark: Glyph) {
    let points = points(series, chart, columns: size.columns, rows: size.rows)
    var previous: Position?
    for point in points {
      guard let point else {
        previous = nil
        continue
      }
      for dot in Self.line(from: previous ?? point, to: point) {
        cells[dot.row * size.columns + dot.column] = Cell(glyph: mark, style: series.style)
      }
      previous = point
    }
  }

  /// Adds bars: a slot for each value, divided among the series where it is wide enough.
  mutating func addBars(
    _ series: ChartFigure.Series,
    _ index: Int,
    _ chart: ChartFigure,
    _ ramp: Ramp
  ) {
    let longest = chart.series.reduce(1) { max($0, $1.values.count) }
    let count = min(longest, size.columns)
    let values = series.values.suffix(count)
    let slot = size.columns / count
    let room = max(1, slot > 2 ? slot - 1 : slot)
    // What a division leaves over lies on the left: the newest value is at the right edge.
    let first = size.columns - count * slot + (slot - room)
    let isDivided = room >= chart.series.count
    let width = isDivided ? room / chart.series.count : room
    for (position, value) in values.enumerated() {
      guard let value else { continue }
      let level = ramp.level(chart.height(value), cells: size.rows)
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

  /// Where the newest values lie in a raster, from the left edge to the right one.
  private func points(
    _ series: ChartFigure.Series,
    _ chart: ChartFigure,
    columns: Int,
    rows: Int
  ) -> [Position?] {
    let values = Array(series.values.suffix(columns))
    return values.enumerated().map { index, value in
      guard let value else { return nil }
      let column = values.count > 1 ? index * (columns - 1) / (values.count - 1) : columns - 1
      let height = Int((chart.height(value) * Double(rows - 1)).rounded())
      return Position(column: column, row: rows - 1 - height)
    }
  }

  /// The dots from one to another, both included (Bresenham 1965, by the longer axis).
  private static func line(from start: Position, to end: Position) -> [Position] {
    let columns = end.column - start.column
    let rows = end.row - start.row
    let steps = max(abs(columns), abs(rows))
    guard steps > 0 else { return [end] }
    return (0...steps).map { step in
      Position(
        column: start.column + (columns * step * 2 + steps) / (2 * steps),
        row: start.row + (rows * step * 2 + (rows < 0 ? -steps : steps)) / (2 * steps)
      )
    }
  }
}
