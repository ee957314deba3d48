import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// What the drawing of a page depends on besides its cards.
nonisolated struct PageLook: Hashable, Sendable {
  /// The characters of the screen's font.
  var glyphs: GlyphSet
  /// Whether colours can show the focus; otherwise it is shown in reverse.
  var hasColors: Bool
  /// Whether cards have borders; otherwise the heading is a separate line.
  var showsBorders: Bool
  /// What cards are filled with, in place of lines around them; nil for lines, as where the font has few characters.
  var fill: CardFill?
  /// The colours of a gauge from empty to full that the theme has; none for those of the widget.
  var gauge: [Color] = []
  /// The present time, for ages.
  var now: Date
  /// The key that starts a stopped widget again; nil if there is none.
  var retryKey = KeyMap.standard.name(of: .retry)

  /// Creates a look.
  init(glyphs: GlyphSet = .unicode, hasColors: Bool = true, showsBorders: Bool = true, now: Date) {
    self.glyphs = glyphs
    self.hasColors = hasColors
    self.showsBorders = showsBorders
    self.now = now
  }
}

/// One card: border, heading and body.
nonisolated struct CardView: Equatable, Sendable {
  /// Whether this card, or one of its elements, has the focus.
  enum Focus: Hashable, Sendable {
    case none
    case card
    case element(PressTarget)

    var isElement: Bool {
      if case .element = self { true } else { false }
    }
  }

  let card: Card
  /// The present body; nil if there is no view yet.
  let body: CardBody?
  var look: PageLook
  /// The first row of the interior that is drawn.
  var scrollRow = 0
  /// Whether the frame shows all that is drawn, although the body has more rows.
  var isShownWhole = false
  /// Where numbers lie in the body that have just changed.
  var changedNumbers: [Rect] = []
  /// Whether it stands out at this moment, because a countdown on it has ended.
  var isPulsing = false

  private var border: Int { look.showsBorders ? 1 : 0 }
  /// What this card is filled with.
  private var fill: CardFill? { look.showsBorders ? look.fill : nil }

  /// The height of the whole card at a width.
  func rows(width: Int) -> Int {
    let content = body?.size.rows ?? placeholderRows(columns: width - 2 * border)
    return max(0, content) + card.marginInsets.rows + (look.showsBorders ? 2 : 1)
  }

  /// The height of the whole card at this moment: one that is leaving shrinks to nothing.
  func rowsAtThisMoment(width: Int) -> Int {
    let rows = rows(width: width)
    guard let leaving = card.leaving else { return rows }
    return Int((Double(rows) * (1 - min(max(leaving, 0), 1))).rounded())
  }

  /// Where the body's upper left cell lies in a card of `frame`.
  func bodyOrigin(in frame: Rect) -> Position {
    Position(
      column: frame.minColumn + border + card.marginInsets.left,
      row: frame.minRow + 1 + card.marginInsets.top - scrollRow
    )
  }

  /// The cells between the borders.
  func interior(of frame: Rect) -> Rect {
    Rect(
      column: frame.minColumn + border,
      row: frame.minRow + 1,
      columns: max(0, frame.size.columns - 2 * border),
      rows: max(0, frame.size.rows - 1 - border)
    )
  }

  /// Draws the card at `frame`, as much of it as lies in `clip`, and records what can be pressed.
  func draw(on picture: inout PagePicture, frame: Rect, clip: Rect, focus: Focus) {
    let regions = body.map(MotionFrame.regions) ?? []
    draw(on: &picture.canvas, frame: frame, clip: clip, focus: focus, regions: regions)
    // What leaves cannot be pressed any more.
    guard card.leaving == nil else { return }
    let visible = frame.intersection(clip)
    picture.hits.add(PageHit(card: card.id, part: .card), in: visible)
    let columns = frame.size.columns - 2 * border
    let heading = CardHeading(
      card,
      columns: columns,
      now: look.now,
      glyphs: look.glyphs,
      hasFocus: focus != .none
    )
    let start = headingPartsColumn(heading, in: frame)
    let state = Rect(
      column: start,
      row: frame.minRow,
      columns: frame.maxColumn - border - start,
      rows: 1
    )
    picture.hits.add(PageHit(card: card.id, part: .state), in: state.intersection(visible))
    guard let body else { return }
    let origin = bodyOrigin(in: frame)
    let area = Rect(origin: origin, size: body.size)
      .intersection(interior(of: frame)).intersection(clip)
    for region in regions {
      let place = region.frame.offset(columns: origin.column, rows: origin.row)
      let part = region.target.map { PageHit.Part.target($0) } ?? .card
      picture.hits.add(
        PageHit(card: card.id, part: part),
        in: place.intersection(area),
        isMoving: region.isMoving
      )
      if let target = region.target, case .row(let row) = target.role, let mark = row.removal {
        let move = Position(
          column: region.frame.minColumn - target.frame.minColumn,
          row: region.frame.minRow - target.frame.minRow
        )
        picture.hits.add(
          PageHit(card: card.id, part: .removal(target)),
          in: mark.offset(columns: origin.column + move.column, rows: origin.row + move.row)
            .intersection(area),
          isMoving: region.isMoving
        )
      }
    }
  }

  /// Draws the card at `frame`, as much of it as lies in `clip`.
  func draw(on canvas: inout Canvas, frame: Rect, clip: Rect, focus: Focus) {
    let regions = body.map(MotionFrame.regions) ?? []
    draw(on: &canvas, frame: frame, clip: clip, focus: focus, regions: regions)
  }

  /// Draws the card, of whose body `regions` are what can be pressed.
  private func draw(
    on canvas: inout Canvas,
    frame: Rect,
    clip: Rect,
    focus: Focus,
    regions: [PressRegion]
  ) {
    guard !frame.intersection(clip).size.isEmpty else { return }
    defer {
      let isSpecial = focus != .none || card.stateColor != nil || isPulsing
      fill?.draw(on: &canvas, frame, in: clip, edge: isSpecial ? borderStyle(focus) : nil)
    }
    if look.showsBorders, fill == nil {
      canvas.drawBox(frame, FrameGlyphs(look.glyphs), style: borderStyle(focus), in: clip)
    }
    drawHeading(on: &canvas, frame: frame, clip: clip, focus: focus)
    drawMore(on: &canvas, frame: frame, clip: clip, focus: focus)

    let inside = interior(of: frame).intersection(clip)
    let origin = bodyOrigin(in: frame)
    guard let body else {
      var position = origin
      for (line, style) in placeholder(columns: frame.size.columns - 2 * border) {
        canvas.write(line, style: style, at: position, in: inside)
        position.row += 1
      }
      return
    }
    let area = Rect(origin: origin, size: body.size).intersection(inside)
    for run in MotionFrame.runs(of: body.coloringBars(look.gauge)) {
      canvas.put(run, offset: origin, in: area)
    }
    for number in changedNumbers where body.to == nil {
      let place = number.offset(columns: origin.column, rows: origin.row)
      canvas.restyle(place.intersection(area)) { style in
        style.attributes.insert(look.hasColors ? .bold : .underline)
        if look.hasColors, style.background == nil { style.foreground = .accent }
      }
    }
    drawDisclosures(of: regions, from: origin, in: area, within: inside, on: &canvas)
    guard focus.isElement || !card.pressed.isEmpty || !card.pending.isEmpty else { return }
    for region in regions {
      guard let target = region.target else { continue }
      let frame = region.frame.offset(columns: origin.column, rows: origin.row)
      if focus == .element(target), case .field(let field) = target.role {
        let move = Position(
          column: frame.minColumn - target.frame.minColumn,
          row: frame.minRow - target.frame.minRow
        )
        drawCursor(of: field, movedBy: move, frame: frame, in: area, on: &canvas)
      } else if focus == .element(target) {
        canvas.restyle(frame.intersection(area)) { style in
          style.attributes.formSymmetricDifference(.reverse)
          if look.hasColors, style.background == nil { style.foreground = .accent }
        }
      }
      // Reversed and underlined, to differ from the same element with and without the focus.
      if card.pressed.contains(where: { $0.isSameElement(as: target) }) {
        canvas.restyle(frame.intersection(area)) { style in
          style.attributes.formSymmetricDifference(.reverse)
          style.attributes.insert(.underline)
        }
      }
      if card.pending.contains(where: { $0.isSameElement(as: target) }) {
        drawPending(frame, in: area, within: inside, on: &canvas)
      }
    }
  }

  /// Draws a mark in the margin beside each row that does something when it is pressed, as a row of a list looks like text.
  private func drawDisclosures(
    of regions: [PressRegion],
    from origin: Position,
    in area: Rect,
    within inside: Rect,
    on canvas: inout Canvas
  ) {
    let regions = regions.filter { $0.target?.isPressedRow ?? false }
    guard card.marginInsets.right > 0, card.leaving == nil, !regions.isEmpty else { return }
    let mark = TextLine(FrameGlyphs(look.glyphs).disclosure)
    for region in regions {
      let row = origin.row + region.frame.minRow
      guard (area.minRow..<area.maxRow).contains(row) else { continue }
      let place = Position(column: inside.maxColumn - mark.width, row: row)
      canvas.write(mark, style: CellStyle(foreground: .secondary), at: place, in: inside)
    }
  }

  /// Underlines an element, and draws a mark in the last column of its row, because its command still runs.
  private func drawPending(
    _ frame: Rect,
    in area: Rect,
    within inside: Rect,
    on canvas: inout Canvas
  ) {
    let visible = frame.intersection(area)
    canvas.restyle(visible) { $0.attributes.insert(.underline) }
    guard !visible.size.isEmpty else { return }
    let mark = TextLine(look.glyphs == .unicode ? "…" : "*")
    // Usually a column of the margin, where nothing else is.
    let place = Position(column: inside.maxColumn - mark.width, row: frame.minRow)
    canvas.write(mark, style: CellStyle(foreground: .accent), at: place, in: inside)
  }

  /// Draws a field that takes typing: in the colour of the focus, with a cursor.
  private func drawCursor(
    of field: FieldTarget,
    movedBy move: Position,
    frame: Rect,
    in area: Rect,
    on canvas: inout Canvas
  ) {
    if look.hasColors {
      canvas.restyle(frame.intersection(area)) { style in
        if style.background == nil { style.foreground = .accent }
      }
    }
    let place = Position(
      column: field.cursor.column + move.column,
      row: field.cursor.row + move.row
    )
    let cell = Rect(origin: place, size: Size(columns: 1, rows: 1))
    canvas.restyle(cell.intersection(frame).intersection(area)) { style in
      style.attributes.formSymmetricDifference(.reverse)
      style.attributes.insert(.cursor)
    }
  }

  private func borderStyle(_ focus: Focus) -> CellStyle {
    if isPulsing { return CellStyle(foreground: .accent, attributes: .bold) }
    guard focus == .none else {
      return CellStyle(foreground: .accent, attributes: look.hasColors ? [] : .bold)
    }
    return CellStyle(foreground: card.stateColor ?? .separator)
  }

  private func drawHeading(on canvas: inout Canvas, frame: Rect, clip: Rect, focus: Focus) {
    let columns = frame.size.columns - 2 * border
    let heading = CardHeading(
      card,
      columns: columns,
      now: look.now,
      glyphs: look.glyphs,
      hasFocus: focus != .none
    )
    var nameStyle = CellStyle(foreground: .label, attributes: .bold)
    if focus != .none {
      nameStyle.foreground = .accent
      if !look.hasColors { nameStyle.attributes.insert(.reverse) }
    }
    if isPulsing { nameStyle.attributes.formSymmetricDifference(.reverse) }
    let blank = TextLine(glyphs: [.space])
    var place = Position(column: frame.minColumn + border, row: frame.minRow)
    if heading.name.width > 0 {
      place.column = canvas.write(blank, style: .plain, at: place, in: clip)
      if let mark = heading.mark {
        place.column = canvas.write(mark.line, style: mark.style, at: place, in: clip)
        place.column = canvas.write(blank, style: .plain, at: place, in: clip)
      }
      place.column = canvas.write(heading.name, style: nameStyle, at: place, in: clip)
      canvas.write(blank, style: .plain, at: place, in: clip)
    }
    guard heading.partsWidth > 0 else { return }
    place.column = headingPartsColumn(heading, in: frame) - 1
    place.column = canvas.write(blank, style: .plain, at: place, in: clip)
    for part in heading.parts {
      place.column = canvas.write(part.line, style: part.style, at: place, in: clip)
    }
    canvas.write(blank, style: .plain, at: place, in: clip)
  }

  /// Draws on the lower border how many rows are above and below those that the frame shows.
  private func drawMore(on canvas: inout Canvas, frame: Rect, clip: Rect, focus: Focus) {
    guard look.showsBorders, !isShownWhole, let body, body.to == nil else { return }
    let rows = body.size.rows + card.marginInsets.rows
    let below = card.hiddenRows + rows - scrollRow - interior(of: frame).size.rows
    let glyphs = FrameGlyphs(look.glyphs)
    var words: [String] = []
    if scrollRow > 0 { words.append("\(glyphs.above) \(scrollRow)") }
    if below > 0 { words.append("\(glyphs.below) \(below)") }
    let line = TextLine(" \(SafeText(words.joined(separator: "  "))) more ")
    guard !words.isEmpty, line.width + 4 <= frame.size.columns else { return }
    let place = Position(column: frame.maxColumn - 2 - line.width, row: frame.maxRow - 1)
    canvas.write(line, style: CellStyle(foreground: .secondary), at: place, in: clip)
  }

  private func headingPartsColumn(_ heading: CardHeading, in frame: Rect) -> Int {
    frame.maxColumn - border - 1 - heading.partsWidth
  }

  /// The text that is shown while there is no view.
  private func placeholder(columns: Int) -> [(TextLine, CellStyle)] {
    placeholderParagraphs.flatMap { text, style in
      TextLine.wrapped(text, columns: columns - card.marginInsets.columns).prefix(4)
        .map { ($0, style) }
    }
  }

  /// How many lines there are; one if the bytes fit, as no character is wider than its bytes.
  private func placeholderRows(columns: Int) -> Int {
    let room = columns - card.marginInsets.columns
    return placeholderParagraphs.reduce(0) { sum, paragraph in
      let text = paragraph.0.string.utf8
      if !text.isEmpty, text.count <= room, !text.contains(UInt8(ascii: "\n")) { return sum + 1 }
      return sum + TextLine.wrapped(paragraph.0, columns: room).prefix(4).count
    }
  }

  private var placeholderParagraphs: [(SafeText, CellStyle)] {
    guard !card.isConcealed else { return [] }
    let quiet = CellStyle(foreground: .secondary)
    if let words = card.emptyWords, card.message == nil { return [(words, quiet)] }
    switch card.state {
    case .starting:
      let starting = look.glyphs == .unicode ? Self.starting : Self.plainStarting
      return [(card.message ?? starting, quiet)]
    case .live, .snapshot, .hidden: return [(card.message ?? Self.nothing, quiet)]
    case .failed: return [(card.message ?? Self.failed, CellStyle(foreground: .orange))]
    case .stopped:
      let restart = look.retryKey.map { [(SafeText("Press \($0) to start it again."), quiet)] }
      return [(card.message ?? Self.stopped, CellStyle(foreground: .red))] + (restart ?? [])
    }
  }

  // Created once, because a text is cleaned when it is created.
  private static let starting: SafeText = "Starting…"
  private static let plainStarting: SafeText = "Starting..."
  private static let nothing: SafeText = "Nothing to show yet."
  private static let failed: SafeText = "The widget failed."
  private static let stopped: SafeText = "The widget was stopped."
}

nonisolated extension PressTarget {
  /// Whether it is a row of a list that does something, and has no marks for removing and moving it.
  fileprivate var isPressedRow: Bool {
    guard case .row(let row) = role, row.removal == nil, row.grip == nil else { return false }
    return action != nil || link != nil
  }
}
