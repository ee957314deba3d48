import WidgetCards
import WidgetKitCore
import WidgetPages

/// Keys for the element with the focus: typing into a field, and moving in a list.
final class ElementKeys {
  private unowned let owner: any DashboardKeysOwner
  private let fields: OpenedFields

  init(owner: any DashboardKeysOwner, fields: OpenedFields) {
    self.owner = owner
    self.fields = fields
  }

  private var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  /// Takes a key that the element with the focus uses; false for any other.
  func take(_ key: Key, _ intent: Intent?) -> Bool {
    guard let focus = model.place.focus, let element = focus.element else { return false }
    switch element.role {
    case .field: return type(key, intent, focus.card)
    case .element, .fold, .row, .more, .add: return leave(key)
    }
  }

  /// Moves the focus from the element to its card.
  private func leave(_ key: Key) -> Bool {
    guard key == .escape else { return false }
    model.place.focus?.element = nil
    return true
  }

  // MARK: - Fields

  private func type(_ key: Key, _ intent: Intent?, _ card: CardID) -> Bool {
    let target = model.focusedTarget
    let input = owner.center.input
    switch key {
    case .escape:
      // The text of a row that is edited is as it was; what was typed since is discarded.
      if let target {
        if fields.hasFocusOfOpened {
          input.revert(target, on: card)
        } else {
          input.clear(target, on: card)
        }
      }
      fields.didLeave()
      return leave(key)
    case .tab, .backTab, .pageUp, .pageDown, .mouse:
      // Nothing else follows a field that has gone.
      if target == nil { model.place.focus?.element = nil }
      return false
    case .enter:
      if let target {
        fields.willEnter(on: card)
        input.enter(target, on: card)
      }
    case .up, .down:
      guard let target else { return true }
      let edit: LineEditor.Edit = key == .up ? .older : .newer
      if input.recalls(edit, in: target, on: card) {
        input.type(edit, in: target, on: card)
      } else {
        // Nothing was entered before, or after: the arrow leads on.
        fields.didLeave()
        model.moveFocus(key == .up ? .up : .down)
      }
    case .character, .control, .alt, .function, .insert, .backspace, .delete, .left, .right,
      .wordLeft, .wordRight, .home,
      .end, .shiftUp, .shiftDown, .paste:
      if let edit = LineEditor.Edit(key) {
        if let target { input.type(edit, in: target, on: card) }
      } else if let intent, owner.keyMap.holds(intent, in: .overlay) || intent == .help {
        return false
      }
    }
    return true
  }

  /// Moves the cursor of the field with the focus to the character that was clicked.
  func setCursor(at position: Position) {
    guard let target = model.focusedTarget, case .field(let field) = target.role,
      let id = model.place.focus?.card, let card = model.card(id),
      let frame = model.frameOnScreen(id)
    else { return }
    let origin = model.view(of: card).bodyOrigin(in: frame)
    let column = position.column - origin.column - field.origin.column
    owner.center.input.setCursor(atColumn: column, in: target, on: id)
  }

  // MARK: - Rows

  /// Removes the row with the focus.
  func removeRow() {
    guard let target = model.focusedTarget, case .row = target.role,
      let id = model.place.focus?.card
    else {
      owner.center.notices.say(owner.keyMap.rowAdvice)
      return
    }
    owner.center.input.removeRow(target, on: id)
  }
}
