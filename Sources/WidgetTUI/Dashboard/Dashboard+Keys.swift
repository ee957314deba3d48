import WidgetHost
import WidgetKitCore

/// The actions of keys and the mouse.
extension Dashboard {
  /// Handles one key; the caller draws.
  func handle(_ key: Key) {
    if case .mouse(let event) = key { return handle(event) }
    let intent = KeyMap.intent(of: key)
    switch model.mode {
    case .page:
      if let intent { perform(intent) }
    case .help:
      // Any key closes the list and does nothing else.
      if let intent, intent.appliesEverywhere { perform(intent) } else { model.mode = .page }
    case .inspector(var inspector):
      if case .control = key, let intent {
        perform(intent)
      } else if scroll(&inspector, intent, key) {
        model.mode = .inspector(inspector)
      } else {
        inspect(inspector.card, intent)
      }
    }
  }

  /// Scrolls the inspector; false for a key that does something else.
  private func scroll(_ inspector: inout Inspector, _ intent: Intent?, _ key: Key) -> Bool {
    let page = max(1, model.viewport.size.rows - 2)
    switch intent {
    case .nextCard: inspector.scroll(by: 1)
    case .previousCard: inspector.scroll(by: -1)
    case .pageDown: inspector.scroll(by: page)
    case .pageUp: inspector.scroll(by: -page)
    case .press where key == .character(" "): inspector.scroll(by: page)
    case .top: inspector.scroll(by: -10_000)
    case .bottom: inspector.scroll(by: 10_000)
    default: return false
    }
    return true
  }

  /// What the other keys do in the inspector of a card: most of them close it.
  private func inspect(_ card: CardID, _ intent: Intent?) {
    switch intent {
    case .refreshCard: center.updates.refresh(card)
    case .retry: center.retry(card)
    default: model.mode = .page
    }
  }

  private func perform(_ intent: Intent) {
    let page = max(1, model.viewport.size.rows - 1)
    switch intent {
    case .nextCard: model.moveFocus(.down)
    case .previousCard: model.moveFocus(.up)
    case .columnLeft: model.moveFocus(.left)
    case .columnRight: model.moveFocus(.right)
    case .nextElement: model.moveElementFocus(forward: true)
    case .previousElement: model.moveElementFocus(forward: false)
    case .press: press()
    case .toggleDisplayMode: onFocus { center.toggleDisplayMode($0) }
    case .refreshCard: onFocus { center.updates.refresh($0) }
    case .refreshAll: center.updates.refresh(nil)
    case .retry: onFocus { center.retry($0) }
    case .inspect: onFocus { model.mode = .inspector(Inspector(card: $0)) }
    case .pageDown: model.scroll(by: page)
    case .pageUp: model.scroll(by: -page)
    case .top: model.scroll(by: -model.contentRows)
    case .bottom: model.scroll(by: model.contentRows)
    case .redraw: repaint()
    case .suspend: suspend()
    case .help: model.mode = .help
    case .quit: quit()
    }
  }

  /// Does something with the card that has the focus.
  private func onFocus(_ body: (CardID) -> Void) {
    if let card = model.focus?.card { body(card) }
  }

  /// Presses the element with the focus; a card without any opens its app.
  private func press() {
    guard let card = model.focus?.card else { return }
    if let target = model.pressedTarget {
      center.press(target, on: card)
    } else if model.targets(of: card).isEmpty {
      center.urls.openApp(of: card)
    }
  }

  private func handle(_ event: MouseEvent) {
    switch (model.mode, event.action) {
    case (.page, .press): click(Position(column: event.column, row: event.row))
    case (.page, .wheelDown): model.scroll(by: 3)
    case (.page, .wheelUp): model.scroll(by: -3)
    case (.help, _): model.mode = .page
    case (.inspector, .press): break
    case (.inspector, .wheelDown): model.inspector?.scroll(by: 3)
    case (.inspector, .wheelUp): model.inspector?.scroll(by: -3)
    }
  }

  /// Presses the element that is drawn under the pointer, even if it is moving.
  private func click(_ position: Position) {
    guard let hit = hit(position), let card = model.card(hit.card) else { return }
    model.focus = PageFocus(card: hit.card)
    switch hit.part {
    case .card: break
    case .target(let target):
      let targets = model.targets(of: hit.card)
      if let match = targets.match(target), let index = targets.firstIndex(of: match) {
        model.focus?.element = PageFocus.Element(match, at: index)
      }
      center.press(target, on: hit.card)
    case .state where card.state == .stopped: center.retry(hit.card)
    case .state where card.isInTrouble: center.updates.refresh(hit.card)
    case .state: center.toggleDisplayMode(hit.card)
    }
  }
}
