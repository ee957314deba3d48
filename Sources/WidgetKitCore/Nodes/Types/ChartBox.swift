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
          let steps = ChartPlot.Resolution(columns: 1, rows: ramp.steps)
          plot.addArea(plot.points(of: series, chart, steps), series.style, ramp)
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
