public import FoundationEssentials
import WidgetKitCore

/// What a page asks for with every picture.
extension WidgetCenter {
  /// The cards in page order as they are drawn at a moment: those with a view with their bodies.
  public func drawnCards(at now: ContinuousClock.Instant) -> [(card: Card, body: CardBody?)] {
    // A loop and no closures: this is done for every picture, and each closure asks where it runs.
    var drawn: [(card: Card, body: CardBody?)] = []
    drawn.reserveCapacity(controllers.count)
    for controller in controllers where controller.card.state != .hidden {
      if isHeldBack(controller) {
        drawn.append((controller.card.beforeItsContent, nil))
      } else {
        let body = controller.card.view == nil ? nil : controller.body(at: now)
        drawn.append((controller.card, body))
      }
    }
    if !departures.isEmpty { addDepartures(to: &drawn, at: now) }
    return drawn
  }

  /// How long the first contents of a page wait for each other at most.
  private static let gatheringTime: Duration = .milliseconds(300)

  /// Shows first contents together from now on, for a short time at the start of a page that stays.
  func gatherFirstContent() {
    guard configuration.gathersFirstContent else { return }
    gathering = clock.schedule(after: Self.gatheringTime) { [weak self] in
      self?.gathering = nil
      self?.cardDidChange()
    }
  }

  /// Ends that time early where nothing is left to wait for.
  func firstContentMayBeThere() {
    guard gathering != nil,
      controllers.allSatisfy({ !$0.isVisible || !$0.isWithoutPicture || $0.isSettled })
    else { return }
    gathering?.cancel()
    gathering = nil
    cardDidChange()
  }

  /// Whether a card does not show yet what it has: others are about to show theirs for the first
  /// time too, or all that it could say is that nothing has come while its content is on its way.
  private func isHeldBack(_ controller: CardController) -> Bool {
    guard controller.isWithoutPicture, controller.card.state == .live else { return false }
    return gathering != nil || controller.card.view == nil && !controller.isSettled
  }

  /// A card's body at a moment; nil where there is no such card.
  public func body(of id: CardID, at now: ContinuousClock.Instant) -> CardBody? {
    controller(id)?.body(at: now)
  }

  /// Whether anything moves, so that frames are to be drawn.
  public var isAnimating: Bool {
    for controller in controllers where controller.isMoving { return true }
    return !departures.isEmpty
  }

  /// When a date on a visible card will look different; nil where nothing ticks.
  public var nextChange: Date? {
    var next: Date?
    for controller in controllers where visible?.contains(controller.card.id) ?? true {
      if let change = controller.nextChange { next = min(next ?? change, change) }
    }
    return next
  }

  /// The part of a page that is on the screen at its start: so many columns of so many rows.
  public struct FirstScreen: Sendable {
    var columns: Int
    var rows: Int

    /// Creates it.
    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Gives every card's inside, between its borders, a width; all is laid out at once.
  ///
  /// - Parameters:
  ///   - innerWidth: The width.
  ///   - screen: What is to be filled. The pictures of cards below it are read in turns after this
  ///     one, so that the first picture of a page of a thousand does not wait for them.
  /// - Returns: Whether it had another one.
  @discardableResult
  public func setPage(innerWidth: Int, filling screen: FirstScreen? = nil) -> Bool {
    guard innerWidth != self.innerWidth else { return false }
    self.innerWidth = innerWidth
    var (filled, tallest) = (0, 0)
    for controller in controllers {
      // The shortest column is full where all of them would be if the tallest card lay in each other.
      let isOnScreen = screen.map { filled < $0.columns * $0.rows + ($0.columns - 1) * tallest }
      controller.setInnerWidth(innerWidth, showsSnapshot: isOnScreen ?? true)
      guard controller.card.state != .hidden else { continue }
      let rows = controller.card.bodySize.rows + 2
      filled += rows
      tallest = max(tallest, rows)
    }
    cardDidChange()
    showOwedSnapshots()
    return true
  }

  /// Reads the pictures that were left for later, some in each turn of the event loop.
  private func showOwedSnapshots() {
    let owing = controllers.filter(\.owesSnapshot)
    guard !owing.isEmpty else { return }
    snapshotTurn = clock.schedule(after: .zero) { [weak self] in
      for controller in owing.prefix(Self.snapshotsInTurn) { controller.showOwedSnapshot() }
      // They lie below the screen: one new layout is enough.
      if owing.count <= Self.snapshotsInTurn { self?.cardDidChange() }
      self?.showOwedSnapshots()
    }
  }

  /// About a millisecond of reading.
  private static let snapshotsInTurn = 25
}

extension Card {
  /// The card as it is while its widget starts.
  fileprivate nonisolated var beforeItsContent: Card {
    var card = self
    card.state = .starting
    card.view = nil
    card.contentDate = nil
    return card
  }
}
