import WidgetCards
import WidgetKitCore
import WidgetPages

/// Draws the page: a pure function from the model to a picture.
nonisolated enum TodayView {
  /// The whole screen.
  static func draw(_ model: TodayModel) -> Canvas { picture(of: model).canvas }

  /// The whole screen, with what can be pressed on it.
  static func picture(of model: TodayModel) -> PagePicture {
    var picture = PagePicture(canvas: Canvas(size: model.size))
    guard !picture.canvas.size.isEmpty else { return picture }
    drawCards(model, on: &picture)
    drawChrome(model, on: &picture)
    if case .letters(let letters) = model.mode { letters.draw(on: &picture) }
    if model.chrome.showsFooter {
      PageFooter.draw(PageFooter.words(model, picture.hits), on: &picture.canvas)
    }
    model.editing?.draw(model, on: &picture)
    if model.hasOverlay {
      // A field below it takes no typing now.
      picture.canvas.restyle(picture.canvas.bounds) { $0.attributes.remove(.cursor) }
    }
    drawOverlay(model, on: &picture.canvas)
    if model.hasOverlay {
      picture.hits.add(nil, in: picture.canvas.bounds)
    }
    return picture
  }

  /// Draws the first line, and what is said on a page without cards.
  static func drawChrome(_ model: TodayModel, on picture: inout PagePicture) {
    let chrome = model.chrome
    if model.content.cards.isEmpty, !model.content.isLoading {
      EmptyPage.draw(model, on: &picture.canvas)
    }
    if chrome.showsHeader {
      let areas = header(model).draw(on: &picture.canvas)
      guard !model.hasOverlay, model.editing?.gallery == nil else { return }
      for (hit, area) in areas { picture.hits.add(hit, in: area) }
    }
  }

  /// What the first line says.
  static func header(_ model: TodayModel) -> PageHeader {
    // In edit mode the buttons are where the facts are otherwise.
    let isEdited = model.editing != nil
    var header = PageHeader(day: model.content.dayWords, glyphs: model.look.glyphs)
    header.machine = model.content.machine
    header.tabs = model.tabs.areSeveral ? model.tabs : nil
    header.isLocked = model.content.isLocked
    header.isLookingBack = model.isLookingBack
    // Where there is room for the keys, this one is among them.
    header.hint = isEdited || model.chrome.showsFooter ? nil : helpHint(model)
    header.reserved = model.editing?.buttonColumns ?? 0
    guard !isEdited else { return header }
    header.waitingCount = model.content.waitingNotices
    header.isQuiet = model.content.isQuiet
    header.newCount = model.content.newWidgets.count
    header.problemCount = model.content.problems.count
    // They are below the last card, beyond which the page of one card alone does not lead.
    if model.place.zoom == nil, model.place.scrollRow < model.lastScrollRow {
      header.problemKey = model.keyMap.name(of: .bottom)
    }
    // By their places, as a copy of each card costs more than the counting.
    for index in model.content.cards.indices where model.content.cards[index].leaving == nil {
      header.count(model.content.cards[index]) {
        model.place.zoom != nil || model.areaOnScreen($0) != nil
      }
    }
    return header
  }

  /// The key of the list of keys; nil if it has none any more.
  private static func helpHint(_ model: TodayModel) -> SafeText? {
    model.keyMap.name(of: .help).map { "\($0) keys" }
  }

  private static func drawOverlay(_ model: TodayModel, on canvas: inout Canvas) {
    switch model.mode {
    case .page, .filter, .letters, .edit: break
    case .help(let keys): HelpOverlay.draw(keys, model, on: &canvas)
    case .inspector(let inspector): inspector.draw(model.look.glyphs, on: &canvas)
    case .palette(let palette): palette.draw(model.look.glyphs, on: &canvas)
    case .settings(let form): form.draw(model.look.glyphs, on: &canvas)
    case .question(let box): box.draw(model.look.glyphs, on: &canvas)
    case .pane(let pane): pane.draw(model, on: &canvas)
    case .cover: Cover.draw(on: &canvas)
    }
  }

  private static func drawCards(_ model: TodayModel, on picture: inout PagePicture) {
    for card in model.content.cards {
      guard let frame = model.frameOnScreen(card.id) else { continue }
      model.view(of: card)
        .draw(on: &picture, frame: frame, clip: model.viewport, focus: focus(of: card.id, model))
    }
    drawProblems(model, on: &picture.canvas)
  }

  /// Whether a card or one of its elements has the focus.
  static func focus(of card: CardID, _ model: TodayModel) -> CardView.Focus {
    guard model.place.focus?.card == card else { return .none }
    return model.focusedTarget.map { .element($0) } ?? .card
  }

  /// Draws the sentences below the cards.
  static func drawProblems(_ model: TodayModel, on canvas: inout Canvas) {
    guard model.place.zoom == nil else { return }
    let viewport = model.viewport
    var place = Position(column: 1, row: viewport.minRow + model.page.rows - model.place.scrollRow)
    for line in model.problemLines {
      canvas.write(line, style: CellStyle(foreground: .orange), at: place, in: viewport)
      place.row += 1
    }
  }
}
