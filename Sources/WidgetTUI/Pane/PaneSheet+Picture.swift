import FoundationEssentials
import WidgetKitCore
import WidgetRequests

nonisolated extension PaneSheet {
  /// The most rows of the text, and of a list.
  private static let textLimit = 5
  private static let listLimit = 8

  /// The rows of each part, from above.
  private struct Heights {
    var preview: Int
    var text: Int
    var list: Int
    /// Empty rows between the parts.
    var gaps: Int

    var total: Int { preview + text + list + gaps + 1 }
  }

  /// Draws the sheet.
  func picture(_ look: PaneLook) -> PanePicture {
    let columns = min(look.size.columns, PanePicture.columnLimit) - 4
    let lines = text.map { $0.rows(columns: max(1, columns - Self.countColumns)) }
    let ownPreview = ownPreview.map { view in
      ViewLayout.layOut(
        view,
        width: max(0, columns),
        in: LayoutEnvironment(now: .now, glyphs: look.glyphs)
      )
    }
    let previewRows = ownPreview?.size.rows ?? preview.rows(limit: ContentPreview.rowLimit)
    let heights = heights(previewRows, lines?.rows.count ?? 0, room: max(1, look.size.rows - 2))
    var (picture, inside) = PanePicture.box(
      rows: heights.total,
      title: title,
      remark: preview.summary,
      keys: keys(look.frame),
      look
    )
    var row = inside.minRow
    if heights.preview > 0 {
      let area = part(inside, row, heights.preview)
      if let ownPreview {
        for run in ownPreview.runs { picture.canvas.put(run, offset: area.origin, in: area) }
      } else {
        preview.draw(on: &picture.canvas, in: area, look)
      }
      row += heights.preview + (heights.gaps > 0 ? 1 : 0)
    }
    if let lines, heights.text > 0 {
      draw(lines, on: &picture, in: part(inside, row, heights.text), look)
      row += heights.text + (heights.gaps > 1 ? 1 : 0)
    }
    if heights.list > 0 {
      drawList(on: &picture, in: part(inside, row, heights.list), look)
    }
    drawButtons(on: &picture, in: part(inside, inside.maxRow - 1, 1), look)
    return picture
  }

  private static let countColumns = 6

  private func part(_ inside: Rect, _ row: Int, _ rows: Int) -> Rect {
    Rect(column: inside.minColumn, row: row, columns: inside.size.columns, rows: rows)
      .intersection(inside)
  }

  private func heights(_ previewRows: Int, _ textRows: Int, room: Int) -> Heights {
    var heights = Heights(
      preview: min(previewRows, ContentPreview.rowLimit),
      text: text == nil ? 0 : min(max(2, textRows), Self.textLimit),
      list: min(listCount, Self.listLimit),
      gaps: 0
    )
    // What is above the buttons is set off from them.
    heights.gaps = [heights.preview, heights.text, heights.list].count { $0 > 0 }
    while heights.total > room, heights.preview > 2 { heights.preview -= 1 }
    while heights.total > room, heights.gaps > 0 { heights.gaps -= 1 }
    while heights.total > room, heights.preview > 0 { heights.preview -= 1 }
    while heights.total > room, heights.text > 1 { heights.text -= 1 }
    while heights.total > room, heights.list > 1 { heights.list -= 1 }
    // On the lowest screens there is only the part with the focus.
    if heights.total > room, heights.text > 0, heights.list > 0 {
      if focus == .text, opened == nil { heights.list = 0 } else { heights.text = 0 }
    }
    return heights
  }

  private var listCount: Int {
    switch opened {
    case .choices(let item, _): items[item].choices.count + 1
    case .typing: 2
    case nil: completions.map(\.count) ?? items.count
    }
  }

  private func keys(_ frame: FrameGlyphs) -> [(SafeText, SafeText)] {
    let press = frame.name(of: .press)
    let post = ("^S" as SafeText, SafeText(postWord.string.lowercased()))
    let cancel = ("esc" as SafeText, "cancel" as SafeText)
    if isPosting { return [cancel] }
    if opened != nil { return [(press, "take"), ("esc", "back")] }
    if focus == .text, completions?.isEmpty == false {
      return [(frame.name(of: .elements), "complete"), post, ("esc", "items")]
    }
    let next = (frame.name(of: .elements), "next" as SafeText)
    let choose = (press, "choose" as SafeText)
    return focus == .text ? [next, post, cancel] : [next, choose, post, cancel]
  }

  // MARK: - Text

  private func draw(
    _ lines: (rows: [TextLine], cursor: Position),
    on picture: inout PanePicture,
    in area: Rect,
    _ look: PaneLook
  ) {
    let first = max(0, lines.cursor.row - area.size.rows + 1)
    let label = CellStyle(foreground: .label)
    for (index, line) in lines.rows.dropFirst(first).prefix(area.size.rows).enumerated() {
      let place = Position(column: area.minColumn, row: area.minRow + index)
      picture.canvas.write(line, style: label, at: place, in: area)
    }
    picture.targets.append(PanePicture.Target(area: area, action: .text))
    if text?.isEmpty == true, let placeholder {
      picture.canvas.write(
        TextLine(placeholder)
          .truncated(to: max(0, area.size.columns - Self.countColumns), glyphSet: look.glyphs),
        style: CellStyle(foreground: .tertiary),
        at: area.origin,
        in: area
      )
    }
    if let count = charactersRemaining {
      let words = TextLine(SafeText(String(count)))
      let place = Position(column: area.maxColumn - words.width, row: area.maxRow - 1)
      let color: Color = count < 0 ? .red : .secondary
      let style = CellStyle(foreground: color, attributes: count < 0 ? .bold : [])
      picture.canvas.write(words, style: style, at: place, in: area)
    }
    guard focus == .text, opened == nil, !isPosting else { return }
    let cell = Rect(
      column: area.minColumn + lines.cursor.column,
      row: area.minRow + lines.cursor.row - first,
      columns: 1,
      rows: 1
    )
    picture.canvas.restyle(cell.intersection(area)) { style in
      style.foreground = .accent
      style.attributes.insert(.reverse)
    }
  }

  // MARK: - Lists

  /// A row of a list.
  private struct Row {
    var title: SafeText
    var detail: SafeText = ""
  }

  private func drawList(on picture: inout PanePicture, in area: Rect, _ look: PaneLook) {
    switch opened {
    case .choices(let item, let selection):
      drawHeading(items[item].title, on: &picture, area)
      let choices: [Row] = items[item].choices.map { Row(title: SafeText($0)) }
      if choices.count > area.below.size.rows {
        drawPlace("\(selection + 1)/\(choices.count)", on: &picture, area)
      }
      draw(choices, selection, on: &picture, in: area.below, look)
    case .typing(let item, let line):
      drawHeading(items[item].title, on: &picture, area)
      let place = area.below
      line.draw(
        on: &picture.canvas,
        at: place.origin,
        columns: place.size.columns,
        look.glyphs,
        in: place
      )
    case nil:
      if let completions {
        let rows = completions.map { Row(title: SafeText($0.text), detail: $0.detail ?? "") }
        draw(rows, focus == .text ? completion : -1, on: &picture, in: area, look)
      } else {
        drawItems(on: &picture, in: area, look)
      }
    }
  }

  private func drawHeading(_ title: SafeText, on picture: inout PanePicture, _ area: Rect) {
    picture.canvas.write(
      title,
      style: CellStyle(foreground: .secondary),
      at: area.origin,
      in: area
    )
  }

  /// Draws the place in a list of which not all rows are shown.
  private func drawPlace(_ place: SafeText, on picture: inout PanePicture, _ area: Rect) {
    let words = TextLine(place)
    picture.canvas.write(
      words,
      style: CellStyle(foreground: .secondary),
      at: Position(column: area.maxColumn - words.width, row: area.minRow),
      in: area
    )
  }

  private func draw(
    _ rows: [Row],
    _ selection: Int,
    on picture: inout PanePicture,
    in area: Rect,
    _ look: PaneLook
  ) {
    let room = area.size.rows
    let first = max(0, min(selection - room / 2, rows.count - room))
    for (index, row) in rows.enumerated().dropFirst(first).prefix(room) {
      let line = area.row(index - first)
      draw(row.title, row.detail, isSelected: index == selection, on: &picture, line, look)
      picture.targets.append(PanePicture.Target(area: line, action: .row(index)))
    }
  }

  private func drawItems(on picture: inout PanePicture, in area: Rect, _ look: PaneLook) {
    let room = area.size.rows
    let present = if case .item(let index) = focus { index } else { 0 }
    let first = max(0, min(present - room / 2, items.count - room))
    for (index, item) in items.enumerated().dropFirst(first).prefix(room) {
      let line = area.row(index - first)
      let mark = look.glyphs == .unicode ? " ›" : " >"
      let pending = look.glyphs == .ascii ? "..." : "…"
      let value = SafeText((item.isPending ? pending : item.value.onOneLine.string) + mark)
      draw(
        item.title,
        value,
        isSelected: focus == .item(index),
        on: &picture,
        line,
        look
      )
      picture.targets.append(PanePicture.Target(area: line, action: .item(index)))
    }
  }

  private func draw(
    _ title: SafeText,
    _ value: SafeText,
    isSelected: Bool,
    on picture: inout PanePicture,
    _ line: Rect,
    _ look: PaneLook
  ) {
    let right = TextLine(value).truncated(to: line.size.columns / 2, glyphSet: look.glyphs)
    let left = TextLine(title)
      .truncated(to: max(0, line.size.columns - right.width - 2), glyphSet: look.glyphs)
    picture.canvas.write(left, style: CellStyle(foreground: .label), at: line.origin, in: line)
    picture.canvas.write(
      right,
      style: CellStyle(foreground: .secondary),
      at: Position(column: line.maxColumn - right.width, row: line.minRow),
      in: line
    )
    guard isSelected else { return }
    picture.canvas.restyle(line) { style in
      style.foreground = .accent
      style.attributes.insert(.reverse)
    }
  }

  // MARK: - Buttons

  private func drawButtons(on picture: inout PanePicture, in area: Rect, _ look: PaneLook) {
    var row = PaneButtons(note: note)
    row.buttons = [
      PaneButtons.Button(words: "Cancel", action: .cancel, hasFocus: has(.cancel))
    ]
    if !isPosting {
      var post = PaneButtons.Button(words: postWord, action: .post, hasFocus: has(.post))
      (post.isDefault, post.isActive) = (true, isValid)
      row.buttons.append(post)
    }
    row.draw(on: &picture, in: area, look)
  }

  private func has(_ place: Focus) -> Bool { focus == place && opened == nil }
}

nonisolated extension Rect {
  /// The part without the first row.
  fileprivate var below: Rect {
    Rect(column: minColumn, row: minRow + 1, columns: size.columns, rows: max(0, size.rows - 1))
  }

  /// One of its rows.
  fileprivate func row(_ index: Int) -> Rect {
    Rect(column: minColumn, row: minRow + index, columns: size.columns, rows: 1)
  }
}
