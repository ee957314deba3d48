import FoundationEssentials
import WidgetKitCore
import WidgetRequests

/// Draws a sheet: the preview, the text, a list, and the buttons.
nonisolated struct SheetPicture {
  private let sheet: PaneSheet
  private let look: PaneLook
  /// The rows of the text, and where its cursor is; nil if the extension takes none.
  private let lines: (rows: [TextLine], cursor: Position)?
  /// What the extension shows in place of the preview.
  private let ownPreview: LaidOutView?
  private let heights: Heights
  private let inside: Rect
  private var picture: PanePicture

  private static let countColumns = 6

  /// Draws a sheet.
  static func draw(_ sheet: PaneSheet, _ look: PaneLook) -> PanePicture {
    var drawing = Self(sheet, look)
    drawing.drawParts()
    return drawing.picture
  }

  private init(_ sheet: PaneSheet, _ look: PaneLook) {
    (self.sheet, self.look) = (sheet, look)
    let columns = Self.columns(look)
    lines = sheet.text.map { $0.rows(columns: Self.textColumns(look)) }
    ownPreview = sheet.ownPreview.map { view in
      ViewLayout.layOut(
        view,
        width: max(0, columns),
        in: LayoutEnvironment(now: .now, glyphs: look.glyphs)
      )
    }
    heights = Heights(
      of: sheet,
      preview: ownPreview?.size.rows ?? sheet.preview.rows(limit: ContentPreview.rowLimit),
      text: lines?.rows.count ?? 0,
      room: max(1, look.size.rows - 2)
    )
    (picture, inside) = PanePicture.box(
      rows: heights.total,
      title: sheet.title,
      remark: sheet.preview.summary,
      keys: Self.keys(of: sheet, look.frame),
      look
    )
  }

  private static func columns(_ look: PaneLook) -> Int {
    min(look.size.columns, PanePicture.columnLimit) - 4
  }

  /// The columns of the text; at least 1.
  static func textColumns(_ look: PaneLook) -> Int { max(1, columns(look) - countColumns) }

  private mutating func drawParts() {
    var row = inside.minRow
    if heights.preview > 0 {
      let area = part(row, heights.preview)
      if let ownPreview {
        for run in ownPreview.runs { picture.canvas.put(run, offset: area.origin, in: area) }
      } else {
        sheet.preview.draw(on: &picture.canvas, in: area, look)
      }
      row += heights.preview + (heights.gaps > 0 ? 1 : 0)
    }
    if let lines, heights.text > 0 {
      draw(lines, in: part(row, heights.text))
      row += heights.text + (heights.gaps > 1 ? 1 : 0)
    }
    if heights.list > 0 { drawList(in: part(row, heights.list)) }
    drawButtons(in: part(inside.maxRow - 1, 1))
  }

  private func part(_ row: Int, _ rows: Int) -> Rect {
    Rect(column: inside.minColumn, row: row, columns: inside.size.columns, rows: rows)
      .intersection(inside)
  }

  private static func keys(of sheet: PaneSheet, _ frame: FrameGlyphs) -> [(SafeText, SafeText)] {
    let press = frame.name(of: .press)
    let post = ("^S" as SafeText, SafeText(sheet.postWord.string.lowercased()))
    let cancel = ("esc" as SafeText, "cancel" as SafeText)
    if sheet.isPosting { return [cancel] }
    if sheet.opened != nil { return [(press, "take"), ("esc", "back")] }
    if sheet.focus == .text, sheet.completions?.isEmpty == false {
      return [(frame.name(of: .elements), "complete"), post, ("esc", "items")]
    }
    let next = (frame.name(of: .elements), "next" as SafeText)
    let choose = (press, "choose" as SafeText)
    return sheet.focus == .text ? [next, post, cancel] : [next, choose, post, cancel]
  }

  // MARK: - Text

  private mutating func draw(_ lines: (rows: [TextLine], cursor: Position), in area: Rect) {
    let first = max(0, lines.cursor.row - area.size.rows + 1)
    let label = CellStyle(foreground: .label)
    for (index, line) in lines.rows.dropFirst(first).prefix(area.size.rows).enumerated() {
      let place = Position(column: area.minColumn, row: area.minRow + index)
      picture.canvas.write(line, style: label, at: place, in: area)
    }
    picture.targets.append(PanePicture.Target(area: area, action: .text))
    if sheet.text?.isEmpty == true, let placeholder = sheet.placeholder {
      picture.canvas.write(
        TextLine(placeholder)
          .truncated(to: max(0, area.size.columns - Self.countColumns), glyphSet: look.glyphs),
        style: CellStyle(foreground: .tertiary),
        at: area.origin,
        in: area
      )
    }
    if let count = sheet.charactersRemaining {
      let words = TextLine(SafeText(String(count)))
      let place = Position(column: area.maxColumn - words.width, row: area.maxRow - 1)
      let color: Color = count < 0 ? .red : .secondary
      let style = CellStyle(foreground: color, attributes: count < 0 ? .bold : [])
      picture.canvas.write(words, style: style, at: place, in: area)
    }
    guard sheet.focus == .text, sheet.opened == nil, !sheet.isPosting else { return }
    let cell = Rect(
      column: area.minColumn + lines.cursor.column,
      row: area.minRow + lines.cursor.row - first,
      columns: 1,
      rows: 1
    )
    picture.canvas.restyle(cell.intersection(area)) { style in
      style.foreground = .accent
      style.attributes.formUnion([.reverse, .cursor])
    }
  }

  // MARK: - Lists

  /// A row of a list.
  private struct Row {
    var title: SafeText
    var detail: SafeText = ""
  }

  private mutating func drawList(in area: Rect) {
    switch sheet.opened {
    case .choices(let item, let selection):
      drawHeading(sheet.items[item].title, area)
      let choices: [Row] = sheet.items[item].choices.map { Row(title: SafeText($0)) }
      if choices.count > area.below.size.rows {
        drawPlace("\(selection + 1)/\(choices.count)", area)
      }
      draw(choices, selection, in: area.below)
    case .typing(let item, let line):
      drawHeading(sheet.items[item].title, area)
      let place = area.below
      line.draw(
        on: &picture.canvas,
        at: place.origin,
        columns: place.size.columns,
        look.glyphs,
        in: place
      )
    case nil:
      if let completions = sheet.completions {
        let rows = completions.map { Row(title: SafeText($0.text), detail: $0.detail ?? "") }
        draw(rows, sheet.focus == .text ? sheet.completion : -1, in: area)
      } else {
        drawItems(in: area)
      }
    }
  }

  private mutating func drawHeading(_ title: SafeText, _ area: Rect) {
    picture.canvas.write(
      title,
      style: CellStyle(foreground: .secondary),
      at: area.origin,
      in: area
    )
  }

  /// Draws the place in a list of which not all rows are shown.
  private mutating func drawPlace(_ place: SafeText, _ area: Rect) {
    let words = TextLine(place)
    picture.canvas.write(
      words,
      style: CellStyle(foreground: .secondary),
      at: Position(column: area.maxColumn - words.width, row: area.minRow),
      in: area
    )
  }

  private mutating func draw(_ rows: [Row], _ selection: Int, in area: Rect) {
    let room = area.size.rows
    let first = max(0, min(selection - room / 2, rows.count - room))
    for (index, row) in rows.enumerated().dropFirst(first).prefix(room) {
      let line = area.row(index - first)
      draw(row.title, row.detail, isSelected: index == selection, line)
      picture.targets.append(PanePicture.Target(area: line, action: .row(index)))
    }
  }

  private mutating func drawItems(in area: Rect) {
    let room = area.size.rows
    let present = if case .item(let index) = sheet.focus { index } else { 0 }
    let first = max(0, min(present - room / 2, sheet.items.count - room))
    for (index, item) in sheet.items.enumerated().dropFirst(first).prefix(room) {
      let line = area.row(index - first)
      let mark = look.glyphs == .unicode ? " ›" : " >"
      let pending = look.glyphs == .ascii ? "..." : "…"
      let value = SafeText((item.isPending ? pending : item.value.onOneLine.string) + mark)
      draw(item.title, value, isSelected: sheet.focus == .item(index), line)
      picture.targets.append(PanePicture.Target(area: line, action: .item(index)))
    }
  }

  private mutating func draw(_ title: SafeText, _ value: SafeText, isSelected: Bool, _ line: Rect) {
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

  private mutating func drawButtons(in area: Rect) {
    var row = PaneButtons(note: sheet.failure ?? sheet.note ?? sheet.overflow)
    if sheet.failure != nil { row.noteColor = .red }
    row.buttons = [
      PaneButtons.Button(
        words: "Cancel",
        action: .cancel,
        hasFocus: has(.cancel) && !sheet.isPosting
      )
    ]
    if !sheet.isPosting {
      var post = PaneButtons.Button(words: sheet.postWord, action: .post, hasFocus: has(.post))
      (post.isDefault, post.isActive) = (true, sheet.isValid)
      row.buttons.append(post)
    }
    row.draw(on: &picture, in: area, look)
  }

  private func has(_ place: PaneSheet.Focus) -> Bool { sheet.focus == place && sheet.opened == nil }
}

/// The rows of each part of a sheet, from above.
private nonisolated struct Heights {
  var preview: Int
  var text: Int
  var list: Int
  /// Empty rows between the parts.
  var gaps = 0

  /// With the row of the buttons.
  var total: Int { preview + text + list + gaps + 1 }

  /// The most rows of the text, and of a list.
  private static let textLimit = 5
  private static let listLimit = 8

  /// What fits into the room, of a preview and a text with so many rows.
  init(of sheet: PaneSheet, preview: Int, text: Int, room: Int) {
    self.preview = min(preview, ContentPreview.rowLimit)
    self.text = sheet.text == nil ? 0 : min(max(2, text), Self.textLimit)
    list = min(Self.listCount(of: sheet), Self.listLimit)
    // What is above the buttons is set off from them.
    gaps = [self.preview, self.text, list].count { $0 > 0 }
    while total > room, self.preview > 2 { self.preview -= 1 }
    while total > room, gaps > 0 { gaps -= 1 }
    while total > room, self.preview > 0 { self.preview -= 1 }
    while total > room, self.text > 1 { self.text -= 1 }
    while total > room, list > 1 { list -= 1 }
    // On the lowest screens there is only the part with the focus.
    if total > room, self.text > 0, list > 0 {
      if sheet.focus == .text, sheet.opened == nil { list = 0 } else { self.text = 0 }
    }
  }

  private static func listCount(of sheet: PaneSheet) -> Int {
    switch sheet.opened {
    case .choices(let item, _): sheet.items[item].choices.count + 1
    case .typing: 2
    case nil: sheet.completions.map(\.count) ?? sheet.items.count
    }
  }
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
