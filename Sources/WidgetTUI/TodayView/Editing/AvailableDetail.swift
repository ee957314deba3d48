import WidgetKitCore

/// What the gallery says and shows of an entry of a registry.
nonisolated struct AvailableDetail {
  let row: AvailableGallery.Row
  let stage: AvailableGallery.Stage

  /// A paragraph, of which so many lines are shown.
  private struct Paragraph {
    var text: SafeText
    var style: CellStyle
    var indent = 0
    var lines = 4
  }

  private static let label = CellStyle(foreground: .label)
  private static let secondary = CellStyle(foreground: .secondary)
  private static let warning = CellStyle(foreground: .orange)
  private static let accent = CellStyle(foreground: .accent, attributes: .bold)

  /// Draws it in an area, the paragraphs first.
  ///
  /// While the user is asked, what it may do comes before what it is: that must not be cut off.
  func draw(_ look: PageLook, in area: Rect, on canvas: inout Canvas) {
    let isAsking = stage == .asking
    let first = state + (isAsking ? warnings + wishes : about)
    let second = isAsking ? about : warnings + wishes
    var place = area.origin
    write(first, at: &place, in: area, on: &canvas)
    if isAsking, place.row > area.maxRow {
      let end = Rect(
        column: area.minColumn,
        row: area.maxRow - 1,
        columns: area.size.columns,
        rows: 1
      )
      canvas.fill(end, style: .plain, in: area)
      let words: SafeText = "More permissions than fit here: today gallery info \(row.id)"
      let line = TextLine(words).truncated(to: area.size.columns, glyphSet: look.glyphs)
      canvas.write(line, style: Self.warning, at: end.origin, in: area)
      return
    }
    write(second, at: &place, in: area, on: &canvas)
    place.row += 1
    drawPicture(look, at: place, in: area, on: &canvas)
  }

  private func write(
    _ paragraphs: [Paragraph],
    at place: inout Position,
    in area: Rect,
    on canvas: inout Canvas
  ) {
    for paragraph in paragraphs {
      let columns = max(1, area.size.columns - paragraph.indent)
      let start = place.column + paragraph.indent
      for line in TextLine.wrapped(paragraph.text, columns: columns).prefix(paragraph.lines) {
        let position = Position(column: start, row: place.row)
        canvas.write(line, style: paragraph.style, at: position, in: area)
        place.row += 1
      }
    }
  }

  // MARK: - Words

  private var state: [Paragraph] {
    switch stage {
    case .choosing: return []
    case .asking:
      let verb: SafeText = row.installed == nil ? "Install" : "Update"
      return [
        Paragraph(text: "\(verb) “\(row.name)” and add it to this page?", style: Self.accent)
      ]
    case .installing:
      return [Paragraph(text: "Fetching, checking and installing…", style: Self.accent)]
    case .failed(let words): return [Paragraph(text: words, style: Self.warning, lines: 8)]
    }
  }

  private var about: [Paragraph] {
    [
      Paragraph(text: row.words, style: Self.label),
      Paragraph(text: "\(row.version), \(row.about)", style: Self.secondary),
    ]
  }

  private var warnings: [Paragraph] {
    let signature = row.warning.map {
      Paragraph(text: "Its list is \($0), so its origin cannot be verified.", style: Self.warning)
    }
    let changes =
      row.isChanged
      ? Paragraph(text: "It was changed here, and your changes will be lost.", style: Self.warning)
      : nil
    return [changes, signature].compactMap(\.self)
  }

  private var wishes: [Paragraph] {
    guard !row.wishes.isEmpty else {
      let words: SafeText = "Runs in the sandbox, without the network and your files."
      return [Paragraph(text: words, style: Self.secondary)]
    }
    let list = row.wishes.map { wish in
      let isMore = row.more.contains(wish)
      return Paragraph(
        text: isMore ? "\(wish), which is new" : wish,
        style: isMore ? Self.warning : Self.label,
        indent: 2,
        lines: .max
      )
    }
    return [Paragraph(text: "Runs in the sandbox. It", style: Self.secondary)] + list
  }

  // MARK: - The picture

  /// Draws how it looks in a frame, as its card will have one.
  private func drawPicture(
    _ look: PageLook,
    at place: Position,
    in area: Rect,
    on canvas: inout Canvas
  ) {
    guard !row.picture.isEmpty else { return }
    let lines = row.picture.map { TextLine($0) }
    let width = min(area.size.columns, (lines.map(\.width).max() ?? 0) + 4)
    let frame = Rect(origin: place, size: Size(columns: width, rows: lines.count + 2))
    let style = CellStyle(foreground: .separator)
    canvas.drawBox(frame, FrameGlyphs(look.glyphs), style: style, in: area)
    for (index, line) in lines.enumerated() {
      let start = Position(column: place.column + 2, row: place.row + 1 + index)
      let cut = line.truncated(to: max(0, width - 4), glyphSet: look.glyphs)
      canvas.write(cut, style: Self.label, at: start, in: area)
    }
  }
}
