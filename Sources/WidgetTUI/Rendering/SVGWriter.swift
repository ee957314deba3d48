import WidgetKitCore

/// Writes a canvas as an SVG image of a window with the page.
///
/// Lines, blocks and braille dots are drawn as shapes, so that they join with every font. Other text
/// is written as runs with a fixed position and width, so that it stays aligned.
nonisolated struct SVGWriter: Sendable {
  /// The colours.
  var theme: Theme
  /// The pictures that are drawn.
  var images: DrawnImages = [:]
  /// What it shows, for screen readers.
  var title = "Today"
  /// Whether it looks like a window, with a bar above the page.
  var showsWindow = true

  /// One cell in pixels; 0.602 of the font's size is what most monospaced fonts take.
  static let cellWidth = 8.43
  static let cellHeight = 18.0
  private static let fontSize = 14.0
  private static let padding = 16.0
  private var top: Double { showsWindow ? 34 : Self.padding }

  /// The whole document.
  func text(_ page: Canvas) -> String {
    let canvas = page.withoutImages
    let width = Double(canvas.size.columns) * Self.cellWidth + 2 * Self.padding
    let height = Double(canvas.size.rows) * Self.cellHeight + top + Self.padding
    let size = "\(number(width)) \(number(height))"
    let font = "ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,monospace"
    var body = ""
    for row in 0..<canvas.size.rows {
      for run in canvas.styledText(inRow: row) where run.style.isPainted {
        body += background(of: run, row: row)
      }
      for piece in SVGPiece.pieces(ofRow: row, in: canvas) {
        body += draw(piece, row: row)
      }
    }
    let (pictures, definitions) = pictures(on: page)
    body += pictures
    let edge = theme.windowBackground.mixed(with: theme.rgb(.label), 0.14).hexText
    let button = theme.windowBackground.mixed(with: theme.rgb(.label), 0.22).hexText
    let buttons = (0..<3).map {
      "<circle cx=\"\(number(Self.padding + 6 + Double($0) * 18))\" cy=\"17\" r=\"5.5\"/>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(number(width))" \
      height="\(number(height))" role="img" aria-label="\(MarkupText.escaped(title))">
      \(definitions)<rect x="0.5" y="0.5" width="\(number(width - 1))" height="\(number(height - 1))" rx="11" \
      fill="\(theme.windowBackground.hexText)" stroke="\(edge)"/>
      <g fill="\(button)">\(showsWindow ? buttons.joined() : "")</g>
      <g transform="translate(\(number(Self.padding)) \(number(top)))" \
      font-family="\(font)" font-size="\(number(Self.fontSize))" \
      style="white-space:pre;font-variant-ligatures:none">
      \(body)</g>
      </svg>

      """
  }

  /// The pictures, each with its part that is visible, and their definitions.
  private func pictures(on canvas: Canvas) -> (body: String, definitions: String) {
    var markup = ImageMarkup(images)
    var body = ""
    var sizes: [Int: Size] = [:]
    for piece in canvas.imagePieces {
      guard let id = markup.number(piece.drawing) else { continue }
      sizes[id] = piece.drawing.size
      let (place, size) = (piece.area.origin, piece.area.size)
      let frame = [x(size.columns), y(size.rows)].map(number)
      let view = [x(piece.start.column), y(piece.start.row)].map(number) + frame
      body += "<svg x=\"\(number(x(place.column)))\" y=\"\(number(y(place.row)))\" "
      body += "width=\"\(frame[0])\" height=\"\(frame[1])\" "
      body += "viewBox=\"\(view.joined(separator: " "))\""
      body += piece.tone == .dim ? " opacity=\"0.5\"" : ""
      body += "><use href=\"#image\(id)\"/></svg>\n"
    }
    let definitions = markup.urls.enumerated().map { index, url in
      let size = sizes[index + 1] ?? .zero
      return "<image id=\"image\(index + 1)\" width=\"\(number(x(size.columns)))\" "
        + "height=\"\(number(y(size.rows)))\" href=\"\(url)\"/>\n"
    }
    return (body, definitions.isEmpty ? "" : "<defs>\n\(definitions.joined())</defs>\n")
  }

  private func background(of run: StyledText, row: Int) -> String {
    guard let color = theme.pictureColors(run.style).background else { return "" }
    return "<rect x=\"\(number(x(run.column)))\" y=\"\(number(y(row)))\" "
      + "width=\"\(number(x(run.width)))\" height=\"\(number(Self.cellHeight))\" "
      + "fill=\"\(color.hexText)\"/>\n"
  }

  private func draw(_ piece: SVGPiece, row: Int) -> String {
    let color = theme.pictureColors(piece.style).foreground.hexText
    switch piece.content {
    case .shape(let shape):
      let origin = (x(piece.column), y(row))
      return shape.markup(
        origin: origin,
        width: x(piece.width),
        height: Self.cellHeight,
        color: color
      )
    case .text(let text):
      var attributes = "x=\"\(number(x(piece.column)))\" y=\"\(number(y(row) + 13.2))\" "
      attributes += "fill=\"\(color)\""
      if piece.style.attributes.contains(.bold) { attributes += " font-weight=\"600\"" }
      if piece.style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
      if let decoration = piece.style.attributes.textDecoration {
        attributes += " text-decoration=\"\(decoration)\""
      }
      if piece.width > 1 {
        attributes += " textLength=\"\(number(x(piece.width)))\" lengthAdjust=\"spacingAndGlyphs\""
      }
      return "<text \(attributes) xml:space=\"preserve\">\(MarkupText.escaped(text))</text>\n"
    }
  }

  private func x(_ columns: Int) -> Double { Double(columns) * Self.cellWidth }
  private func y(_ row: Int) -> Double { Double(row) * Self.cellHeight }
  private func number(_ value: Double) -> String { SVGShape.number(value) }
}
