import WidgetCards
import WidgetKitCore
import WidgetPages

/// Keys in the inspector of a card.
final class InspectorKeys {
  private unowned let owner: any DashboardKeysOwner
  /// Does what a key asks for on the page.
  private let perform: (Intent) -> Void

  init(owner: any DashboardKeysOwner, perform: @escaping (Intent) -> Void) {
    (self.owner, self.perform) = (owner, perform)
  }

  /// Takes a key.
  func handle(_ key: Key, _ intent: Intent?, in inspector: Inspector) {
    var inspector = inspector
    if case .control = key, let intent {
      perform(intent)
    } else if scroll(&inspector, intent, key) {
      owner.model.mode = .inspector(inspector)
    } else {
      handle(intent, in: inspector)
    }
  }

  /// Scrolls the inspector or turns its leaves; false for a key that does something else.
  private func scroll(_ inspector: inout Inspector, _ intent: Intent?, _ key: Key) -> Bool {
    let page = max(1, owner.model.viewport.size.rows - 2)
    switch intent {
    case .nextCard: inspector.scroll(by: 1)
    case .previousCard: inspector.scroll(by: -1)
    case .pageDown: inspector.scroll(by: page)
    case .pageUp: inspector.scroll(by: -page)
    case .press where key == .character(" "): inspector.scroll(by: page)
    case .nextElement: inspector.turn(by: 1)
    case .previousElement: inspector.turn(by: -1)
    case .top: inspector.scroll(by: -10_000)
    case .bottom: inspector.scroll(by: 10_000)
    default: return false
    }
    return true
  }

  /// What the other keys do: most of them close it.
  private func handle(_ intent: Intent?, in inspector: Inspector) {
    switch intent {
    case .refreshCard: owner.center.updates.refresh(inspector.card)
    case .retry: owner.center.input.retry(inspector.card)
    case .hide: perform(.hide)
    case .help: owner.model.mode = .help(TodayModel.KeyList(below: .inspector(inspector)))
    default: owner.model.mode = .page
    }
  }
}
