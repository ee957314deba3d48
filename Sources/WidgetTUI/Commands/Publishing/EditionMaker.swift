import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// Makes editions of the cards of an engine.
struct EditionMaker {
  let center: WidgetCenter
  /// The cards, to all of which the user has agreed.
  let ids: Set<CardID>
  let page: PageName
  /// The machine that publishes, in the heading.
  var publisher: SafeText?
  /// How often it is looked whether something has changed.
  let interval: Duration
  let screen: ScreenSettings
  let clock: any HostClock
  /// Whether people look at the page itself, for whom there are pictures of it and words for screen readers.
  var isForPeople = true

  /// The columns of a card, and those of one that spans several columns on a wide screen.
  static let columns = 44
  private static let wideColumns = 92
  /// The columns of the page as a picture.
  private static let pictureColumns = 100
  private static let layoutRounds = 2

  /// The page as it is now, without its pictures.
  ///
  /// Pictures of files are drawn from then on; where that takes a moment, their descriptions are in their place.
  func edition() -> PublishedEdition {
    let moment = clock.moment
    let shown = cards.map { webCard($0, moment.date) }
    let page = WebPage(
      title: SafeText(page.rawValue),
      publisher: publisher,
      date: shown.compactMap(\.date).max() ?? moment.date,
      reload: max(30, Int(interval.components.seconds)),
      cards: shown,
      images: center.images.results,
      light: theme(isDark: false),
      dark: theme(isDark: true)
    )
    return PublishedEdition(page: page, moment: moment)
  }

  /// The cards that are on the page now and have content; one may have been moved to another page.
  private var cards: [Card] {
    center.page.all.filter {
      ids.contains($0.id) && $0.page.isSame(as: page) && $0.state != .hidden
    }
  }

  /// The theme of the user, and the usual one on the other background.
  private func theme(isDark: Bool) -> Theme {
    let own = screen.theme(onTerminal: isDark)
    return Theme(depth: .full, own.isDark == isDark ? own : .standard(isDark: isDark))
  }

  private func webCard(_ card: Card, _ now: Date) -> WebCard {
    var web = WebCard(card)
    web.view = center.drawing.publicView(of: card.id)
    web.seconds = max(interval.seconds, seconds(of: card.id) ?? 0)
    guard card.view != nil else { return web }
    if card.isKeptCurrent {
      // It shows the present moment, for as long as somebody writes it again.
      (web.date, web.end) = (now, now.addingTimeInterval(2 * interval.seconds))
    } else if let date = web.date, let seconds = seconds(of: card.id) {
      // Nothing is written more often than it is looked.
      web.end = date.addingTimeInterval(2 * max(seconds, interval.seconds))
    }
    let widths = card.span > 1 ? [Self.columns, Self.wideColumns] : [Self.columns]
    web.pictures = widths.compactMap { columns in
      center.drawing.publicLayout(of: card.id, width: columns).map {
        WebCard.Picture(columns: columns, view: $0)
      }
    }
    if isForPeople { web.spoken = spoken(card.id, besides: web.rows) }
    return web
  }

  /// The lines that a screen reader says of a card besides its rows, which have line breaks of their own.
  private func spoken(_ id: CardID, besides rows: [String]) -> [String] {
    guard
      let view = center.drawing.publicLayout(of: id, width: Self.wideColumns, isSpoken: true)
    else { return [] }
    return WebCard.unwritten(TextWriter.lines(WebCard.canvas(view)), in: rows)
  }

  /// The interval of a widget; nil if it has none.
  private func seconds(of id: CardID) -> Double? {
    guard let bundle = center.page.catalog.widget(withIdentifier: id.bundleIdentifier) else {
      return nil
    }
    let seconds = bundle.script?.interval ?? bundle.infoPlist.widgetExtension?.refreshInterval
    return seconds.flatMap { $0.isFinite && $0 > 0 && $0 < 1e8 ? $0 : nil }
  }

  // MARK: - Pictures

  /// The page and the cards of an edition as SVG, by the names of their files.
  func pictures(of edition: PublishedEdition) -> [String: String] {
    guard isForPeople else { return [:] }
    let shown = Dictionary(edition.page.cards.map { ($0.id, $0) }) { first, _ in first }
    let (page, now) = (edition.page, edition.moment.date)
    let drawn = cards.compactMap { card in
      shown[card.id].map { Self.dated(card, $0, now: page.date) }
    }
    let title = Self.title(page.title.string, page.cards.compactMap(\.date).max())
    var files = [PublishedFile.picture: svg(drawn, columns: Self.pictureColumns, title, now)]
    for card in drawn {
      let title = Self.title(card.name.string, shown[card.id]?.date)
      let name = PublishedFile.picture(of: card.id)
      files[name] = svg([card], columns: Self.columns + 4, title, now)
    }
    return files
  }

  /// A name with the moment of what is shown, so that a picture changes only with that.
  private static func title(_ name: String, _ date: Date?) -> String {
    guard let date, let time = LocalTime(date) else { return name }
    return "\(name), \(DayWording.words(for: date)) \(time.year), \(time.clock)"
  }

  /// A card with the time of its content in place of its age, and without words for its user alone; `now` is the moment
  /// of the page.
  static func dated(_ card: Card, _ web: WebCard, now: Date) -> Card {
    var card = card
    card.isForReaders = true
    (card.isUpdating, card.offersExpanded, card.asksForPermission) = (false, false, false)
    (card.pressCue, card.emptyWords, card.message) = (nil, nil, nil)
    (card.pressed, card.pending, card.isInPartialSandbox) = ([], [], false)
    // All rows are drawn.
    card.hiddenRows = 0
    if let trouble = web.trouble {
      let time = web.date.map { ", \(AgeWording.moment($0, now: now))" } ?? ""
      card.message = SafeText("\(trouble)\(time)")
      card.contentDate = nil
    } else if let date = web.date {
      card.past = CardPast(made: date)
    }
    return card
  }

  private func svg(_ cards: [Card], columns: Int, _ title: String, _ now: Date) -> String {
    var renderer = PageRenderer(width: columns, date: now, showsHeader: cards.count != 1)
    renderer.adopt(screen)
    renderer.pageName = page
    var bodies: [CardID: CardBody] = [:]
    for _ in 0..<Self.layoutRounds {
      let widths = renderer.widths(cards, bodies: bodies)
      for card in cards {
        let columns = max(0, widths[card.id] - card.marginInsets.left - card.marginInsets.right)
        bodies[card.id] = center.drawing.publicLayout(of: card.id, width: columns).map {
          CardBody(WebCard.withoutBlankEnd($0))
        }
      }
    }
    var writer = SVGWriter(theme: renderer.theme, images: center.images.results, title: title)
    writer.showsWindow = renderer.showsHeader
    return writer.text(renderer.canvas(cards, bodies: bodies))
  }
}
