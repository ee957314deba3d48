public import WidgetCards
package import WidgetKitCore
public import WidgetPlatform
import WidgetSessions

/// What each picture of a page needs: the cards as they are drawn at a moment.
///
/// This is a class because its timer calls it.
public final class PageDrawing {
  private let page: PageCards
  private let firstContents: FirstContentGate
  /// Which earlier contents are drawn in place of the present ones.
  public let past: PagePast

  /// Creates the drawing of a page; `onOpen` is called when delayed first contents are shown.
  init(page: PageCards, clock: any HostClock, onOpen: @escaping () -> Void) {
    self.page = page
    past = PagePast(page: page)
    firstContents = FirstContentGate(clock: clock, onOpen: onOpen)
  }

  // MARK: - Pictures

  /// Returns the cards in page order as they are drawn at a moment, each with its body if it has a
  /// view.
  public func cards(at now: ContinuousClock.Instant) -> [(card: Card, body: CardBody?)] {
    // This is a loop without closures because it runs for every picture, and each closure checks its
    // executor.
    var drawn: [(card: Card, body: CardBody?)] = []
    drawn.reserveCapacity(page.controllers.count)
    for controller in page.controllers where !controller.isHidden && page.screen.shows(controller) {
      if isHeldBack(controller), !controller.isConcealed {
        drawn.append((controller.card.beforeItsContent, nil))
      } else {
        drawn.append((controller.shownCard, controller.shownBody(at: now)))
      }
    }
    // On a locked page they would shrink with their contents.
    if page.controllers.first?.isPageLocked != true {
      page.motion.addLeaving(to: &drawn, on: page.screen.page, at: now)
    }
    return drawn
  }

  /// Returns a card's body at a moment; nil if there is no such card, and on a locked page that shows its
  /// name alone.
  public func body(of id: CardID, at now: ContinuousClock.Instant) -> CardBody? {
    page[id].flatMap { $0.isConcealed ? nil : $0.body(at: now) }
  }

  /// Returns a card's view as others may see it, with what is private covered; nil without a view.
  ///
  /// With `isSpoken` it is for screen readers, with the labels of elements in place of their pictures.
  package func publicLayout(of id: CardID, width: Int, isSpoken: Bool = false) -> LaidOutView? {
    page[id].flatMap { $0.publicLayout(width: width, isSpoken: isSpoken) }
  }

  /// A card's view for others who lay it out themselves; nil without one, and if a part of it is private, or a file.
  package func publicView(of id: CardID) -> ViewNode? { page[id]?.publicView }

  /// Whether any animation is running, so that frames must be drawn.
  public var isAnimating: Bool { page.motion.isMoving(page.controllers) }

  // MARK: - First contents

  /// Whether first contents are being collected, so that none of them is drawn yet.
  var isGatheringFirstContent: Bool { firstContents.isClosed }

  /// Starts to collect the first contents of the cards, so that they appear together.
  func gatherFirstContent() {
    firstContents.close()
  }

  /// Stops collecting first contents if there are none left to wait for.
  func firstContentMayBeThere() {
    guard firstContents.isClosed,
      page.controllers.allSatisfy({
        !$0.state.widget.isVisible || !$0.state.display.content.isWithoutPicture || $0.isSettled
      })
    else { return }
    firstContents.open()
  }

  /// Whether a card's content is not shown yet: it waits for the first contents of other cards, or it
  /// could only say that no data has come although its content is still expected.
  private func isHeldBack(_ controller: CardRuntime) -> Bool {
    guard controller.state.display.content.isWithoutPicture, controller.card.state == .live else {
      return false
    }
    return firstContents.isClosed || controller.card.view == nil && !controller.isSettled
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
