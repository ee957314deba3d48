import WidgetCards
import WidgetKitCore
import WidgetPages

/// Keys and the mouse while a widget is edited: its rows are moved, removed and added, and its other
/// elements are pressed as on the page.
final class WidgetEditKeys {
  private unowned let owner: any DashboardKeysOwner
  private let elements: ElementKeys
  private let fields: OpenedFields

  /// Presses what the card takes something back with; false if it has nothing of that kind.
  private let undo: () -> Bool

  init(
    owner: any DashboardKeysOwner,
    elements: ElementKeys,
    fields: OpenedFields,
    undo: @escaping () -> Bool
  ) {
    self.owner = owner
    self.elements = elements
    self.fields = fields
    self.undo = undo
  }

  private var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  /// Takes a key; false for one that edit mode may use.
  func handle(_ key: Key, _ intent: Intent?, in card: Card) -> Bool {
    if model.place.focus?.card != card.id { model.place.focus = PageFocus(card: card.id) }
    fields.takeLetter(key, in: card)
    if model.place.focus?.isField == true, elements.take(key, intent) { return true }
    if key == .escape {
      owner.center.input.endEditing()
      // On the page a row with the focus would be pressed by the next Enter.
      model.place.focus?.element = nil
      return true
    }
    switch EditCommand(inWidget: key) {
    case .moveOn?: move(by: 1)
    case .moveBack?: move(by: -1)
    case .remove?: elements.removeRow()
    case .add?: add(to: card)
    case .undo?:
      if !undo() {
        owner.center.notices.say("\(card.name) has nothing to take back.")
      }
    case .narrower?, .wider?, .redo?, .nextPage?, .previousPage?, .copy?, nil:
      return handle(intent, of: key, in: card)
    }
    return true
  }

  private func handle(_ intent: Intent?, of key: Key, in card: Card) -> Bool {
    guard let intent, owner.keyMap.holds(intent, in: .widget) else {
      if let words = EditCommand.refusal(key, map: owner.keyMap, inWidget: true) {
        owner.center.notices.say(words)
      }
      return true
    }
    switch intent {
    case .nextCard:
      if !model.moveInList(forward: true) { model.moveElementFocus(forward: true) }
    case .previousCard:
      if !model.moveInList(forward: false) { model.moveElementFocus(forward: false) }
    case .nextElement: model.moveElementFocus(forward: true)
    case .previousElement: model.moveElementFocus(forward: false)
    case .press:
      if let target = model.focusedTarget {
        fields.willPress(target, on: card.id)
        owner.center.input.press(target, on: card.id)
      }
    default: return false
    }
    return true
  }

  /// Puts the focus on the first row, so that it is seen what the keys act on.
  func selectFirstRow(of id: CardID) {
    let targets = model.targets(of: id)
    guard let index = targets.firstIndex(where: \.isRow) else { return }
    model.place.focus = PageFocus(card: id, element: PageFocus.Element(targets[index], at: index))
    model.revealFocus()
  }

  // MARK: - Rows

  private func move(by distance: Int) {
    guard let target = model.focusedTarget, target.isRow, let id = model.place.focus?.card else {
      return owner.center.notices.say(owner.keyMap.rowAdvice)
    }
    owner.center.input.moveRow(target, by: distance, on: id)
  }

  /// Asks for a row of the list with the focus, else of the first list that offers one.
  private func add(to card: Card) {
    let targets = model.targets(of: card.id)
    let offers = targets.filter { if case .add = $0.role { true } else { false } }
    let list = model.focusedTarget?.list
    guard let offer = offers.first(where: { $0.list == list }) ?? offers.first else {
      return owner.center.notices.say("\(card.name): no row can be added.")
    }
    fields.willPress(offer, on: card.id)
    owner.center.input.press(offer, on: card.id)
  }

  // MARK: - The mouse

  /// Presses a part of the card; returns the row that is dragged from now on.
  func press(_ part: PageHit.Part, at position: Position, in card: Card) -> PageDrag? {
    switch part {
    case .card, .state: return nil
    case .removal(let target):
      focus(target, of: card)
      owner.center.input.removeRow(target, on: card.id)
      return nil
    case .target(let target):
      focus(target, of: card)
      guard case .row(let row) = target.role else {
        fields.willPress(target, on: card.id)
        owner.center.input.press(target, on: card.id)
        elements.setCursor(at: position)
        return nil
      }
      guard card.movesRows, row.canMove, let frame = model.frameOnScreen(card.id) else {
        return nil
      }
      let origin = model.view(of: card).bodyOrigin(in: frame)
      let grip = Position(
        column: position.column - origin.column - target.frame.minColumn,
        row: position.row - origin.row - target.frame.minRow
      )
      return PageDrag(card: card.id, row: target, grip: grip, pointer: position)
    }
  }

  private func focus(_ target: PressTarget, of card: Card) {
    let targets = model.targets(of: card.id)
    guard let match = targets.match(target), let index = targets.firstIndex(of: match) else {
      return
    }
    model.place.focus = PageFocus(card: card.id, element: PageFocus.Element(match, at: index))
  }

  /// Drops a row where the pointer is.
  func drop(_ drag: PageDrag) {
    guard drag.hasMoved, let (rows, from, to) = drag.rowMove(in: model, owner.hits.newest),
      from != to
    else { return }
    owner.center.input.moveRow(rows[from], by: to - from, on: drag.card)
  }
}
