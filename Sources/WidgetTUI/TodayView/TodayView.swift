import WidgetHost
import WidgetKitCore

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
    if model.chrome.showsFooter { PageFooter.draw(model, on: &picture) }
    model.editing?.draw(model, on: &picture)
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
      // In edit mode the buttons are where the facts are otherwise.
      let isEdited = model.editing != nil
      let areas = PageHeader.draw(
        tabs: model.tabs.areSeveral ? model.tabs : nil,
        day: model.content.dayWords,
        cards: isEdited ? [] : model.content.cards.filter { $0.leaving == nil },
        isStarted: { model.place.zoom != nil || model.areaOnScreen($0) != nil },
        newCount: isEdited ? 0 : model.content.newWidgets.count,
        problemCount: isEdited ? 0 : model.content.problems.count,
        problemKey: problemKey(model),
        isLocked: model.content.isLocked,
        hint: isEdited ? nil : helpHint(model),
        reserved: model.editing?.buttonColumns ?? 0,
        glyphs: model.look.glyphs,
        on: &picture.canvas
      )
      guard !model.hasOverlay, model.editing?.gallery == nil else { return }
      for (hit, area) in areas { picture.hits.add(hit, in: area) }
    }
  }

  /// The key of the list of keys; nil if it has none any more.
  private static func helpHint(_ model: TodayModel) -> SafeText? {
    model.keyMap.name(of: .help).map { "\($0) keys" }
  }

  /// The key that scrolls to the problems below the cards; nil if they are on the screen.
  private static func problemKey(_ model: TodayModel) -> SafeText? {
    guard model.place.zoom != nil || model.place.scrollRow < model.lastScrollRow else { return nil }
    return model.keyMap.keys(of: .bottom).last.map { "\($0.name)" }
  }

  private static func drawOverlay(_ model: TodayModel, on canvas: inout Canvas) {
    switch model.mode {
    case .page, .filter, .letters, .edit: break
    case .help: HelpOverlay.draw(model, on: &canvas)
    case .inspector(let inspector): inspector.draw(model.look.glyphs, on: &canvas)
    case .palette(let palette): palette.draw(model.look.glyphs, on: &canvas)
    case .settings(let form): form.draw(model.look.glyphs, on: &canvas)
    case .question(let box): box.draw(model.look.glyphs, on: &canvas)
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

/// The first line: tabs and the day on the left, the status on the right.
nonisolated enum PageHeader {
  /// Draws the line on the top row; facts that do not fit are omitted, problems last.
  ///
  /// Columns on the right that are `reserved` stay free.
  ///
  /// - Returns: What can be pressed: the tabs of the pages, and the numbers of new widgets and problems.
  @discardableResult
  static func draw(
    tabs: PageTabs? = nil,
    day: SafeText,
    cards: [Card],
    isStarted: (CardID) -> Bool = { _ in true },
    newCount: Int,
    problemCount: Int,
    problemKey: SafeText? = nil,
    isLocked: Bool = false,
    hint: SafeText?,
    reserved: Int = 0,
    glyphs: GlyphSet,
    on canvas: inout Canvas
  ) -> [(hit: ChromeHit, area: Rect)] {
    let clip = canvas.bounds
    let columns = canvas.size.columns - reserved
    let quiet = CellStyle(foreground: .secondary)
    let row = 0
    var column = canvas.write(
      "Today",
      style: CellStyle(foreground: .label, attributes: .bold),
      at: Position(column: 1, row: row),
      in: clip
    )
    var areas: [(hit: ChromeHit, area: Rect)] = []
    if let tabs {
      let start = Position(column: column + 1, row: row)
      let drawn = tabs.draw(on: &canvas, at: start, room: columns - column - 2)
      column = drawn.end
      areas = drawn.areas.map { (.page($0.page), $0.area) }
    }
    let live = cards.count { $0.state == .live && $0.message == nil }
    // The widget of a card that was not on the screen yet is not started.
    let starting = cards.count { $0.state == .starting && isStarted($0.id) }
    let asking = cards.count(where: \.asksForPermission)
    let failed = cards.count {
      !$0.asksForPermission && ($0.state == .failed || $0.state == .stopped)
    }
    let orange = CellStyle(foreground: .orange)
    var facts: [Fact] = []
    if live > 0 { facts.append(Fact("\(live) live", quiet, rank: 0)) }
    if starting > 0 { facts.append(Fact("\(starting) starting", quiet, rank: 1)) }
    if asking > 0 {
      facts.append(Fact("\(asking) asking", CellStyle(foreground: .accent), rank: 4))
    }
    if failed > 0 { facts.append(Fact("\(failed) failed", orange, rank: 4)) }
    if newCount > 0 {
      facts.append(Fact("\(newCount) new", CellStyle(foreground: .accent), rank: Fact.newRank))
    }
    if problemCount > 0 {
      let noun = problemCount == 1 ? "problem" : "problems"
      let key: SafeText = problemKey.flatMap { columns < 40 ? nil : " (\($0))" } ?? ""
      facts.append(Fact("\(problemCount) \(noun)\(key)", orange, rank: Fact.problemRank))
    }
    if isLocked { facts.append(Fact("locked", orange, rank: 6)) }
    if let hint { facts.append(Fact(hint, quiet, rank: 3)) }

    let dot = TextLine(" \(FrameGlyphs(glyphs).dot) ")
    let room = columns - 1 - column - 2
    let dayLine = TextLine(day)
    let dayWidth = dayLine.width == 0 ? 0 : dayLine.width + 2
    // The day is omitted if there is no room for problems.
    let wrong = Fact.width(facts.filter { $0.rank >= 4 }, dot: dot)
    if column + 2 + dayLine.width < columns, wrong == 0 || wrong <= room - dayWidth {
      let place = Position(column: column + 2, row: row)
      column = canvas.write(dayLine, style: quiet, at: place, in: clip)
    }
    let places = columns - 1 - column - 2
    var kept: Set<Int> = []
    for fact in facts.sorted(by: { $0.rank > $1.rank }) {
      let wanted = facts.filter { kept.contains($0.rank) || $0.rank == fact.rank }
      if Fact.width(wanted, dot: dot) <= places { kept.insert(fact.rank) }
    }
    facts.removeAll { !kept.contains($0.rank) }
    let start = columns - 1 - Fact.width(facts, dot: dot)
    var place = Position(column: start, row: row)
    for (index, fact) in facts.enumerated() {
      if index > 0 { place.column = canvas.write(dot, style: quiet, at: place, in: clip) }
      let start = place.column
      place.column = canvas.write(fact.line, style: fact.style, at: place, in: clip)
      let area = Rect(column: start, row: row, columns: place.column - start, rows: 1)
      switch fact.rank {
      case Fact.newRank: areas.append((.newWidgets, area))
      case Fact.problemRank: areas.append((.problems, area))
      default: break
      }
    }
    return areas
  }

  /// A fact on the right; the fact with the lowest rank is omitted first.
  private struct Fact {
    var line: TextLine
    var style: CellStyle
    var rank: Int

    static let newRank = 2
    static let problemRank = 5

    init(_ text: SafeText, _ style: CellStyle, rank: Int) {
      line = TextLine(text)
      self.style = style
      self.rank = rank
    }

    /// The columns of facts with dots between them.
    static func width(_ facts: [Fact], dot: TextLine) -> Int {
      facts.reduce(0) { $0 + $1.line.width } + dot.width * max(0, facts.count - 1)
    }
  }
}
