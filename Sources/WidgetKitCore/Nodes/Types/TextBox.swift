/// Text in lines, from any node that is drawn as text.
final class TextBox: LayoutBox {
  private let flow: TextFlow
  private let content: TextContent
  /// The style of each span; empty if there is one span, which has ``onlyStyle``.
  private let styles: [CellStyle]
  private let onlyStyle: CellStyle
  /// Whether long lines are continued on the next row; otherwise they are cut at the edge.
  private let wraps: Bool
  private let change: SecondsOfChange?
  private let end: SecondsOfChange?
  /// The lines at the width at which the box was measured.
  private var lines: [FlowLine] = []

  /// Creates a box of `content`, whose characters are in `flow`.
  ///
  /// `change` is when the text will be another, if it is a date, and `end` when that comes, if it is a countdown.
  init(
    _ origin: Origin,
    _ content: TextContent,
    _ flow: TextFlow,
    wraps: Bool = true,
    change: SecondsOfChange? = nil,
    end: SecondsOfChange? = nil
  ) {
    self.content = content
    self.flow = flow
    self.wraps = wraps
    (self.change, self.end) = (change, end)
    let spans = content.spans
    styles = spans.count > 1 ? spans.map { $0.look(on: origin.style) } : []
    onlyStyle = spans.count == 1 ? spans[0].look(on: origin.style) : origin.style
    super.init(origin)
  }

  override var nextChange: SecondsOfChange? { change }

  override var countdownEnd: SecondsOfChange? { end }

  override var isPlacedText: Bool { content.alignment != .leading }

  override var wish: Wish {
    let ideal = flow.idealColumns
    let least = min(1, ideal)
    let isAlone = container != .grid && container != .layers
    return Wish(minimum: least, ideal: ideal, least: least, grows: isPlacedText && isAlone)
  }

  override func measureContent(_ width: Int) -> Size {
    guard wraps else {
      lines = flow.rows(width: width)
      return Size(columns: min(width, flow.idealColumns), rows: lines.count)
    }
    lines = flow.lines(width: width, limit: lineLimit, truncation: content.truncation)
    return Size(columns: lines.reduce(0) { max($0, $1.columns) }, rows: lines.count)
  }

  /// The limit on the lines of a text, which is at most the rows of its frame.
  private var lineLimit: Int? {
    var limit = content.lineLimit
    if node.hasTraits {
      for bound in [frame.height, frame.maxHeight] {
        if let bound { limit = min(limit ?? bound, bound) }
      }
    }
    return limit.map { max(0, $0) }
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let hasTargets = wraps && content.spans.contains { $0.action != nil || $0.link != nil }
    let first = max(0, here.clip.minRow - rect.minRow)
    let last = min(lines.count, here.clip.maxRow - rect.minRow)
    guard first < last else { return }
    for index in first..<last {
      let line = lines[index]
      let indent = content.alignment.offset(of: line.columns, in: rect.size.columns)
      let start = Position(column: rect.minColumn + indent, row: rect.minRow + index)
      picture.draw(cells(of: line, ellipsis: picture.glyphs.ellipsis), at: start, in: here)
      if hasTargets { addTargets(of: line, at: start, to: &picture, in: here) }
    }
  }

  private func cells(of line: FlowLine, ellipsis: Glyph) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(line.columns)
    append(line.head, to: &cells)
    if line.isCut {
      let neighbor = line.head.isEmpty ? line.tail.lowerBound : line.head.upperBound - 1
      cells.append(Cell(glyph: ellipsis, style: style(at: neighbor)))
    }
    append(line.tail, to: &cells)
    return cells
  }

  /// Appends the cells of a range of glyphs.
  private func append(_ range: Range<Int>, to cells: inout [Cell]) {
    guard !range.isEmpty else { return }
    guard !styles.isEmpty else {
      for index in range { Cell.append(flow.glyphs[index], onlyStyle, to: &cells) }
      return
    }
    var start = range.lowerBound
    while start < range.upperBound {
      let span = flow.span(of: start)
      let end = min(flow.end(ofSpan: span), range.upperBound)
      for index in start..<end { Cell.append(flow.glyphs[index], styles[span], to: &cells) }
      start = end
    }
  }

  /// The style of a glyph; that of the box if there is no such glyph.
  private func style(at glyph: Int) -> CellStyle {
    guard flow.glyphs.indices.contains(glyph) else { return style }
    return styles.isEmpty ? onlyStyle : styles[flow.span(of: glyph)]
  }

  /// Adds the targets of the spans in a line, one for each span.
  private func addTargets(
    of line: FlowLine,
    at start: Position,
    to picture: inout Picture,
    in here: Surroundings
  ) {
    var column = start.column
    var current: (span: Int, from: Int)?
    func close(_ picture: inout Picture) {
      guard let (index, from) = current else { return }
      current = nil
      let span = content.spans[index]
      guard span.action != nil || span.link != nil else { return }
      picture.add(
        isRedacted ? "" : span.text,
        action: span.action,
        link: span.link,
        help: shownHelp,
        at: Rect(column: from, row: start.row, columns: column - from, rows: 1),
        in: here
      )
    }
    for (part, isLast) in [(line.head, false), (line.tail, true)] {
      for index in part {
        let span = flow.span(of: index)
        if current?.span != span {
          close(&picture)
          current = (span, column)
        }
        column += flow.width(index)
      }
      if !isLast && line.isCut { column += 1 }
    }
    close(&picture)
  }
}

extension TextSpan {
  /// Its look in a node of a style; what can be pressed is underlined.
  fileprivate func look(on style: CellStyle) -> CellStyle {
    var look = style.applying(self.style)
    if action != nil || link != nil { look.attributes.insert(.underline) }
    return look
  }
}
