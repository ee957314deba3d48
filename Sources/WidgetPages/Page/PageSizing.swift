import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// The widths of a page's cards, and the snapshots that are shown in them.
///
/// This is a class because its timer calls it.
final class PageSizing {
  private unowned let page: PageCards
  private let clock: any HostClock
  private let onChange: () -> Void
  /// The widths that were set last.
  private(set) var widths = CardWidths(0)
  /// The widths that the cards of the shown page have; nil if they are to be compared again.
  private var givenWidths: CardWidths?
  /// The timer that loads the deferred snapshots.
  private var snapshotTurn: (any HostTimer)?

  /// Snapshots that are loaded in one turn of the event loop: about a millisecond.
  private static let snapshotsInTurn = 25

  init(page: PageCards, clock: any HostClock, onChange: @escaping () -> Void) {
    self.page = page
    self.clock = clock
    self.onChange = onChange
  }

  /// Other cards are shown, whose widths have to be compared.
  func forget() {
    givenWidths = nil
  }

  /// Whether all cards that are shown have the widths that were set last.
  var hasSetWidths: Bool { givenWidths != nil }

  /// Sets the inner width of each card; returns whether one changed.
  ///
  /// Snapshots of cards below `screen` are loaded in later turns of the event loop.
  func set(_ widths: CardWidths, filling screen: FirstScreen?) -> Bool {
    guard widths != givenWidths else { return false }
    self.widths = widths
    givenWidths = widths
    var hasChanged = false
    var (filled, tallest) = (0, 0)
    for controller in page.controllers {
      let id = controller.card.id
      // The shortest column is full when all columns would be full without the tallest card in each of
      // them.
      guard page.isShown(controller) else {
        // A card of another page has some width, so that its widget can be updated.
        guard !controller.state.display.size.hasWidth else { continue }
        controller.send(
          .frame(innerWidth: widths.usual, leastRows: nil, showsSnapshot: screen == nil)
        )
        hasChanged = true
        continue
      }
      let isOnScreen = screen.map { filled < $0.columns * $0.rows + ($0.columns - 1) * tallest }
      let rows = widths.rows(of: id)
      let size = controller.state.display.size
      if widths[id] != size.innerWidth || rows != size.leastRows {
        controller.send(
          .frame(innerWidth: widths[id], leastRows: rows, showsSnapshot: isOnScreen ?? true)
        )
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
    let owing = page.controllers.filter(\.state.display.content.owesSnapshot)
    guard !owing.isEmpty else { return }
    snapshotTurn = clock.schedule(after: .zero) { [weak self] in
      for controller in owing.prefix(Self.snapshotsInTurn) { controller.send(.snapshotTurn) }
      // These cards are below the screen, so one new layout at the end is enough.
      if owing.count <= Self.snapshotsInTurn { self?.onChange() }
      self?.showOwedSnapshots()
    }
  }
}
