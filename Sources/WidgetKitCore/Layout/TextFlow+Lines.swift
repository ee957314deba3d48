extension TextFlow {
  /// Breaks the text into lines of at most `width` cells.
  ///
  /// - Parameters:
  ///   - width: The cells in a line; with 0, there are no lines.
  ///   - limit: The limit on the number of lines; the last one is cut if there is more text.
  ///   - truncation: Which part of the last line is omitted.
  /// - Returns: The lines from top to bottom.
  func lines(
    width: Int,
    limit: Int? = nil,
    truncation: Truncation = .tail
  ) -> [FlowLine] {
    guard width > 0, limit ?? 1 > 0 else { return [] }
    var lines: [FlowLine] = []
    for index in 0..<paragraphCount {
      let paragraph = paragraph(index)
      if let limit, lines.count == limit {
        let previous = self.paragraph(index - 1).range
        cutLast(of: &lines, width, truncation, in: previous, hasMore: true)
        return lines
      }
      if paragraph.columns <= width {
        lines.append(FlowLine(head: paragraph.range, columns: paragraph.columns))
        continue
      }
      let room = limit.map { $0 - lines.count }
      let before = lines.count
      wrap(paragraph.range, width, room: room, into: &lines)
      if lines.count == before {
        // If there are only wide glyphs and none fits, the ellipsis shows that there is more.
        lines.append(cut(paragraph.range, width, .tail, isForced: true))
      }
      if let room, lines.count - before > room {
        lines.removeLast()
        cutLast(of: &lines, width, truncation, in: paragraph.range, hasMore: false)
        return lines
      }
    }
    return lines
  }

  /// Puts each paragraph on one line of at most `width` cells; one that is longer, without blanks at its end, is cut.
  func rows(width: Int) -> [FlowLine] {
    paragraphs.map { paragraph in
      let whole = FlowLine(head: paragraph.range, columns: paragraph.columns)
      guard width > 0, paragraph.columns > width else { return whole }
      let range = paragraph.range
      let end = withoutSpaces(from: range.lowerBound, to: range.upperBound)
      let words = range.lowerBound..<end
      return columns(words) > width ? cut(words, width, .tail, isForced: false) : whole
    }
  }

  /// Replaces the last line by all the text that follows, cut to its width.
  private func cutLast(
    of lines: inout [FlowLine],
    _ width: Int,
    _ truncation: Truncation,
    in paragraph: Range<Int>,
    hasMore: Bool
  ) {
    guard let last = lines.popLast() else { return }
    switch truncation {
    case .tail:
      let range = last.head.lowerBound..<paragraph.upperBound
      lines.append(cut(range, width, .tail, isForced: hasMore))
    case .middle, .head:
      let range = last.head.lowerBound..<glyphs.count
      lines.append(cut(range, width, truncation, isForced: false))
    }
  }

  /// Makes one line of `range`, with an ellipsis if it is too long or `isForced` is true.
  private func cut(
    _ range: Range<Int>,
    _ width: Int,
    _ truncation: Truncation,
    isForced: Bool
  ) -> FlowLine {
    let total = columns(range)
    if total <= width && !isForced { return FlowLine(head: range, columns: total) }
    let room = width - 1
    var head = range.lowerBound..<range.lowerBound
    var tail = range.upperBound..<range.upperBound
    switch truncation {
    case .tail: head = prefix(of: range, room)
    case .head: tail = suffix(of: range, room)
    case .middle:
      head = prefix(of: range, (room + 1) / 2)
      let rest = head.upperBound..<range.upperBound
      tail = suffix(of: rest, room - columns(head))
    }
    return FlowLine(
      head: head,
      isCut: true,
      tail: tail,
      columns: columns(head) + 1 + columns(tail)
    )
  }

  /// The first glyphs that fit into `room` cells, without a space at the end.
  private func prefix(of range: Range<Int>, _ room: Int) -> Range<Int> {
    var end = range.lowerBound
    var used = 0
    while end < range.upperBound, used + width(end) <= room {
      used += width(end)
      end += 1
    }
    return range.lowerBound..<withoutSpaces(from: range.lowerBound, to: end)
  }

  /// The last glyphs that fit into `room` cells, without a space at the beginning.
  private func suffix(of range: Range<Int>, _ room: Int) -> Range<Int> {
    var start = range.upperBound
    var used = 0
    while start > range.lowerBound, used + width(start - 1) <= room {
      start -= 1
      used += width(start)
    }
    while start < range.upperBound, isSpace(start) { start += 1 }
    return start..<range.upperBound
  }

  /// Returns the end of the glyphs up to `end` without trailing spaces.
  private func withoutSpaces(from start: Int, to end: Int) -> Int {
    var end = end
    while end > start, isSpace(end - 1) { end -= 1 }
    return end
  }

  /// Wraps one paragraph greedily; stops one line after `room`, which shows that there is more.
  private func wrap(
    _ paragraph: Range<Int>,
    _ width: Int,
    room: Int?,
    into lines: inout [FlowLine]
  ) {
    let most = room.map { lines.count + $0 }
    var start = paragraph.lowerBound
    var used = 0
    /// The last possible end of the line, and the start of the next one.
    var lineBreak: (end: Int, next: Int)?
    /// The end of the last glyph of the line that is not a space.
    ///
    /// It is stored because searching for it at each space would make a long run of spaces quadratic.
    var wordEnd = start
    var index = start
    while index < paragraph.upperBound {
      if let most, lines.count > most { return }
      let cells = self.width(index)
      if isSpace(index) {
        // Spaces at the beginning are an indent; the line is not broken there.
        if wordEnd > start { lineBreak = (wordEnd, index + 1) }
        used += 1
        index += 1
        continue
      }
      let follows = index > start && !isSpace(index - 1)
      if follows && (cells == 2 || self.width(index - 1) == 2) {
        lineBreak = (index, index)
      }
      if used + cells <= width {
        used += cells
        index += 1
        wordEnd = index
        continue
      }
      if let found = lineBreak {
        emit(start..<found.end, into: &lines)
        start = found.next
      } else if index > start {
        emit(start..<wordEnd, into: &lines)
        start = index
      } else {
        // A wide glyph in a line of one cell never fits.
        start = index + 1
      }
      index = start
      wordEnd = start
      used = 0
      lineBreak = nil
    }
    if start < paragraph.upperBound {
      emit(start..<(used <= width ? paragraph.upperBound : wordEnd), into: &lines)
    }
  }

  private func emit(_ range: Range<Int>, into lines: inout [FlowLine]) {
    lines.append(FlowLine(head: range, columns: columns(range)))
  }

  /// Returns the cells of the first line of the text, cut to `columns`; nil if there is no room.
  func words(in columns: Int, _ style: CellStyle, _ glyphs: GlyphSet) -> [Cell]? {
    guard let line = lines(width: columns, limit: 1).first else { return nil }
    var cells = Cell.cells(self.glyphs[line.head], style)
    if line.isCut { cells.append(Cell(glyph: glyphs.ellipsis, style: style)) }
    return cells
  }
}
