public import FoundationEssentials
import WidgetKitCore

/// What a page asks for with every picture.
extension WidgetCenter {
  /// The cards in page order as they are drawn at a moment: those with a view with their bodies.
  public func drawnCards(at now: ContinuousClock.Instant) -> [(card: Card, body: CardBody?)] {
    // A loop and no closures: this is done for every picture, and each closure asks where it runs.
    var drawn: [(card: Card, body: CardBody?)] = []
    drawn.reserveCapacity(page.controllers.count)
    for controller in page.controllers where !controller.isHidden {
      if isHeldBack(controller) {
        drawn.append((controller.card.beforeItsContent, nil))
      } else {
        let body = controller.card.view == nil ? nil : controller.body(at: now)
        drawn.append((controller.card, body))
      }
    }
    page.addDepartures(to: &drawn, at: now)
    return drawn
  }

  /// Ends that time early where nothing is left to wait for.
  func firstContentMayBeThere() {
    guard firstContents.isClosed,
      page.controllers.allSatisfy({ !$0.isVisible || !$0.isWithoutPicture || $0.isSettled })
    else { return }
    firstContents.open()
  }

  /// Whether a card does not show yet what it has: others are about to show theirs for the first
  /// time too, or all that it could say is that nothing has come while its content is on its way.
  private func isHeldBack(_ controller: CardController) -> Bool {
    guard controller.isWithoutPicture, controller.card.state == .live else { return false }
    return firstContents.isClosed || controller.card.view == nil && !controller.isSettled
  }

  /// A card's body at a moment; nil where there is no such card.
  public func body(of id: CardID, at now: ContinuousClock.Instant) -> CardBody? {
    page[id]?.body(at: now)
  }

  /// Whether anything moves, so that frames are to be drawn.
  public var isAnimating: Bool { page.isMoving }

  /// When a date on a visible card will look different; nil where nothing ticks.
  public var nextChange: Date? {
    var next: Date?
    for controller in page.controllers where page.visible?.contains(controller.card.id) ?? true {
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
    page.setPage(innerWidth: innerWidth, filling: screen)
  }
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
