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
      let area = Rect(origin: Position(column: left, row: rect.minRow), size: size)
      if chart.isMirrored, size.rows > 1 {
        drawMirrored(on: &picture, at: area, in: here)
      } else {
        let plot = plot(chart.series, size, on: &picture)
        draw(plot, on: &picture, at: area, isFlipped: false, in: here)
      }
    }
    if chart.hasLegend {
      let start = Position(column: rect.minColumn, row: rect.minRow + chart.plotRows)
      picture.draw(legend(rect.size.columns, picture.glyphs), at: start, in: here)
    }
  }

  /// Draws the rows of a plot, with the colours of their heights.
  private func draw(
    _ plot: ChartPlot,
    on picture: inout Picture,
    at area: Rect,
    isFlipped: Bool,
    in here: Surroundings
  ) {
    var cells: [Cell] = []
    let rows = area.size.rows
    for row in max(0, here.clip.minRow - area.minRow)..<max(0, rows) {
      let start = Position(column: area.minColumn, row: area.minRow + row)
      guard start.row < here.clip.maxRow else { break }
      let row = isFlipped ? rows - 1 - row : row
      // Rows of a steep line and empty rows share the cells of the one above.
      let mayShare = !cells.isEmpty && !isFlipped && chart.tone.isFlat
      if !mayShare || !plot.hasEqualDots(row - 1, row) {
        cells = isFlipped ? plot.flippedRow(rows - 1 - row) : plot.row(row)
        if !chart.tone.isFlat {
          for index in cells.indices where cells[index].glyph != .space {
            cells[index].style = chart.tone.style(cells[index].style, row: row, of: rows)
          }
        }
      }
      picture.draw(cells, at: start, in: here)
    }
  }

  /// Draws the first series upwards, and the second one downwards from the same line.
  private func drawMirrored(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let upper = (rect.size.rows + 1) / 2
    var area = rect
    area.size.rows = upper
    draw(
      plot([chart.series[0]], area.size, on: &picture),
      on: &picture,
      at: area,
      isFlipped: false,
      in: here
    )
    area.origin.row += upper
    area.size.rows = rect.size.rows - upper
    draw(
      plot([chart.series[1]], area.size, on: &picture),
      on: &picture,
      at: area,
      isFlipped: true,
      in: here
    )
  }

  /// Plots as many series as the picture has room for.
  ///
  /// Series in front of each other draw the same cells again, thousands of times if that were allowed.
  private func plot(
    _ shown: [ChartFigure.Series],
    _ size: Size,
    on picture: inout Picture
  ) -> ChartPlot {
    let glyphs = picture.glyphs
    var plot = ChartPlot(size: size)
    for (index, series) in shown.enumerated() {
      switch chart.kind {
      case .line:
        let points = plot.points(of: series, glyphs == .unicode ? .dots : .cells)
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
          plot.addDottedArea(plot.points(of: series, .dots), series.style)
        } else {
          let ramp = Ramp.upward(glyphs)
          let steps = ChartPlot.Resolution(columns: 1, rows: ramp.steps)
          plot.addArea(plot.points(of: series, steps), series.style, ramp)
        }
      case .bar:
        guard picture.take(size.columns * size.rows) else { return plot }
        plot.addBars(series, index, shown, Ramp.upward(glyphs))
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
