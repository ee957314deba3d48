public import FoundationEssentials
import WidgetKitCore

/// What a page needs to draw each picture.
extension WidgetCenter {
  /// Returns the cards in page order as they are drawn at a moment, each with its body if it has a
  /// view.
  public func drawnCards(at now: ContinuousClock.Instant) -> [(card: Card, body: CardBody?)] {
    // This is a loop without closures because it runs for every picture, and each closure checks its
    // executor.
    var drawn: [(card: Card, body: CardBody?)] = []
    drawn.reserveCapacity(page.controllers.count)
    for controller in page.controllers where !controller.isHidden {
      if isHeldBack(controller) {
        drawn.append((controller.card.beforeItsContent, nil))
      } else {
        let body = controller.card.view == nil ? nil : controller.size.body(at: now)
        drawn.append((controller.card, body))
      }
    }
    page.addDepartures(to: &drawn, at: now)
    return drawn
  }

  /// Stops delaying first contents if there are none left to wait for.
  func firstContentMayBeThere() {
    guard firstContents.isClosed,
      page.controllers.allSatisfy({
        !$0.widget.isVisible || !$0.content.isWithoutPicture || $0.isSettled
      })
    else { return }
    firstContents.open()
  }

  /// Whether a card's content is not shown yet: it waits for the first contents of other cards, or it
  /// could only say that no data has come although its content is still expected.
  private func isHeldBack(_ controller: CardController) -> Bool {
    guard controller.content.isWithoutPicture, controller.card.state == .live else { return false }
    return firstContents.isClosed || controller.card.view == nil && !controller.isSettled
  }

  /// Returns a card's body at a moment, or nil if there is no such card.
  public func body(of id: CardID, at now: ContinuousClock.Instant) -> CardBody? {
    page[id]?.size.body(at: now)
  }

  /// Whether any animation is running, so that frames must be drawn.
  public var isAnimating: Bool { page.isMoving }

  /// When a date on a visible card will be drawn differently, or nil if none will.
  public var nextChange: Date? {
    var next: Date?
    for controller in page.controllers where page.visible?.contains(controller.card.id) ?? true {
      if let change = controller.size.bodyAtRest.nextChange { next = min(next ?? change, change) }
    }
    return next
  }

  /// The size of the part of a page that is on the screen at the start: the number of columns and of
  /// rows.
  public struct FirstScreen: Sendable {
    var columns: Int
    var rows: Int

    /// Creates a first screen.
    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Sets the width inside the borders of every card and lays out all cards at once.
  ///
  /// - Parameters:
  ///   - innerWidth: The width.
  ///   - screen: The part of the page to fill now. Snapshots of cards below it are loaded in later
  ///     turns, so that the first picture of a page of a thousand cards does not wait for them.
  /// - Returns: Whether the width changed.
  @discardableResult
  public func setPage(innerWidth: Int, filling screen: FirstScreen? = nil) -> Bool {
    page.setPage(innerWidth: innerWidth, filling: screen)
  }
}

extension Card {
  /// The card in the state that it has while its widget starts.
  fileprivate nonisolated var beforeItsContent: Card {
    var card = self
    card.state = .starting
    card.view = nil
    card.contentDate = nil
    return card
  }
}
