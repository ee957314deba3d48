import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// `today snapshot`: the same cards as on the dashboard, once, on standard output.
struct SnapshotCommand: Command {
  static let name = "snapshot"
  static let syntax = CommandSyntax<SnapshotCommand>(
    name,
    "print the cards once on standard output",
    details: """
      Starts the widgets of the page, or those given, waits for their update, prints the cards on
      standard output, and ends the widgets.
      """,
    operands: [.many("ID", .widget, \.identifiers)],
    options: [
      .choice("--format", \.format):
        "text, ansi (text with colours), json, svg or html; text by default",
      .value("--width N", .number(1...1_000), \.width):
        "width of the page in columns, 1 to 1000; 80 by default",
      .value("--height N", .number(1...1_000), \.height): """
      rows of the screen, 1 to 1000: cards that offer more are expanded where they fit, as on the page; \
      otherwise none is
      """,
      .value("--theme NAME", .theme, \.theme):
        "theme of ansi, svg and html; “today themes” lists them",
      .value("--page PAGE", .page, \.page): "print another page than the first one",
      .values("--bundle PATH", .bundle, \.bundles):
        "print the widget at PATH alone: a .widget, an .app or a script, installed or not",
      .custom("--data DIR", .path) { target, folder throws(CommandError) in
        try target.options.keepData(in: folder.text)
      }: "keep the data of the widgets in DIR, in place of yours",
      .flag("--plain", \.isPlain): """
      text without frames and columns, with the labels that widgets have for screen readers in \
      place of charts and symbols
      """,
      .flag("--cached", \.isCached): "start no widget; print the stored content",
      .value("--at TIME", .timeOfDay, \.moment): """
      print what the cards showed at a time of the last day: 14:30, or 2h for two hours ago; \
      no widget is started
      """,
      .flag("--locked", \.isLocked):
        "print what a locked page shows: names, and cards with allowWhenLocked",
      .flag("--all", \.showsAll): "print the cards of all pages, and widgets that are on none",
      .value("--max-age S", .seconds, \.maximumAge):
        "exit with 1 if content is older than S seconds, or missing",
      .value("--timeout S", .positiveSeconds, \.timeout):
        "wait at most S seconds for the widgets; 10 by default",
    ],
    notes: """
      Exits with 1 if a widget failed, timed out or has nothing to show; standard error names it.
      The page is printed in any case.
      """
  )

  var options = CommonOptions()
  private var identifiers: [String] = []
  private var format = PageFormat.text
  private var width = 80
  private var height: Int?
  private var bundles: [String] = []
  private var isCached = false
  /// The earlier moment given with `--at`; nil for now.
  private var moment: Date?
  private var isLocked = false
  private var isPlain = false
  private var showsAll = false
  /// The page given with `--page`; nil for the first one.
  private var page: PageName?
  private var maximumAge: Duration?
  private var timeout: Duration = .seconds(10)
  /// The theme given with `--theme`.
  private var theme: ThemeDefinition?

  mutating func validate() throws(CommandError) {
    if !bundles.isEmpty { options.widgetFolders = bundles }
    guard page == nil || identifiers.isEmpty && !showsAll else {
      throw .usage("--page prints all cards of a page; give it without widgets and --all")
    }
    guard !isPlain || format == .text else {
      throw .usage("--plain is a kind of text; it cannot be \(format.rawValue)")
    }
    guard moment == nil || maximumAge == nil else {
      throw .usage("--max-age is about the present; give it without --at")
    }
    if moment != nil { isCached = true }
  }

  func run() async throws(CommandError) -> ExitCode {
    let headless = try HeadlessCenter(
      options,
      naming: identifiers,
      showsAll: showsAll,
      theme: theme
    )
    let center = headless.center
    center.setLocked(isLocked)
    let deadline = ContinuousClock.now + timeout
    if !isCached { await headless.listFolders(within: timeout) }
    center.load()
    let page = try self.page.map { page throws(CommandError) in
      try PageChoice(center.page.names, options).existing(page)
    }
    var ids = try choose(headless, page)
    var renderer = PageRenderer(
      width: width,
      date: Date(),
      showsHeader: identifiers.isEmpty && bundles.isEmpty
    )
    if center.page.names.count > 1, !showsAll { renderer.pageName = page ?? center.screen.page }
    var screen = headless.settings.screen
    if let theme { screen.definition = theme }
    renderer.screenRows = isPlain ? nil : height
    // Lines one below the other have all of the width.
    if isPlain { (screen.columnLimit, screen.tiles) = (1, false) }
    renderer.adopt(screen, isUTF8: StandardStreams.isUTF8 || !format.followsLocale)
    var shown = Set(ids)
    if !isPlain { center.images.setLook(renderer.look(of: format)) }
    giveWidths(to: shown, center, &renderer)
    if !isCached {
      center.start(only: shown)
      await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      let present = try choose(headless, page)
      if present != ids {
        // Blocks of a status command that was never run before.
        ids = present
        shown = Set(ids)
        giveWidths(to: shown, center, &renderer)
        center.screen.setVisible(shown)
        await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      }
      // A widget may answer a new width, or that it is expanded, with another view.
      for _ in 0..<Self.widthRounds where giveWidths(to: shown, center, &renderer) {
        await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      }
    }
    if isCached {
      await headless.settleImages(ids, within: Self.imageTime)
    } else {
      // Pictures of views that were laid out last.
      await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
    }
    let lost = moment.map { moment in
      let lost = center.drawing.past.show(ids, at: moment)
      giveWidths(to: shown, center, &renderer)
      return lost
    }
    center.updates.checkAges()
    var cards = center.page.all.filter { ids.contains($0.id) }
    var problems: [String] = []
    for index in cards.indices {
      let card = cards[index]
      let isLost = lost?.contains(card.id) == true
      guard
        let trouble = isLost
          ? "nothing is kept from then" : isCached ? absence(card) : trouble(with: card, center)
      else { continue }
      problems.append("\(card.id): \(trouble)")
      if card.message == nil { cards[index].message = SafeText(trouble) }
    }
    center.sessions.trace?.write(.picture)
    print(cards, center, renderer)
    let stale = cards.compactMap(staleness)
    headless.writeProblems()
    for problem in problems + stale { StandardStreams.writeError(problem) }
    await headless.shutdown()
    return problems.isEmpty && stale.isEmpty ? .success : .failure
  }

  /// The cards that are printed: those that were named, else those of a page.
  private func choose(
    _ headless: HeadlessCenter,
    _ page: PageName?
  ) throws(CommandError) -> [CardID] {
    let center = headless.center
    guard identifiers.isEmpty, !showsAll else { return try headless.choose(identifiers) }
    let shown = page ?? center.screen.page
    return center.page.all.filter { $0.page == shown }.map(\.id)
  }

  /// How long pictures of stored content may take.
  private static let imageTime: Duration = .seconds(5)
  /// How often the widths of cards are adjusted to the columns in which they lie.
  private static let widthRounds = 3

  /// Gives each card the width that it has on the page; returns whether one changed.
  @discardableResult
  private func giveWidths(
    to ids: Set<CardID>,
    _ center: WidgetCenter,
    _ renderer: inout PageRenderer
  ) -> Bool {
    var hasChanged = false
    for _ in 0..<Self.widthRounds {
      let cards = center.page.all.filter { ids.contains($0.id) && isDrawn($0) }
      let bodies = bodies(of: cards, center)
      renderer.arrange(cards, bodies: bodies, asks: !isCached)
      guard center.screen.setWidths(renderer.widths(cards, bodies: bodies)) else { break }
      hasChanged = true
    }
    return hasChanged
  }

  /// Whether a card is on the page; a hidden one is not drawn, but a script that reads JSON may need it.
  private func isDrawn(_ card: Card) -> Bool { format == .json || card.state != .hidden }

  private func bodies(of cards: [Card], _ center: WidgetCenter) -> [CardID: CardBody] {
    var bodies: [CardID: CardBody] = [:]
    for card in cards where card.view != nil {
      bodies[card.id] = center.drawing.body(of: card.id, at: .now)
    }
    return bodies
  }

  private func print(_ cards: [Card], _ center: WidgetCenter, _ renderer: PageRenderer) {
    var renderer = renderer
    renderer.date = moment ?? Date()
    renderer.images = center.images.results
    renderer.isLocked = isLocked
    var shown = cards.filter(isDrawn)
    for index in shown.indices
    where isCached && shown[index].view == nil && !shown[index].isConcealed {
      shown[index].state = .failed
      shown[index].message = "No stored content"
    }
    guard !isPlain else {
      var writer = PlainWriter(
        width: width,
        date: moment ?? Date(),
        showsHeader: identifiers.isEmpty && bundles.isEmpty
      )
      writer.redactsPrivate = isLocked
      return StandardStreams.write(text: writer.text(shown))
    }
    StandardStreams.write(
      renderer.render(shown, bodies: bodies(of: shown, center), as: format),
      as: format
    )
  }

  private func trouble(with card: Card, _ center: WidgetCenter) -> String? {
    switch card.state {
    case .failed, .stopped: card.message?.string ?? "failed"
    case .hidden: "has nothing to show"
    case .live, .snapshot, .starting:
      if !center.page.isSettled(card.id) {
        "timed out after \(timeout.inSeconds)"
      } else if card.view == nil, !card.isConcealed {
        "has nothing to show: it sent no view"
      } else {
        nil
      }
    }
  }

  private func absence(_ card: Card) -> String? {
    guard card.state != .hidden else { return "has nothing to show" }
    guard card.view == nil, !card.isConcealed else { return nil }
    return "no stored content; run it once without --cached"
  }

  private func staleness(of card: Card) -> String? {
    guard let maximumAge else { return nil }
    guard let date = card.ageDate else { return "\(card.id): no content" }
    let age = Date().timeIntervalSince(date)
    let limit =
      Double(maximumAge.components.seconds)
      + Double(maximumAge.components.attoseconds) / 1e18
    return age > limit ? "\(card.id): the content is \(Int(age)) s old" : nil
  }
}
