import WidgetKitCore

/// Writes a canvas as an HTML page: one `pre` with a `span` for each style.
nonisolated struct HTMLWriter: Sendable {
  /// The colours.
  var theme: Theme
  /// The pictures that are drawn.
  var images: DrawnImages = [:]

  /// The height of a line in pixels.
  private static let lineHeight = 17.5

  /// The whole page.
  func text(_ page: Canvas) -> String {
    let canvas = page.withoutImages
    let (pictures, rules) = pictures(on: page)
    let lines = (0..<canvas.size.rows).map { row in
      var column = 0
      return canvas.styledText(inRow: row).map { run in
        let gap = String(repeating: " ", count: max(0, run.column - column))
        column = run.column + run.width
        return gap + span(run)
      }.joined()
    }
    let font = "ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,monospace"
    return """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Today</title>\(rules)</head>
      <body style="margin:0;background:\(theme.windowBackground.hexText)">
      <pre style="\(pictures.isEmpty ? "" : "position:relative;")margin:0;padding:1em;color:\(theme.rgb(.label).hexText);font:14px/1.25 \(font)">
      \(lines.joined(separator: "\n"))\(pictures)
      </pre>
      </body>
      </html>

      """
  }

  /// The pictures, each in front of its cells, and their rules.
  private func pictures(on canvas: Canvas) -> (body: String, rules: String) {
    var markup = ImageMarkup(images)
    var body = ""
    let pixels = { (rows: Int) in SVGShape.number(Double(rows) * Self.lineHeight) + "px" }
    for piece in canvas.imagePieces {
      guard let id = markup.number(piece.drawing) else { continue }
      let (area, whole) = (piece.area, piece.drawing.size)
      let frame = [
        "left:calc(1em + \(area.minColumn)ch)", "top:calc(1em + \(pixels(area.minRow)))",
        "width:\(area.size.columns)ch", "height:\(pixels(area.size.rows))",
      ]
      // The frame shows a part of the cells of the picture, in whose middle it keeps its ratio.
      let picture = [
        "left:-\(piece.start.column)ch", "top:-\(pixels(piece.start.row))",
        "width:\(whole.columns)ch", "height:\(pixels(whole.rows))",
      ]
      let dim = piece.tone == .dim ? ";opacity:0.5" : ""
      body += "<i class=\"image\" style=\"\(frame.joined(separator: ";"))\(dim)\">"
      body += "<b class=\"image\(id)\" style=\"\(picture.joined(separator: ";"))\"></b></i>"
    }
    guard !body.isEmpty else { return ("", "") }
    let rules = markup.urls.enumerated().map { "b.image\($0 + 1){background-image:url(\($1))}" }
    let first = [
      ".image,.image b{position:absolute}", ".image{overflow:hidden}",
      ".image b{background:center/contain no-repeat}",
    ]
    return (body, "<style>\((first + rules).joined(separator: "\n"))</style>")
  }

  private func span(_ run: StyledText) -> String {
    let text = MarkupText.escaped(run.text)
    guard run.style != .plain else { return text }
    let colors = theme.pictureColors(run.style)
    var rules = ["color:\(colors.foreground.hexText)"]
    if let background = colors.background { rules.append("background:\(background.hexText)") }
    if run.style.attributes.contains(.bold) { rules.append("font-weight:bold") }
    if run.style.attributes.contains(.italic) { rules.append("font-style:italic") }
    if let decoration = run.style.attributes.textDecoration {
      rules.append("text-decoration:\(decoration)")
    }
    return "<span style=\"\(rules.joined(separator: ";"))\">\(text)</span>"
  }
}
