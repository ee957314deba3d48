/// A label, a bar and a value in one row.
final class GaugeBox: LayoutBox {
  private let gauge: GaugeFigure

  init(_ origin: Origin, _ gauge: GaugeFigure) {
    self.gauge = gauge
    super.init(origin)
  }

  override var wish: Wish {
    Wish(minimum: gauge.minColumns, ideal: gauge.idealColumns, least: 1, grows: true)
  }

  override func measureContent(_ width: Int) -> Size { Size(columns: width, rows: 1) }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let parts = gauge.parts(rect.size.columns)
    var bar = style
    bar.foreground = gauge.color ?? bar.foreground
    var track = style
    track.foreground = .separator
    var start = rect.origin
    if parts.label > 0, let words = gauge.label?.words(in: parts.label - 1, style, picture.glyphs) {
      picture.draw(words, at: start, in: here)
    }
    start.column += parts.label
    guard picture.take(parts.bar) else { return }
    let (cells, filled) = gauge.bar(parts.bar, picture.glyphs)
    picture.draw(
      Cell.cells(cells[..<filled], bar) + Cell.cells(cells[filled...], track),
      at: start,
      in: here
    )
    start.column += parts.bar + 1
    if parts.value > 0, let words = gauge.value?.words(in: parts.value - 1, style, picture.glyphs) {
      picture.draw(words, at: start, in: here)
    }
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
      let part = lower < upper ? GaugeFigure.fraction(of: value, from: lower, to: upper) : 0
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

/// A plot of several series, and below it their names.
final class ChartBox: LayoutBox {
  private let chart: ChartFigure

  init(_ origin: Origin, _ chart: ChartFigure) {
    self.chart = chart
    super.init(origin)
  }

  override var wish: Wish { Wish(minimum: 4, ideal: chart.idealColumns, least: 1, grows: true) }

  override func measureContent(_ width: Int) -> Size { Size(columns: width, rows: chart.rows) }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var size = Size(columns: rect.size.columns, rows: min(chart.plotRows, rect.size.rows))
    var left = rect.minColumn
    if let labels = chart.axis?.labels(in: size, picture.glyphs), picture.take(labels.cells) {
      for (row, cells) in labels.rows.enumerated() {
        let start = Position(column: left, row: rect.minRow + row)
        guard start.row < here.clip.maxRow else { break }
        picture.draw(cells, at: start, in: here)
      }
      left += labels.columns
      size.columns -= labels.columns
    }
    if !size.isEmpty && picture.take(size.columns * size.rows) {
      let plot = plot(size, on: &picture)
      var cells: [Cell] = []
      for row in max(0, here.clip.minRow - rect.minRow)..<size.rows {
        let start = Position(column: left, row: rect.minRow + row)
        guard start.row < here.clip.maxRow else { break }
        // Rows of a steep line and empty rows share the cells of the one above.
        if cells.isEmpty || !plot.hasEqualDots(row - 1, row) { cells = plot.row(row) }
        picture.draw(cells, at: start, in: here)
      }
    }
    if chart.hasLegend {
      let start = Position(column: rect.minColumn, row: rect.minRow + chart.plotRows)
      picture.draw(legend(rect.size.columns, picture.glyphs), at: start, in: here)
    }
  }

  /// Plots as many series as the picture has room for.
  ///
  /// Series in front of each other draw the same cells again, thousands of times if that were allowed.
  private func plot(_ size: Size, on picture: inout Picture) -> ChartPlot {
    let glyphs = picture.glyphs
    var plot = ChartPlot(size: size)
    for (index, series) in chart.series.enumerated() {
      switch chart.kind {
      case .line:
        let points = plot.points(of: series, chart, glyphs == .unicode ? .dots : .cells)
        guard picture.take(ChartPlot.cost(of: points)) else { return plot }
        if glyphs == .unicode {
          plot.addDots(points, series.style)
        } else {
          let mark = ChartFigure.mark(index, glyphs)
          plot.addMarks(points, Cell(glyph: mark, style: series.style))
        }
      case .area:
        guard picture.take(2 * size.columns * size.rows) else { return plot }
        if glyphs == .unicode {
          plot.addDottedArea(plot.points(of: series, chart, .dots), series.style)
        } else {
          let ramp = Ramp.upward(glyphs)
          let points = plot.points(
            of: series,
            chart,
            ChartPlot.Resolution(columns: 1, rows: ramp.steps)
          )
          plot.addArea(points, series.style, ramp)
        }
      case .bar:
        guard picture.take(size.columns * size.rows) else { return plot }
        plot.addBars(series, index, chart, Ramp.upward(glyphs))
      }
    }
    return plot
  }

  private func legend(_ columns: Int, _ glyphs: GlyphSet) -> [Cell] {
    var cells: [Cell] = []
    for (index, series) in chart.series.enumerated() where cells.count < columns {
      guard let name = series.name else { continue }
      if !cells.isEmpty { cells += Cell.cells([.space, .space], series.style) }
      cells += Cell.cells([ChartFigure.mark(index, glyphs), .space], series.style)
      let words = name.words(in: columns - cells.count, series.style, glyphs)
      guard let words else { break }
      cells += words
    }
    return cells
  }
}

extension TextFlow {
  /// Returns the cells of the first line of the text, cut to `columns`; nil if there is no room.
  func words(in columns: Int, _ style: CellStyle, _ glyphs: GlyphSet) -> [Cell]? {
    guard let line = lines(width: columns, limit: 1).first else { return nil }
    var cells = Cell.cells(self.glyphs[line.head], style)
    if line.isCut { cells.append(Cell(glyph: glyphs.ellipsis, style: style)) }
    return cells
  }
}
