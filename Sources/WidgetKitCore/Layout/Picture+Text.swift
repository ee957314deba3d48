extension Picture {
  /// Draws the lines of a text and adds the targets of its spans, one for each line of a span.
  mutating func drawText(
    _ box: LayoutBox,
    _ flow: TextFlow,
    _ styles: [CellStyle],
    _ spans: [TextSpan],
    _ alignment: Alignment,
    at rect: Rect,
    in here: Surroundings
  ) {
    let hasTargets = spans.contains { $0.action != nil || $0.link != nil }
    let first = max(0, here.clip.minRow - rect.minRow)
    let last = min(box.lines.count, here.clip.maxRow - rect.minRow)
    guard first < last else { return }
    for index in first..<last {
      let line = box.lines[index]
      let start = Position(
        column: rect.minColumn + alignment.offset(of: line.columns, in: rect.size.columns),
        row: rect.minRow + index
      )
      draw(
        cells(of: line, flow, styles, box.style),
        at: start,
        clip: here.clip,
        element: here.element
      )
      if hasTargets {
        addTargets(of: line, flow, spans, isRedacted: box.isRedacted, at: start, in: here)
      }
    }
  }

  private func cells(
    of line: TextLine,
    _ flow: TextFlow,
    _ styles: [CellStyle],
    _ plain: CellStyle
  ) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(line.columns)
    func style(_ index: Int) -> CellStyle {
      flow.glyphs.indices.contains(index) ? styles[flow.span(of: index)] : plain
    }
    for index in line.head { Cell.append(flow.glyphs[index], style(index), to: &cells) }
    if line.isCut {
      let neighbour = line.head.isEmpty ? line.tail.lowerBound : line.head.upperBound - 1
      cells.append(Cell(glyph: glyphs.ellipsis, style: style(neighbour)))
    }
    for index in line.tail { Cell.append(flow.glyphs[index], style(index), to: &cells) }
    return cells
  }

  private mutating func addTargets(
    of line: TextLine,
    _ flow: TextFlow,
    _ spans: [TextSpan],
    isRedacted: Bool,
    at start: Position,
    in here: Surroundings
  ) {
    var column = start.column
    var current: (span: Int, from: Int)?
    func close(_ picture: inout Picture) {
      guard let (index, from) = current else { return }
      current = nil
      let span = spans[index]
      guard span.action != nil || span.link != nil else { return }
      let frame = Rect(column: from, row: start.row, columns: column - from, rows: 1)
        .intersection(here.clip)
      guard !frame.size.isEmpty else { return }
      picture.add(
        PressTarget(
          frame: frame,
          elementID: here.element.map { picture.elements[$0].id },
          action: span.action,
          link: span.link,
          newValue: nil,
          label: isRedacted ? "" : span.text
        )
      )
    }
    for (part, isLast) in [(line.head, false), (line.tail, true)] {
      for index in part {
        let span = flow.span(of: index)
        if current?.span != span {
          close(&self)
          current = (span, column)
        }
        column += flow.glyphs[index].width
      }
      if !isLast && line.isCut { column += 1 }
    }
    close(&self)
  }
}

extension GlyphSet {
  /// The mark for omitted text; one cell.
  public var ellipsis: Glyph {
    self == .unicode ? Glyph("…", width: 1) : Glyph("~", width: 1)
  }
}

extension LayoutBox {
  /// Whether it is text that is not just at the start of its frame.
  var isPlacedText: Bool {
    if case .text(_, _, let content) = kind { return content.alignment != .leading }
    return false
  }
}
