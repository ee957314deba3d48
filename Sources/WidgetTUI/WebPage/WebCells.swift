import WidgetKitCore

/// Writes the cells of a canvas as text that can be selected, with bars and charts as drawings between it.
///
/// Lines, blocks and braille dots are drawn, so that they join with every font; characters that fonts have in other
/// widths keep their columns.
nonisolated struct WebCells {
  private let canvas: Canvas
  /// The link of each cell that has one.
  private var links: [Position: Int] = [:]
  private let urls: [String]

  /// The size in which shapes are drawn; they are stretched to that of a cell.
  private static let shapeWidth = 8.43
  private static let shapeHeight = 18.0

  /// - Parameters:
  ///   - canvas: The cells, without pictures.
  ///   - links: Where they lead to; of others than those of the web nothing is written.
  init(_ canvas: Canvas, links: [PageLink]) {
    self.canvas = canvas
    let links = links.filter { WebLink.isAllowed($0.url) }
    urls = links.map(\.url)
    for (index, link) in links.enumerated() {
      let area = link.area.intersection(canvas.bounds)
      for row in area.minRow..<max(area.minRow, area.maxRow) {
        for column in area.minColumn..<max(area.minColumn, area.maxColumn) {
          self.links[Position(column: column, row: row)] = index
        }
      }
    }
  }

  /// The rows, with the classes of their looks.
  func markup(_ styles: inout WebStyles) -> String {
    var linked: Set<Int> = []
    var lines = (0..<canvas.size.rows).map { line($0, &styles, &linked) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private func line(_ row: Int, _ styles: inout WebStyles, _ linked: inout Set<Int>) -> String {
    let cells = canvas.row(row)
    guard let last = canvas.styledText(inRow: row).last else { return "" }
    let end = min(cells.count, last.column + last.width)
    let shapes = Self.shapes(ofRow: row, in: canvas)
    var (result, column, open) = ("", 0, Int?.none)
    while column < end {
      let link = links[Position(column: column, row: row)]
      if link != open {
        if open != nil { result += "</a>" }
        if let link { result += anchor(link, isFirst: linked.insert(link).inserted) }
        open = link
      }
      var next = column + 1
      if let parts = shapes[column] {
        var pieces = parts
        next = column + (parts.map(\.width).max() ?? 1)
        while next < end, let more = shapes[next],
          links[Position(column: next, row: row)] == link
        {
          pieces += more
          next += more.map(\.width).max() ?? 1
        }
        result += drawing(pieces, from: column, columns: next - column, &styles)
      } else {
        let style = cells[column].style
        while next < end, cells[next].style == style, shapes[next] == nil,
          links[Position(column: next, row: row)] == link
        { next += 1 }
        result += text(cells[column..<next], style, &styles)
      }
      column = next
    }
    return result + (open == nil ? "" : "</a>")
  }

  private func anchor(_ link: Int, isFirst: Bool) -> String {
    let url = MarkupText.escaped(urls[link])
    // The same link in the next line is no other stop of the Tab key.
    let stop = isFirst ? "" : " tabindex=\"-1\""
    return "<a href=\"\(url)\" rel=\"noopener noreferrer nofollow\"\(stop)>"
  }

  private func text(
    _ cells: ArraySlice<Cell>,
    _ style: CellStyle,
    _ styles: inout WebStyles
  ) -> String {
    var words = ""
    for cell in cells where cell.glyph.width > 0 {
      let glyph = MarkupText.escaped(cell.glyph.text)
      let isPlain =
        cell.glyph.width == 1 && cell.glyph.text.unicodeScalars.allSatisfy { $0.value < 0x250 }
      words += isPlain ? glyph : "<i class=\"\(cell.glyph.width == 2 ? "w" : "n")\">\(glyph)</i>"
    }
    guard let name = styles.name(of: style, isShape: false) else { return words }
    return "<span class=\"\(name)\">\(words)</span>"
  }

  /// The pieces of a row that are drawn, by their columns.
  private static func shapes(ofRow row: Int, in canvas: Canvas) -> [Int: [SVGPiece]] {
    var shapes: [Int: [SVGPiece]] = [:]
    for piece in SVGPiece.pieces(ofRow: row, in: canvas) {
      guard case .shape = piece.content else { continue }
      shapes[piece.column, default: []].append(piece)
    }
    return shapes
  }

  private func drawing(
    _ pieces: [SVGPiece],
    from start: Int,
    columns: Int,
    _ styles: inout WebStyles
  ) -> String {
    let width = Double(columns) * Self.shapeWidth
    var body = ""
    for piece in pieces {
      guard case .shape(let shape) = piece.content else { continue }
      let markup = shape.markup(
        origin: (Double(piece.column - start) * Self.shapeWidth, 0),
        width: Double(piece.width) * Self.shapeWidth,
        height: Self.shapeHeight,
        color: "currentColor"
      ).filter { $0 != "\n" }
      let name = styles.name(of: piece.style, isShape: true)
      body += name.map { "<g class=\"\($0)\">\(markup)</g>" } ?? markup
    }
    let size = "0 0 \(SVGShape.number(width)) \(SVGShape.number(Self.shapeHeight))"
    return "<svg viewBox=\"\(size)\" preserveAspectRatio=\"none\" aria-hidden=\"true\" "
      + "style=\"width:\(columns)ch\">\(body)</svg>"
  }
}
