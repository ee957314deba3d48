import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today snapshot`: the same cards as on the dashboard, once, on standard output.
struct SnapshotCommand: Command {
  var options: CommonOptions
  var identifiers: [String] = []
  var format = PageFormat.text
  var width = 80
  var isCached = false
  var isLocked = false
  var isPlain = false
  var showsAll = false
  /// The page given with `--page`; nil for the first one.
  var page: PageName?
  var maximumAge: Duration?
  var timeout: Duration = .seconds(10)
  /// The theme given with `--theme`.
  var theme: ThemeDefinition?

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var bundles: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--format":
        let name = try reader.value(of: argument)
        guard let format = PageFormat(rawValue: name) else {
          let names = PageFormat.allCases.map(\.rawValue).joined(separator: ", ")
          throw .usage("--format \(name): expected one of \(names)")
        }
        self.format = format
      case "--width": width = try reader.number(of: argument, in: 1...1000)
      case "--theme": theme = try options.theme(try reader.value(of: argument))
      case "--page": page = try reader.page(of: argument)
      case "--cached": isCached = true
      case "--locked": isLocked = true
      case "--plain": isPlain = true
      case "--bundle": bundles.append(try reader.bundle(of: argument))
      case "--data": try self.options.keepData(in: reader.value(of: argument))
      case "--all": showsAll = true
      case "--max-age": maximumAge = try reader.seconds(of: argument)
      case "--timeout": timeout = try reader.positiveSeconds(of: argument)
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        identifiers.append(argument)
      }
    }
    if !bundles.isEmpty { self.options.widgetFolders = bundles }
    guard page == nil || identifiers.isEmpty && !showsAll else {
      throw .usage("--page prints all cards of a page; give it without widgets and --all")
    }
    guard !isPlain || format == .text else {
      throw .usage("--plain is a kind of text; it cannot be \(format.rawValue)")
    }
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
      try PageChoice(center.pageNames, options).existing(page)
    }
    var ids = try choose(headless, page)
    var renderer = PageRenderer(
      width: width,
      date: Date(),
      showsHeader: identifiers.isEmpty
    )
    if center.pageNames.count > 1, !showsAll { renderer.pageName = page ?? center.shownPage }
    var screen = headless.settings.screen
    if let theme { screen.definition = theme }
    // Lines one below the other have all of the width.
    if isPlain { screen.columnLimit = 1 }
    renderer.adopt(screen, isUTF8: StandardStreams.isUTF8 || !format.followsLocale)
    var shown = Set(ids)
    if !isPlain { center.images.setLook(renderer.look(of: format)) }
    giveWidths(to: shown, center, renderer, count: Self.widthRounds)
    if !isCached {
      center.start(only: shown)
      await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      let present = try choose(headless, page)
      if present != ids {
        // Blocks of a status command that was never run before.
        ids = present
        shown = Set(ids)
        giveWidths(to: shown, center, renderer, count: Self.widthRounds)
        center.setVisible(shown)
        await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      }
      // A widget may answer a new width with another view.
      if giveWidths(to: shown, center, renderer, count: Self.widthRounds) {
        await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
      }
    }
    if isCached {
      await headless.settleImages(ids, within: Self.imageTime)
    } else {
      // Pictures of views that were laid out last.
      await headless.settle(ids, within: ContinuousClock.now.duration(to: deadline))
    }
    center.updates.checkAges()
    var cards = center.allCards.filter { ids.contains($0.id) }
    var problems: [String] = []
    for index in cards.indices {
      let card = cards[index]
      guard let trouble = isCached ? absence(card) : trouble(with: card, center) else { continue }
      problems.append("\(card.id): \(trouble)")
      if card.message == nil { cards[index].message = SafeText(trouble) }
    }
    center.notePicture()
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
    let shown = page ?? center.shownPage
    return center.allCards.filter { $0.page == shown }.map(\.id)
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
    _ renderer: PageRenderer,
    count: Int
  ) -> Bool {
    var hasChanged = false
    for _ in 0..<count {
      let cards = center.allCards.filter { ids.contains($0.id) && isDrawn($0) }
      guard center.setPage(renderer.widths(cards, bodies: bodies(of: cards, center))) else { break }
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
    renderer.date = Date()
    renderer.images = center.images.results
    renderer.isLocked = isLocked
    var shown = cards.filter(isDrawn)
    for index in shown.indices
    where isCached && shown[index].view == nil && !shown[index].isConcealed {
      shown[index].state = .failed
      shown[index].message = "No stored content"
    }
    guard !isPlain else {
      var writer = PlainWriter(width: width, date: Date(), showsHeader: identifiers.isEmpty)
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
      if !center.isSettled(card.id) {
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
