public import WidgetCards
import WidgetKitCore
public import WidgetPlatform
public import WidgetSessions

/// What of the pages is on the screen: which page is shown, which of its cards have a row there, how wide they are, and
/// whether anybody sees them.
///
/// This is a class because its timer calls it.
public final class PageScreen {
  /// The name of the page that is shown.
  public private(set) var page: PageName
  /// Whether the page is shown, and has the focus of the terminal.
  public private(set) var host = HostState.active
  /// The cards with a row on the screen, or nil if that has not been set.
  private(set) var visible: Set<CardID>?
  /// The widths that were set last.
  private(set) var widths = CardWidths(0)

  private unowned let cards: PageCards
  /// Whether the cards of all pages are shown together.
  private let showsEveryPage: Bool
  /// Whether nothing is shown when the page has gone, rather than another one.
  private let staysOnPage: Bool
  private let clock: any HostClock
  private let onChange: () -> Void
  /// The widths that the cards of the shown page have; nil if they are to be compared again.
  private var givenWidths: CardWidths?
  /// The cards of the shown page when they last changed, in order.
  private var residents: [CardID] = []
  /// The timer that loads the deferred snapshots.
  private var snapshotTurn: (any HostTimer)?

  /// Snapshots that are loaded in one turn of the event loop: about a millisecond.
  private static let snapshotsInTurn = 25

  init(
    _ cards: PageCards,
    showing page: PageName,
    showsEveryPage: Bool,
    staysOnPage: Bool = false,
    clock: any HostClock,
    onChange: @escaping () -> Void
  ) {
    self.cards = cards
    self.page = page
    (self.showsEveryPage, self.staysOnPage) = (showsEveryPage, staysOnPage)
    self.clock = clock
    self.onChange = onChange
  }

  // MARK: - What is shown

  /// Whether a card is on the page that is shown.
  func shows(_ controller: CardRuntime) -> Bool {
    showsEveryPage || controller.card.page == page
  }

  /// Shows another page: the views of the cards on the others disappear, and their widgets are suspended
  /// and updated like those of cards that are not on the screen.
  ///
  /// - Parameter name: The name of the page.
  /// - Returns: Whether there is such a page.
  @discardableResult
  public func show(page name: PageName) -> Bool {
    guard let name = cards.names.first(where: { $0.isSame(as: name) }) else { return false }
    guard name != page else { return true }
    page = name
    noteResidents()
    // The widths are those of the cards that are drawn.
    givenWidths = nil
    onChange()
    return true
  }

  /// The cards are others now, whose widths have to be compared.
  ///
  /// In place of a page that has gone or has another name, the one is shown to which its cards have gone, else the
  /// first one.
  func cardsDidChange() {
    givenWidths = nil
    let names = cards.names
    if !names.contains(page), !staysOnPage {
      let successors = residents.compactMap { cards[$0]?.card.page }.filter(names.contains)
      page = successors.first ?? names.first ?? .home
    }
    noteResidents()
  }

  private func noteResidents() {
    residents = cards.controllers.compactMap { $0.card.page == page ? $0.id : nil }
  }

  /// Sets which cards have a row on the screen.
  public func setVisible(_ ids: Set<CardID>) {
    visible = ids
    tellVisible()
  }

  /// Tells the cards which of them have a row on the screen, once the bundles have been read.
  func tellVisible() {
    guard let visible, cards.hasScanned else { return }
    for controller in cards.controllers {
      controller.send(.visible(visible.contains(controller.card.id)))
    }
  }

  /// Sets whether the page is shown, and has the focus of the terminal, which the widgets are told.
  ///
  /// When it is hidden, every view disappears at once; when it is shown again, those on the screen appear.
  public func setHost(_ state: HostState) {
    guard state != host else { return }
    host = state
    for controller in cards.controllers { controller.send(.host(state)) }
  }

  // MARK: - Widths

  /// Whether all cards that are shown have the widths that were set last.
  public var hasSetWidths: Bool { givenWidths != nil }

  /// Sets one width for all cards.
  @discardableResult
  package func setWidth(_ width: Int) -> Bool { setWidths(CardWidths(width)) }

  /// Sets the width inside the borders of every card, and lays out the cards whose width changes;
  /// returns whether there is one.
  ///
  /// Snapshots of cards below `screen` are loaded in later turns, so that the first picture of a page of
  /// a thousand cards does not wait for them.
  @discardableResult
  public func setWidths(_ widths: CardWidths, filling screen: FirstScreen? = nil) -> Bool {
    guard widths != givenWidths else { return false }
    self.widths = widths
    givenWidths = widths
    var hasChanged = false
    var (filled, tallest) = (0, 0)
    for controller in cards.controllers {
      let id = controller.card.id
      // The shortest column is full when all columns would be full without the tallest card in each of
      // them.
      guard shows(controller) else {
        // A card of another page has some width, so that its widget can be updated.
        guard !controller.state.display.size.room.hasWidth else { continue }
        controller.send(
          .frame(innerWidth: widths.usual, leastRows: nil, showsSnapshot: screen == nil)
        )
        hasChanged = true
        continue
      }
      let isOnScreen = screen.map { filled < $0.columns * $0.rows + ($0.columns - 1) * tallest }
      let rows = widths.rows(of: id)
      let size = controller.state.display.size
      if widths[id] != size.room.innerWidth || rows != size.room.leastRows {
        controller.send(
          .frame(innerWidth: widths[id], leastRows: rows, showsSnapshot: isOnScreen ?? true)
        )
        hasChanged = true
      }
      let growth = widths.growth[id] ?? .none
      if growth != size.form.growth {
        controller.send(.growth(growth))
        hasChanged = true
      }
      guard !controller.isHidden else { continue }
      let height = controller.card.bodySize.rows + 2
      filled += height
      tallest = max(tallest, height)
    }
    guard hasChanged else { return false }
    onChange()
    showOwedSnapshots()
    return true
  }

  /// Loads the deferred snapshots, a limited number in each turn of the event loop.
  private func showOwedSnapshots() {
    let owing = cards.controllers.filter(\.state.display.content.owesSnapshot)
    guard !owing.isEmpty else { return }
    snapshotTurn = clock.schedule(after: .zero) { [weak self] in
      for controller in owing.prefix(Self.snapshotsInTurn) { controller.send(.snapshotTurn) }
      // These cards are below the screen, so one new layout at the end is enough.
      if owing.count <= Self.snapshotsInTurn { self?.onChange() }
      self?.showOwedSnapshots()
    }
  }
}
