import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// A card, or a row of a list, that is dragged with the mouse.
///
/// Nothing changes before it is dropped. Where it will be then is found in what was drawn without it.
nonisolated struct PageDrag: Hashable, Sendable {
  /// The card that is dragged, or that has the row.
  var card: CardID
  /// The row; nil if the whole card is dragged.
  var row: PressTarget?
  /// Where the pointer was on the card or the row when the drag began.
  var grip: Position
  /// The cell of the pointer.
  var pointer: Position
  /// Whether the pointer has moved; before, it is only a press.
  var hasMoved = false

  /// Takes the pointer to another cell.
  mutating func move(to position: Position) {
    if position != pointer { hasMoved = true }
    pointer = position
  }

  /// Where a card will be after it was dropped.
  enum Landing: Hashable, Sendable {
    /// It takes the place of another card, which is then behind it or, with `isAfter`, before it.
    case card(CardID, isAfter: Bool)
    case page(PageName)
  }

  /// Where the card will be; nil if it stays where it is.
  func landing(in model: TodayModel, _ hits: HitMap) -> Landing? {
    guard row == nil, hasMoved else { return nil }
    if case .page(let page)? = hits.chromeHit(pointer) {
      return page == model.tabs.shown ? nil : .page(page)
    }
    guard let target = hits.hit(pointer)?.card, target != card,
      let from = model.content.cards.firstIndex(where: { $0.id == card }),
      let to = model.content.cards.firstIndex(where: { $0.id == target })
    else { return nil }
    return .card(target, isAfter: from < to)
  }

  /// The rows of the list as they are drawn, and the places of the dragged one before and after.
  func rowMove(
    in model: TodayModel,
    _ hits: HitMap
  ) -> (rows: [PressTarget], from: Int, to: Int)? {
    guard let row, let list = row.list else { return nil }
    let rows = model.targets(of: card).filter { $0.list == list && $0.isRow }
    guard let from = rows.firstIndex(where: { $0.role.isSame(as: row.role) }) else { return nil }
    let place: Int? =
      switch hits.hit(pointer)?.part {
      case .target(let target), .removal(let target):
        rows.firstIndex { $0.role.isSame(as: target.role) }
      case .card, .state, nil: nil
      }
    return (rows, from, place ?? from)
  }

  // MARK: - Drawing

  /// Draws what is dragged at the pointer, and where it will be.
  func draw(_ model: TodayModel, on picture: inout PagePicture) {
    guard hasMoved, let frame = model.frameOnScreen(card), let card = model.card(card) else {
      return
    }
    if row == nil {
      draw(card, frame, model, on: &picture)
    } else {
      drawRows(of: card, frame, model, on: &picture)
    }
  }

  /// How many rows of a card are drawn at the pointer.
  private static let cardRows = 4

  private func draw(
    _ card: Card,
    _ frame: Rect,
    _ model: TodayModel,
    on picture: inout PagePicture
  ) {
    let landing = landing(in: model, picture.hits)
    picture.canvas.restyle(frame.intersection(model.viewport)) { $0.attributes.insert(.dim) }
    let carried = Rect(
      column: pointer.column - grip.column,
      row: pointer.row - min(grip.row, Self.cardRows - 1),
      columns: frame.size.columns,
      rows: min(frame.size.rows, Self.cardRows)
    )
    picture.canvas.fill(carried, style: .plain, in: model.viewport)
    model.view(of: card)
      .draw(on: &picture.canvas, frame: carried, clip: model.viewport, focus: .card)
    switch landing {
    case .card(let target, let isAfter):
      guard let place = model.frameOnScreen(target) else { return }
      drawMark(at: place, isAfter: isAfter, model, on: &picture.canvas)
    case .page:
      let tab = picture.hits.chromeArea(pointer)
      picture.canvas.restyle(tab ?? Rect(origin: pointer, size: Size(columns: 1, rows: 1))) {
        $0.attributes.formUnion([.reverse, .underline])
      }
    case nil: return
    }
  }

  /// A line on the edge of the card whose place the dragged one takes.
  private func drawMark(
    at frame: Rect,
    isAfter: Bool,
    _ model: TodayModel,
    on canvas: inout Canvas
  ) {
    let row = min(
      max(model.viewport.minRow, isAfter ? frame.maxRow - 1 : frame.minRow),
      model.viewport.maxRow - 1
    )
    let line = Rect(column: frame.minColumn, row: row, columns: frame.size.columns, rows: 1)
    let style = CellStyle(foreground: .accent, attributes: .bold)
    let glyph = Glyph.glyphs(of: model.look.glyphs == .ascii ? "=" : "═")[0]
    canvas.fill(line, with: glyph, style: style, in: model.viewport)
    let words = TextLine(" here ")
    guard words.width + 4 <= frame.size.columns else { return }
    let place = Position(column: frame.minColumn + 2, row: row)
    var reversed = style
    reversed.attributes.insert(.reverse)
    canvas.write(words, style: reversed, at: place, in: model.viewport)
  }

  /// The rows in the order that they will have, with the dragged one at the pointer.
  private func drawRows(
    of card: Card,
    _ frame: Rect,
    _ model: TodayModel,
    on picture: inout PagePicture
  ) {
    guard let (rows, from, to) = rowMove(in: model, picture.hits) else { return }
    let view = model.view(of: card)
    let origin = view.bodyOrigin(in: frame)
    let clip = view.interior(of: frame).intersection(model.viewport)
    let blocks = rows.map { row in
      let area = row.frame.offset(columns: origin.column, rows: origin.row)
      return (area: area, runs: picture.canvas.runs(in: area))
    }
    var order = Array(blocks.indices)
    order.remove(at: from)
    order.insert(from, at: to)
    var top = blocks[0].area.minRow
    for index in order {
      let (area, runs) = blocks[index]
      let move = Position(column: 0, row: top - area.minRow)
      for run in runs { picture.canvas.put(run, offset: move, in: clip) }
      if index == from {
        let slot = area.offset(columns: 0, rows: move.row)
        picture.canvas.restyle(slot.intersection(clip)) { $0.attributes.insert(.dim) }
      }
      top += area.size.rows
    }
    let (area, runs) = blocks[from]
    let move = Position(column: 0, row: pointer.row - grip.row - area.minRow)
    for run in runs { picture.canvas.put(run, offset: move, in: model.viewport) }
    let carried = area.offset(columns: 0, rows: move.row).intersection(model.viewport)
    picture.canvas.restyle(carried) { style in
      style.attributes.insert(.reverse)
      if style.background == nil { style.foreground = .accent }
    }
  }

  /// The keys of the drag, for the footer: where it leads, and how it is given up.
  func keys(_ model: TodayModel, _ hits: HitMap) -> [(key: SafeText, word: SafeText)] {
    let cancel: (key: SafeText, word: SafeText) = (key: "Esc", word: "cancel")
    func named(_ id: CardID) -> SafeText { model.card(id)?.name ?? "" }
    if row != nil { return [(key: "Drop", word: "where the row is now"), cancel] }
    switch landing(in: model, hits) {
    case .card(let id, let isAfter):
      return [(key: "Drop", word: "\(isAfter ? "after" : "before") “\(named(id))”"), cancel]
    case .page(let page):
      return [(key: "Drop", word: "on the page “\(SafeText("\(page)"))”"), cancel]
    case nil: return [(key: "Drop", word: "leaves it where it is"), cancel]
    }
  }
}

nonisolated extension TodayModel {
  /// Ends a drag whose card or row has gone, or that another size of the screen has moved.
  mutating func checkDrag(hasOtherSize: Bool = false) {
    guard var editing, let drag = editing.drag else { return }
    let isThere = card(drag.card).map { $0.leaving == nil } ?? false
    let hasRow = drag.row.map { row in
      targets(of: drag.card).contains { $0.role.isSame(as: row.role) }
    }
    guard hasOtherSize || !isThere || hasRow == false else { return }
    editing.drag = nil
    mode = .edit(editing)
  }
}

nonisolated extension PressTarget {
  /// Whether it is a row of a list.
  var isRow: Bool { if case .row = role { true } else { false } }
}

nonisolated extension Canvas {
  /// Copies of the cells in an area, a run for each row.
  fileprivate func runs(in area: Rect) -> [CellRun] {
    let visible = area.intersection(bounds)
    return (visible.minRow..<max(visible.minRow, visible.maxRow)).map { row in
      let cells = self.row(row)
      let start = cells.startIndex
      return CellRun(
        position: Position(column: visible.minColumn, row: row),
        cells: Array(cells[start + visible.minColumn..<start + visible.maxColumn]),
        element: nil
      )
    }
  }
}
