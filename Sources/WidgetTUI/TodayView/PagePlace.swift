import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages

/// What the engine says of the page.
nonisolated struct PageContent: Sendable {
  /// The day in words, for the header.
  var dayWords: SafeText = ""
  /// The machine whose page it is; nil for this one.
  var machine: SafeText?
  /// The cards in page order.
  var cards: [Card] = []
  /// Their present bodies; a card without a view has none.
  var bodies: [CardID: CardBody] = [:]
  /// Errors in bundles and in the installation.
  var problems: [SafeText] = []
  /// Where bundles are looked for, for a page without any.
  var searchedFolders: [SafeText] = []
  /// How many widgets have nothing to show.
  var hiddenCount = 0
  /// The result of the last press, shown instead of the keys.
  var notice: SafeText?
  /// Installed widgets that were never on the page.
  var newWidgets: [AnnouncedWidget] = []
  /// How many notices of the user wait.
  var waitingNotices = 0
  /// Whether only critical notices are announced.
  var isQuiet = false
  /// The first card that shows notices; nil if none does.
  var noticeCard: CardID?
  /// Whether bundles have not been looked for yet, so that an empty page shows no text.
  var isLoading = false
  /// Whether nothing can be pressed, and private content is covered.
  var isLocked = false

  /// Takes over the cards that a filter shows.
  ///
  /// - Returns: Whether the layout of the cards is the same as before.
  mutating func take(_ drawn: [(card: Card, body: CardBody?)], by filter: PageFilter?) -> Bool {
    if filter == nil, drawn.count == cards.count { return takeChanged(drawn) }
    cards = []
    bodies = [:]
    for (card, body) in drawn where filter?.matches(card, body, isLocked: isLocked) ?? true {
      cards.append(card)
      bodies[card.id] = body
    }
    return false
  }

  /// Takes over those of as many cards as before that are different; returns whether their layout is the same.
  private mutating func takeChanged(_ drawn: [(card: Card, body: CardBody?)]) -> Bool {
    var keepsLayout = true
    for index in drawn.indices {
      if cards[index] == drawn[index].card, bodies[drawn[index].card.id] == drawn[index].body {
        continue
      }
      let (card, body) = drawn[index]
      let (oldCard, oldBody) = (cards[index], bodies[card.id])
      if oldCard.id != card.id {
        keepsLayout = false
        bodies[oldCard.id] = drawn.first { $0.card.id == oldCard.id }?.body
      } else if oldCard.outline(oldBody) != card.outline(body) {
        keepsLayout = false
      }
      cards[index] = card
      bodies[card.id] = body
    }
    return keepsLayout
  }
}

/// Where the user is on a page.
nonisolated struct PagePlace: Sendable {
  /// The focus.
  var focus: PageFocus?
  /// The first row of the page that is on the screen.
  var scrollRow = 0
  /// The card that is shown alone; nil for all.
  var zoom: PageZoom?
  /// Which cards are shown; nil for all.
  var filter: PageFilter?
}

/// Which card lies in which columns, now and before.
nonisolated struct PagePlans: Sendable {
  /// The plan that is drawn.
  private(set) var present: PagePlan
  /// The plan that it continues.
  private(set) var before: PagePlan?
  /// The plan when all cards are shown, so that they return to their columns after a filter.
  private(set) var whole: PagePlan
  /// The filter of the present plan.
  private var filter: PageFilter?

  init(_ plan: PagePlan = PagePlan()) { (present, whole) = (plan, plan) }

  /// Begins a plan of the cards that a filter shows.
  mutating func begin(with filter: PageFilter?) {
    before = filter == self.filter ? present : filter == nil ? whole : nil
  }

  /// Takes over the plan that was begun.
  mutating func take(_ plan: PagePlan, of filter: PageFilter?) {
    (present, self.filter) = (plan, filter)
    if filter == nil { whole = plan }
  }
}
