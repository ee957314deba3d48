import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// An output format of the page.
nonisolated enum PageFormat: String, CaseIterable, Sendable {
  case text
  case ansi
  case json
  case svg
  case html

  /// Whether it is in the encoding of the locale; JSON, SVG and HTML are in UTF-8 by definition.
  var followsLocale: Bool { self == .text || self == .ansi }
}

/// Draws the page without a screen, with the cards and the layout of the dashboard, at full height.
nonisolated struct PageRenderer: Sendable {
  /// The page's width, in columns.
  var width: Int
  /// The time for ages.
  var date: Date
  /// The colours of the formats that have colours.
  var theme = Theme(depth: .full)
  /// The characters to draw with.
  var glyphs = GlyphSet.unicode
  /// Whether the first line shows the day.
  var showsHeader = true
  /// The name of the page in the first line; nil if there is only one page.
  var pageName: PageName?
  /// How many columns the page has.
  var columns = ColumnRule()
  /// The rows of the screen into which cards grow as on the dashboard; nil if none grows.
  var screenRows: Int?
  /// The cards that stand side by side.
  private var tiles = PageTiles()
  /// The cards that are expanded because there is room.
  private var growth = PageGrowth()
  /// Whether the page is locked, so that no private content is written.
  var isLocked = false
  /// The pictures that are drawn, as ``look(of:)`` says.
  var images: DrawnImages = [:]
  /// What cards are filled with in the format; nil for lines.
  private var fill: CardFill?

  /// Creates a renderer.
  init(
    width: Int,
    date: Date,
    theme: Theme = Theme(depth: .full),
    glyphs: GlyphSet = .unicode,
    showsHeader: Bool = true
  ) {
    self.width = min(max(0, width), Size.limit.upperBound)
    self.date = date
    self.theme = theme
    self.glyphs = glyphs
    self.showsHeader = showsHeader
  }

  /// Looks as the user set it, with the characters of ASCII alone unless `isUTF8`; without a terminal, the
  /// background is dark.
  mutating func adopt(_ settings: ScreenSettings, isUTF8: Bool = true) {
    theme = Theme(depth: .full, settings.theme(onTerminal: true))
    glyphs = settings.glyphs(onTerminal: isUTF8 ? .unicode : .ascii)
    columns = ColumnRule(settings)
  }

  /// The width between the borders of every card.
  ///
  /// It depends on the heights of the cards, which decide in which columns they lie, and which depend
  /// on the widths in turn: where cards get other widths than they have, the page is not at rest yet.
  func widths(_ cards: [Card], bodies: [CardID: CardBody]) -> CardWidths {
    var widths = plan(cards, bodies: bodies).widths(showsBorders: showsBorders)
    widths.growth = growth.forms
    return widths
  }

  private var showsBorders: Bool { PageChrome.showsBorders(columns: width) }

  /// Decides which cards stand side by side, and which are expanded because there is room; `asks` whether widgets can
  /// be asked how high they are.
  mutating func arrange(_ cards: [Card], bodies: [CardID: CardBody], asks: Bool) {
    if columns.showsTiles, !isLocked {
      let ids = cards.map(\.id)
      let ground = PageTiles.Ground(page: pageName ?? .home, columns: width, cards: ids)
      tiles.decide(cards, bodies, on: ground)
    }
    guard let screenRows else { return }
    let size = Size(columns: width, rows: screenRows)
    let plan = plan(cards, bodies: bodies)
    let items = views(cards, bodies: bodies).map { view in
      PageGrowth.Item(view, rows: view.rows(width: plan.width(of: view.card.id)), asks: asks)
    }
    growth.decide(
      items,
      on: PageGrowth.Ground(page: pageName ?? .home, size: size, cards: cards.map(\.id)),
      room: showsHeader ? PageChrome(size: size).viewport.size.rows : screenRows,
      at: start
    ) { heights in PageLayout(plan) { id, _ in heights[id] ?? 0 }.rows }
  }

  /// When the page was begun, so that all is decided while its contents come.
  private let start = ContinuousClock.now

  private func plan(_ cards: [Card], bodies: [CardID: CardBody]) -> PagePlan {
    let views = views(cards, bodies: bodies)
    return PagePlan(
      width: width,
      items: views.map {
        PagePlan.Item(
          id: $0.card.id,
          rows: plannedRows(of: $0),
          span: $0.card.span,
          isTile: tiles.contains($0.card.id)
        )
      },
      columns: columns
    )
  }

  /// The height by which a card gets its columns, in which it stays when it grows.
  private func plannedRows(of view: CardView) -> Int {
    guard screenRows != nil, view.card.expansion != nil else {
      return view.rows(width: columns.minimum)
    }
    return PageGrowth.Item(view, rows: 0).compactRows
  }

  private func views(_ cards: [Card], bodies: [CardID: CardBody]) -> [CardView] {
    var look = PageLook(
      glyphs: glyphs,
      showsBorders: showsBorders,
      now: date
    )
    look.fill = fill
    look.gauge = theme.gauge
    return cards.map { CardView(card: $0, body: bodies[$0.id], look: look) }
  }

  /// The page in `format`, with a line feed at its end.
  func render(_ cards: [Card], bodies: [CardID: CardBody], as format: PageFormat) -> [UInt8] {
    var renderer = self
    // The image of a page in plain text has nothing but lines.
    if format != .text, glyphs == .unicode { renderer.fill = theme.fill }
    return renderer.rendered(cards, bodies: bodies, as: format)
  }

  private func rendered(
    _ cards: [Card],
    bodies: [CardID: CardBody],
    as format: PageFormat
  ) -> [UInt8] {
    let text: String =
      switch format {
      case .text: TextWriter.text(canvas(cards, bodies: bodies).withSymbols(of: images))
      case .ansi:
        ANSIWriter(theme: theme).text(canvas(cards, bodies: bodies).withSymbols(of: images))
      case .svg: SVGWriter(theme: theme, images: images).text(canvas(cards, bodies: bodies))
      case .html: HTMLWriter(theme: theme, images: images).text(canvas(cards, bodies: bodies))
      case .json:
        JSONWriter(width: width, date: date, redactsPrivate: isLocked).text(cards, bodies: bodies)
      }
    return Array(text.utf8)
  }

  /// What pictures are drawn with in a format; nil for their `alt`.
  func look(of format: PageFormat) -> ImageLook? {
    switch format {
    case .text: .symbols(colors: 0, glyphs)
    case .ansi: .symbols(colors: theme.depth.rawValue, glyphs)
    case .svg, .html: Self.documentLook
    case .json: nil
    }
  }

  /// What pictures are drawn with in a document: twice the size of its cells, for screens with small pixels.
  static let documentLook = ImageLook.pixels(cellWidth: 17, cellHeight: 36)

  /// The page as cells.
  func canvas(_ cards: [Card], bodies: [CardID: CardBody]) -> Canvas {
    let views = views(cards, bodies: bodies)
    let byID = Dictionary(views.map { ($0.card.id, $0) }, uniquingKeysWith: { first, _ in first })
    let page = PageLayout(plan(cards, bodies: bodies)) { id, width in
      byID[id]?.rows(width: width) ?? 0
    }
    let top = showsHeader ? 1 : 0
    var canvas = Canvas(size: Size(columns: width, rows: top + page.rows))
    for view in views {
      guard let frame = page.frames[view.card.id]?.offset(columns: 0, rows: top) else { continue }
      view.draw(on: &canvas, frame: frame, clip: canvas.bounds, focus: .none)
    }
    if showsHeader {
      var header = PageHeader(day: DayWording.words(for: date), glyphs: glyphs)
      header.tabs = pageName.map { PageTabs($0) }
      // What runs, and what has failed, is for those who can look after it.
      for card in cards where !card.isForReaders { header.count(card) }
      header.draw(on: &canvas)
    }
    return canvas
  }
}
