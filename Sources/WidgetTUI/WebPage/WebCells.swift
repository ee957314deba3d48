import WidgetCards
import WidgetKitCore

/// Writes the cells of a canvas as text that can be selected, with bars and charts as drawings between it, and pictures
/// of files in front of it.
///
/// Lines, blocks and braille dots are drawn, so that they join with every font; characters that fonts have in other
/// widths keep their columns.
nonisolated struct WebCells {
  /// An area that leads to a page of the web.
  struct Link {
    var area: Rect
    var url: String
    /// What a screen reader says of it, where it has no text.
    var label: SafeText
  }

  private let page: Canvas
  /// The cells, with blanks in place of pictures.
  private let canvas: Canvas
  private let links: [Link]
  /// The link of each cell that has one, except those of pictures.
  private var linkedCells: [Position: Int] = [:]

  /// - Parameters:
  ///   - page: The cells.
  ///   - links: Where they lead to; of others than those of the web nothing is written.
  init(_ page: Canvas, links: [Link]) {
    self.page = page
    canvas = page.withoutImages
    self.links = links.filter { WebLink.isAllowed($0.url) }
    for (index, link) in self.links.enumerated() {
      let area = link.area.intersection(page.bounds)
      for row in area.minRow..<max(area.minRow, area.maxRow) {
        let cells = page.row(row)
        for column in area.minColumn..<max(area.minColumn, area.maxColumn)
        where cells[column].glyph.image == nil {
          linkedCells[Position(column: column, row: row)] = index
        }
      }
    }
  }

  /// The rows down to the end of its last picture, which no text needs to have; 0 without one.
  var pictureRows: Int { page.imagePieces.map(\.area.maxRow).max() ?? 0 }

  /// The rows, with the classes of their looks, and the pictures.
  func markup(_ styles: inout WebStyles, _ images: DrawnImages) -> String {
    var linked: Set<Int> = []
    var lines = (0..<canvas.size.rows).map { line($0, &styles, &linked) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n") + pictures(images) + covers(&linked)
  }

  private func line(_ row: Int, _ styles: inout WebStyles, _ linked: inout Set<Int>) -> String {
    let cells = canvas.row(row)
    guard let last = canvas.styledText(inRow: row).last else { return "" }
    let end = min(cells.count, last.column + last.width)
    let shapes = Self.shapes(ofRow: row, in: canvas)
    var (result, column, open) = ("", 0, Int?.none)
    while column < end {
      let link = linkedCells[Position(column: column, row: row)]
      if link != open {
        if open != nil { result += "</a>" }
        if let link {
          let hasText = (column..<end).contains { place in
            linkedCells[Position(column: place, row: row)] == link && shapes[place] == nil
              && cells[place].glyph.width > 0 && cells[place].glyph != .space
          }
          result += anchor(link, &linked, hasText ? "" : label(link))
        }
        open = link
      }
      var next = column + 1
      if let parts = shapes[column] {
        var pieces = parts
        next = column + (parts.map(\.width).max() ?? 1)
        while next < end, let more = shapes[next], Self.haveSameGround(pieces, more),
          linkedCells[Position(column: next, row: row)] == link
        {
          pieces += more
          next += more.map(\.width).max() ?? 1
        }
        result += drawing(pieces, from: column, columns: next - column, &styles)
      } else {
        let style = cells[column].style
        while next < end, cells[next].style == style, shapes[next] == nil,
          linkedCells[Position(column: next, row: row)] == link
        { next += 1 }
        result += text(cells[column..<next], style, &styles)
      }
      column = next
    }
    return result + (open == nil ? "" : "</a>")
  }

  private func anchor(_ link: Int, _ linked: inout Set<Int>, _ attributes: String) -> String {
    let url = MarkupText.escaped(links[link].url)
    // The same link in another place is no other stop of the Tab key.
    let stop = linked.insert(link).inserted ? "" : " tabindex=\"-1\""
    return "<a href=\"\(url)\" rel=\"noopener noreferrer nofollow\"\(stop)\(attributes)>"
  }

  private func label(_ link: Int) -> String {
    " aria-label=\"\(MarkupText.escaped(links[link].label.string))\""
  }

  private func text(
    _ cells: ArraySlice<Cell>,
    _ style: CellStyle,
    _ styles: inout WebStyles
  ) -> String {
    var words = ""
    for cell in cells where cell.glyph.width > 0 {
      let glyph = MarkupText.escaped(cell.glyph.text)
      words +=
        cell.glyph.isPlain
        ? glyph : "<i class=\"\(cell.glyph.width == 2 ? "w" : "n")\">\(glyph)</i>"
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

  /// Whether pieces have one background, on which they can be drawn together.
  private static func haveSameGround(_ pieces: [SVGPiece], _ others: [SVGPiece]) -> Bool {
    guard let first = pieces.first?.style, let other = others.first?.style else { return false }
    let isReversed = !first.attributes.union(other.attributes).isDisjoint(with: .reverse)
    return isReversed ? first == other : first.background == other.background
  }

  /// Pieces that have one background.
  private func drawing(
    _ pieces: [SVGPiece],
    from start: Int,
    columns: Int,
    _ styles: inout WebStyles
  ) -> String {
    let (cellWidth, height) = (SVGWriter.cellWidth, SVGWriter.cellHeight)
    var body = ""
    for piece in pieces {
      guard case .shape(let shape) = piece.content else { continue }
      let markup = shape.markup(
        origin: (Double(piece.column - start) * cellWidth, 0),
        width: Double(piece.width) * cellWidth,
        height: height,
        color: "currentColor"
      ).filter { $0 != "\n" }
      let name = styles.name(of: piece.style, isShape: true)
      body += name.map { "<g class=\"\($0)\">\(markup)</g>" } ?? markup
    }
    var ground = ""
    // A group has no background.
    if let style = pieces.first?.style, style.isPainted,
      let name = styles.name(of: style, isShape: true)
    {
      ground = " class=\"\(name)\""
    }
    let width = SVGShape.number(Double(columns) * cellWidth)
    return "<svg\(ground) viewBox=\"0 0 \(width) \(SVGShape.number(height))\" "
      + "preserveAspectRatio=\"none\" aria-hidden=\"true\" "
      + "style=\"width:\(columns)ch\">\(body)</svg>"
  }

  // MARK: - Pictures of files

  /// The pictures, each in front of its cells.
  private func pictures(_ images: DrawnImages) -> String {
    var markup = ImageMarkup(images)
    let pieces = page.imagePieces.compactMap { piece in
      markup.number(piece.drawing).map { (piece, $0) }
    }
    let urls = markup.urls
    var body = ""
    for (piece, number) in pieces {
      let start = Position(column: -piece.start.column, row: -piece.start.row)
      // Its description is among the words for screen readers.
      let dim = piece.tone == .dim ? ";opacity:.5" : ""
      body += "<i class=\"image\" style=\"\(Self.place(piece.area))\(dim)\"><img alt=\"\" "
      body += "src=\"\(urls[number - 1])\" "
      body += "style=\"\(Self.place(Rect(origin: start, size: piece.drawing.size)))\"></i>"
    }
    return body
  }

  /// The links of pictures, in front of them.
  private func covers(_ linked: inout Set<Int>) -> String {
    var body = ""
    for piece in page.imagePieces {
      for (index, link) in links.enumerated() {
        let area = link.area.intersection(piece.area)
        guard area.size.columns > 0, area.size.rows > 0 else { continue }
        let style = " class=\"over\" style=\"\(Self.place(area))\""
        body += anchor(index, &linked, style + label(index)) + "</a>"
      }
    }
    return body
  }

  private static func place(_ area: Rect) -> String {
    [
      "left:\(area.minColumn)ch", "top:calc(\(area.minRow)*var(--row))",
      "width:\(area.size.columns)ch", "height:calc(\(area.size.rows)*var(--row))",
    ].joined(separator: ";")
  }
}
