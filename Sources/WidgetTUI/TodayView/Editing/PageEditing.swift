import WidgetHost
import WidgetKitCore

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
    /// A line of the gallery.
    case choice(Int)
  }

  /// The gallery, if it is open.
  var gallery: WidgetGallery?
  /// The card that is dragged with the mouse.
  var dragged: CardID?
  /// Whether there is a change to undo.
  var canUndo = false
  /// The page as config.json would have to declare it for the last change; nil if that was made.
  var declaration: DeclaredPage?

  // MARK: - Drawing

  /// Draws the buttons in the first line, and what can be done with each card in its heading.
  func draw(_ model: TodayModel, on picture: inout PagePicture) {
    for card in model.cards where card.leaving == nil {
      guard let frame = model.frameOnScreen(card.id) else { continue }
      drawControls(of: card, frame, model, on: &picture)
    }
    if model.chrome.showsHeader { drawButtons(model, on: &picture) }
    gallery?.draw(model.look, on: &picture)
  }

  private func drawButtons(_ model: TodayModel, on picture: inout PagePicture) {
    var buttons: [(SafeText, Control)] = [("+ Add", .gallery)]
    if canUndo { buttons.append(("Undo", .undo)) }
    buttons.append(("Done", .done))
    let lines = buttons.map { (TextLine("[ \($0.0) ]"), $0.1) }
    let width = lines.reduce(0) { $0 + $1.0.width + 1 }
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

  /// Narrower, the number of columns, wider, and remove, on the right of a heading.
  private func drawControls(
    of card: Card,
    _ frame: Rect,
    _ model: TodayModel,
    on picture: inout PagePicture
  ) {
    let border = model.chrome.showsBorders ? 1 : 0
    let clip = frame.intersection(model.viewport)
    let isDragged = dragged == card.id
    let isUnicode = model.look.glyphs == .unicode
    var parts: [(SafeText, Control?)] = [(isUnicode ? " ✕ " : " x ", .remove(card.id))]
    if model.columnCount > 1 || card.span > 1 {
      parts =
        [
          (isUnicode ? " ‹ " : " < ", .narrower(card.id)), ("\(card.span)", nil),
          (isUnicode ? " ›" : " >", .wider(card.id)),
        ] + parts
    }
    let lines = parts.map { (TextLine($0.0), $0.1) }
    let width = lines.reduce(0) { $0 + $1.0.width }
    let columns = frame.size.columns - 2 * border
    let heading = CardHeading(
      card,
      columns: columns,
      now: model.look.now,
      glyphs: model.look.glyphs
    )
    guard width + 6 <= columns else { return }
    // The state and the age give way.
    let covered = max(width, heading.partsWidth + 2)
    let end = frame.maxColumn - border
    picture.canvas.fill(
      Rect(column: end - covered, row: frame.minRow, columns: covered, rows: 1),
      with: model.chrome.showsBorders ? FrameGlyphs(model.look.glyphs).horizontal : .space,
      style: CellStyle(foreground: .separator),
      in: clip
    )
    var place = Position(column: end - width, row: frame.minRow)
    for (line, control) in lines {
      let style = CellStyle(foreground: control == nil ? .secondary : .accent)
      let area = Rect(origin: place, size: Size(columns: line.width, rows: 1)).intersection(clip)
      picture.canvas.write(line, style: style, at: place, in: clip)
      if let control, gallery == nil { picture.hits.add(.edit(control), in: area) }
      place.column += line.width
    }
    guard isDragged else { return }
    picture.canvas.restyle(clip) { $0.attributes.insert(.reverse) }
  }

  /// The keys of the mode, for the footer.
  func keys(_ model: TodayModel, press: SafeText) -> [(key: SafeText, word: SafeText)] {
    if let gallery { return gallery.keys(press: press) }
    if declaration != nil {
      return [
        (key: "y", word: "copy the text for config.json, which declares this page"),
        (key: "Esc", word: "done"),
      ]
    }
    var keys: [(key: SafeText, word: SafeText)] = []
    if !model.cards.isEmpty {
      keys = [
        (key: "J K", word: "move"), (key: "< >", word: "width"), (key: "x", word: "remove"),
      ]
    }
    keys.append((key: "a", word: "add"))
    if canUndo { keys.append((key: "u", word: "undo")) }
    if model.tabs.areSeveral { keys.append((key: "{ }", word: "other page")) }
    keys.append((key: "y", word: "copy as text"))
    keys.append((key: "Esc", word: "done"))
    return keys
  }
}
