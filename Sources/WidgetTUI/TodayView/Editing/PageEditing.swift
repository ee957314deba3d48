import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages

/// Edit mode: which cards are on the page, in which order, and how wide they are.
nonisolated struct PageEditing: Sendable {
  /// What can be pressed while the page is edited.
  enum Control: Hashable, Sendable {
    case done
    case undo
    case gallery
    case remove(CardID)
    case wider(CardID)
    case narrower(CardID)
    /// Begins to edit the widget itself.
    case widget(CardID)
    /// Ends that.
    case widgetDone
    /// A tab of the gallery.
    case galleryTab(isAvailable: Bool)
    /// A line of the gallery.
    case choice(Int)
  }

  /// The gallery, if it is open.
  var gallery: WidgetGallery?
  /// What is dragged with the mouse.
  var drag: PageDrag?
  /// Whether there is a change to undo.
  var canUndo = false
  /// The page as config.json would have to declare it for the last change; nil if that was made.
  var declaration: DeclaredPage?

  // MARK: - Drawing

  /// Draws the buttons in the first line, and what can be done with each card in its heading.
  func draw(_ model: TodayModel, on picture: inout PagePicture) {
    for card in model.content.cards where card.leaving == nil {
      guard let frame = model.frameOnScreen(card.id) else { continue }
      drawControls(of: card, frame, model, on: &picture)
    }
    if model.chrome.showsHeader { drawButtons(on: &picture) }
    drag?.draw(model, on: &picture)
    gallery?.draw(model.look, on: &picture)
  }

  private var buttons: [(TextLine, Control)] {
    var buttons: [(SafeText, Control)] = [("+ Add", .gallery)]
    if canUndo { buttons.append(("Undo", .undo)) }
    buttons.append(("Done", .done))
    return buttons.map { (TextLine("[ \($0.0) ]"), $0.1) }
  }

  /// The columns of the buttons in the first line.
  var buttonColumns: Int { buttons.reduce(0) { $0 + $1.0.width + 1 } }

  private func drawButtons(on picture: inout PagePicture) {
    let lines = buttons
    let width = buttonColumns
    let bounds = picture.canvas.bounds
    var place = Position(column: max(0, bounds.maxColumn - width), row: 0)
    picture.canvas.fill(
      Rect(column: place.column - 1, row: 0, columns: width + 1, rows: 1),
      style: .plain,
      in: bounds
    )
    for (line, control) in lines {
      let style = CellStyle(foreground: .accent, attributes: .bold)
      let area = Rect(origin: place, size: Size(columns: line.width, rows: 1))
      picture.canvas.write(line, style: style, at: place, in: bounds)
      if gallery == nil { picture.hits.add(.edit(control), in: area.intersection(bounds)) }
      place.column += line.width + 1
    }
  }

  /// What can be done with a card, as far as its heading has room for it: to edit its widget, narrower, the
  /// number of columns, wider, and remove; or only to end the editing of its widget.
  private func parts(of card: Card, _ model: TodayModel, columns: Int) -> [(TextLine, Control?)] {
    guard !card.isEdited else { return [(TextLine(" Done "), .widgetDone)] }
    let isUnicode = model.look.glyphs == .unicode
    let remove: [(SafeText, Control?)] = [(isUnicode ? " ✕ " : " x ", .remove(card.id))]
    let edit: [(SafeText, Control?)] = card.allowsEditing ? [(" Edit ", .widget(card.id))] : []
    let span: [(SafeText, Control?)] =
      model.columnCount > 1 || card.span > 1
      ? [
        (isUnicode ? " ‹ " : " < ", .narrower(card.id)), ("\(card.span)", nil),
        (isUnicode ? " ›" : " >", .wider(card.id)),
      ] : []
    let choices = [edit + span + remove, edit + remove, remove].map { choice in
      choice.map { (TextLine($0.0), $0.1) }
    }
    return choices.first { $0.reduce(6) { $0 + $1.0.width } <= columns } ?? []
  }

  /// Draws what can be done with a card on the right of its heading.
  private func drawControls(
    of card: Card,
    _ frame: Rect,
    _ model: TodayModel,
    on picture: inout PagePicture
  ) {
    let border = model.chrome.showsBorders ? 1 : 0
    let clip = frame.intersection(model.viewport)
    let columns = frame.size.columns - 2 * border
    let lines = parts(of: card, model, columns: columns)
    guard !lines.isEmpty else { return }
    let width = lines.reduce(0) { $0 + $1.0.width }
    let heading = CardHeading(
      card,
      columns: columns,
      now: model.look.now,
      glyphs: model.look.glyphs,
      hasFocus: true
    )
    let hasLines = model.chrome.showsBorders && model.look.fill == nil
    // The state and the age give way.
    let covered = max(width, heading.partsWidth + 2)
    let end = frame.maxColumn - border
    picture.canvas.fill(
      Rect(column: end - covered, row: frame.minRow, columns: covered, rows: 1),
      with: hasLines ? FrameGlyphs(model.look.glyphs).horizontal : .space,
      style: CellStyle(
        foreground: card.stateColor ?? .separator,
        background: model.look.fill?.surface
      ),
      in: clip
    )
    var place = Position(column: end - width, row: frame.minRow)
    for (line, control) in lines {
      var style = CellStyle(foreground: control == nil ? .secondary : .accent)
      if control == .widgetDone { style.attributes = [.bold, .reverse] }
      let area = Rect(origin: place, size: Size(columns: line.width, rows: 1)).intersection(clip)
      picture.canvas.write(line, style: style, at: place, in: clip)
      if let control, gallery == nil { picture.hits.add(.edit(control), in: area) }
      place.column += line.width
    }
  }

  /// The keys of the mode, for the footer.
  func keys(
    _ model: TodayModel,
    press: SafeText,
    _ hits: HitMap
  ) -> [(key: SafeText, word: SafeText)] {
    if let gallery { return gallery.keys(press: press) }
    if let drag, drag.hasMoved { return drag.keys(model, hits) }
    if let card = model.editedCard { return widgetKeys(card, model, press: press) }
    if declaration != nil {
      return [
        (key: "y", word: "copy the text for config.json, which declares this page"),
        (key: "Esc", word: "done"),
      ]
    }
    var keys: [(key: SafeText, word: SafeText)] = []
    if !model.content.cards.isEmpty {
      keys = [
        (key: "J K", word: "move"), (key: "< >", word: "width"), (key: "x", word: "remove"),
      ]
    }
    keys.append((key: "a", word: "add"))
    if canUndo { keys.append((key: "u", word: "undo")) }
    if let focus = model.place.focus, let card = model.card(focus.card) {
      if card.allowsEditing { keys.append((key: press, word: "edit its contents")) }
      if card.hasSettings { keys.append((key: ",", word: "settings")) }
    }
    if model.tabs.areSeveral { keys.append((key: "{ }", word: "other page")) }
    keys.append((key: "y", word: "copy as text"))
    keys.append((key: "Esc", word: "done"))
    return keys
  }

  /// The keys while a widget is edited.
  private func widgetKeys(
    _ card: Card,
    _ model: TodayModel,
    press: SafeText
  ) -> [(key: SafeText, word: SafeText)] {
    var keys: [(key: SafeText, word: SafeText)] = []
    if model.place.focus?.isField == true {
      if model.focusedTarget?.action != nil { keys.append((key: press, word: "enter")) }
      return keys + [
        (key: "Tab", word: "elements"), (key: "Esc", word: "discard and leave the field"),
      ]
    }
    if case .row(let row)? = model.focusedTarget?.role {
      if card.movesRows, row.canMove { keys.append((key: "J K", word: "move")) }
      if card.removesRows, row.canRemove { keys.append((key: "x", word: "remove")) }
    } else {
      keys.append((key: press, word: "press"))
    }
    if card.addsRows { keys.append((key: "+", word: "add")) }
    keys.append((key: "j k", word: "rows"))
    keys.append((key: "Esc", word: "done with \(card.name)"))
    return keys
  }
}
