import WidgetHost
import WidgetKitCore

/// The actions of keys and the mouse.
extension Dashboard {
  /// Handles one key; the caller draws.
  func handle(_ key: Key) {
    if model.inspector != nil, inspect(key) { return }
    switch key {
    case .character("q"), .control("c"):
      quit()
      return
    case .control("z"):
      suspend()
      return
    case .control("l"):
      repaint()
      return
    default: break
    }
    if model.isHelpVisible {
      // Any other key closes the list and does nothing else.
      model.isHelpVisible = false
    } else if !move(key) {
      act(key)
    }
  }

  /// Handles a key while the inspector is open; false if the key is for the dashboard.
  private func inspect(_ key: Key) -> Bool {
    let page = max(1, model.viewport.size.rows - 2)
    switch key {
    case .control: return false
    case .down, .character("j"): model.inspector?.scroll(by: 1)
    case .up, .character("k"): model.inspector?.scroll(by: -1)
    case .pageDown, .character(" "): model.inspector?.scroll(by: page)
    case .pageUp: model.inspector?.scroll(by: -page)
    case .home, .character("g"): model.inspector?.scroll(by: -10_000)
    case .end, .character("G"): model.inspector?.scroll(by: 10_000)
    case .mouse(let event) where event.action == .wheelDown: model.inspector?.scroll(by: 3)
    case .mouse(let event) where event.action == .wheelUp: model.inspector?.scroll(by: -3)
    case .mouse: break
    case .character("r"):
      if let card = model.inspector?.card { center.refresh(card) }
    case .character("t"):
      if let card = model.inspector?.card { center.retry(card) }
    default: model.inspector = nil
    }
    return true
  }

  /// Moves the focus or scrolls; false for other keys.
  private func move(_ key: Key) -> Bool {
    let page = max(1, model.viewport.size.rows - 1)
    switch key {
    case .down, .character("j"): model.moveFocus(.down)
    case .up, .character("k"): model.moveFocus(.up)
    case .left, .character("h"): model.moveFocus(.left)
    case .right, .character("l"): model.moveFocus(.right)
    case .tab: model.moveElementFocus(forward: true)
    case .backTab: model.moveElementFocus(forward: false)
    case .pageDown: model.scroll(by: page)
    case .pageUp: model.scroll(by: -page)
    case .home, .character("g"): model.scroll(by: -model.contentRows)
    case .end, .character("G"): model.scroll(by: model.contentRows)
    case .mouse(let event) where event.action == .wheelDown: model.scroll(by: 3)
    case .mouse(let event) where event.action == .wheelUp: model.scroll(by: -3)
    default: return false
    }
    return true
  }

  private func act(_ key: Key) {
    switch key {
    case .character("?"): model.isHelpVisible = true
    case .character("R"): center.refresh(nil)
    case .mouse(let event): click(Position(column: event.column, row: event.row))
    default:
      guard let focus = model.focus else { return }
      switch key {
      case .enter, .character(" "):
        if let target = model.pressedTarget {
          center.press(target, on: focus.card)
        } else if model.targets(of: focus.card).isEmpty {
          center.openApp(of: focus.card)
        }
      case .character("r"): center.refresh(focus.card)
      case .character("t"): center.retry(focus.card)
      case .character("i"): model.inspector = Inspector(card: focus.card)
      case .character("m"): center.toggleDisplayMode(focus.card)
      default: break
      }
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
    case .state where card.isInTrouble: center.refresh(hit.card)
    case .state: center.toggleDisplayMode(hit.card)
    }
  }
}
