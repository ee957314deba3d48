import WidgetCards
import WidgetKitCore

/// The focus: a card, and possibly one of its pressable elements.
nonisolated struct PageFocus: Hashable, Sendable {
  /// A pressable element, identified also after its view has changed.
  struct Element: Hashable, Sendable {
    /// Its index in reading order.
    var index: Int
    var elementID: String?
    var action: String?
    var link: String?
    var role = PressRole.element

    /// Whether it can be identified.
    var isValid: Bool { index >= 0 }

    /// The index of the element in `targets`: by all properties, else by `id`, else by index.
    ///
    /// In the place of a row that has gone is the next one of its list. Nothing takes the place of a
    /// field, so that nothing else gets what is typed.
    func index(in targets: [PressTarget]) -> Int? {
      func isSame(_ target: PressTarget) -> Bool {
        target.elementID == elementID && target.action == action && target.link == link
          && target.role.isSame(as: role)
      }
      if case .more(let list, let isExpanded) = role {
        return indexOfMore(list, isExpanded, in: targets)
      }
      if targets.indices.contains(index), isSame(targets[index]) { return index }
      if let match = targets.firstIndex(where: isSame) { return match }
      switch role {
      case .field: return targets.firstIndex { $0.role.isSame(as: role) }
      case .row(let row):
        let rows = targets.indices.filter { targets[$0].isRow(of: row.list) }
        return targets.firstIndex { $0.role.isSame(as: role) } ?? rows.first { $0 >= index }
          ?? rows.last
      case .element, .fold, .more, .add: break
      }
      if let elementID, let match = targets.firstIndex(where: { $0.elementID == elementID }) {
        return match
      }
      return targets.isEmpty ? nil : min(index, targets.count - 1)
    }
  }

  var card: CardID
  var element: Element?

  /// Whether a field has the focus, so that letters are typed into it.
  var isField: Bool { if case .field? = element?.role { true } else { false } }

  /// Creates a focus on a card, or on one of its elements.
  init(card: CardID, element: Element? = nil) {
    self.card = card
    self.element = element
  }
}

nonisolated extension PageFocus.Element {
  /// The line that shows more rows, or the first row that it has shown.
  private func indexOfMore(_ list: String, _ isExpanded: Bool, in targets: [PressTarget]) -> Int? {
    let same = targets.firstIndex { $0.role == role }
    if let same { return same }
    if targets.indices.contains(index), targets[index].isRow(of: list) { return index }
    return targets.firstIndex { $0.role.isSame(as: role) }
  }

  /// Remembers `target`, the one at `index` of its view.
  init(_ target: PressTarget, at index: Int) {
    self.init(
      index: index,
      elementID: target.elementID,
      action: target.action,
      link: target.link,
      role: target.role
    )
  }
}

nonisolated extension PressTarget {
  /// Whether it is a row of a list.
  fileprivate func isRow(of list: String) -> Bool {
    if case .row(let row) = role { row.list == list } else { false }
  }

  /// Whether it takes typing.
  var isField: Bool { if case .field = role { true } else { false } }

  /// The list to which it belongs: a row, or a line below the rows.
  var list: String? {
    switch role {
    case .row(let row): row.list
    case .more(let list, _), .add(let list): list
    case .element, .fold, .field: nil
    }
  }
}

/// A direction on the page.
nonisolated enum FocusDirection: Sendable {
  case up
  case down
  case left
  case right
}

nonisolated extension TodayModel {
  /// The pressable elements of a card, in reading order, of the view that it is animated to.
  func targets(of id: CardID) -> [PressTarget] {
    guard let body = content.bodies[id] else { return [] }
    return (body.to ?? body.from).targets
  }

  /// The element that has the focus.
  var focusedTarget: PressTarget? {
    guard let focus = place.focus, let element = focus.element else { return nil }
    let targets = targets(of: focus.card)
    return element.index(in: targets).map { targets[$0] }
  }

  /// The element that Enter presses: the one with the focus, or the only one.
  ///
  /// A field is not pressed but typed into.
  var pressedTarget: PressTarget? {
    if let focusedTarget { return focusedTarget }
    guard let focus = place.focus else { return nil }
    let targets = targets(of: focus.card)
    guard targets.count == 1, let only = targets.first, !only.isField else { return nil }
    return only
  }

  /// Moves the focus to the next element of the card that was entered, or to the next card in a direction; a card
  /// taller than the screen scrolls first.
  mutating func moveFocus(_ direction: FocusDirection) {
    if moveInCard(direction) { return }
    guard let focus = place.focus, let frame = page.frames[focus.card] else { return }
    if scrollInsideTallCard(frame, direction) { return }
    guard let next = neighbor(of: focus.card, frame, direction) else { return }
    place.focus = PageFocus(card: next)
    revealFocus()
  }

  /// Moves the focus to the next pressable element of the card, or the one before; after the last
  /// comes the card itself.
  mutating func moveElementFocus(forward: Bool) {
    guard let focus = place.focus else { return }
    let targets = targets(of: focus.card)
    guard !targets.isEmpty else { return }
    let current = focus.element.flatMap { $0.index(in: targets) }
    let next = current.map { $0 + (forward ? 1 : -1) } ?? (forward ? 0 : targets.count - 1)
    place.focus?.element =
      targets.indices.contains(next) ? PageFocus.Element(targets[next], at: next) : nil
    revealFocus()
  }

  /// Moves the focus to the next row of its list, or the one before; false at the end of the list, and
  /// if no row has the focus.
  mutating func moveInList(forward: Bool) -> Bool {
    guard let focus = place.focus, let element = focus.element else { return false }
    let targets = targets(of: focus.card)
    guard let current = element.index(in: targets), let list = targets[current].list else {
      return false
    }
    let others =
      forward
      ? Array(targets.indices[(current + 1)...]) : targets.indices[..<current].reversed()
    if let next = others.first(where: { targets[$0].list == list }) {
      place.focus?.element = PageFocus.Element(targets[next], at: next)
    } else if forward {
      return false
    } else {
      place.focus?.element = nil
    }
    revealFocus()
    return true
  }

  /// Whether the row with the focus can be removed.
  var canRemoveFocusedRow: Bool {
    guard case .row(let row)? = focusedTarget?.role,
      let card = place.focus.flatMap({ card($0.card) })
    else { return false }
    return card.removesRows && row.canRemove && !content.isLocked
  }

  /// Scrolls as little as it takes to see the card with the focus, and its element.
  mutating func revealFocus() {
    if revealInZoom() { return }
    guard let focus = place.focus, let frame = page.frames[focus.card], let card = card(focus.card)
    else {
      return
    }
    var rows = frame.minRow..<max(frame.minRow, frame.maxRow)
    let height = viewport.size.rows
    if let target = focusedTarget, rows.count > height {
      let origin = view(of: card).bodyOrigin(in: frame)
      rows =
        origin.row
        + target.frame.minRow..<max(
          origin.row + target.frame.minRow,
          origin.row + target.frame.maxRow
        )
    }
    if rows.upperBound > place.scrollRow + height { place.scrollRow = rows.upperBound - height }
    if rows.lowerBound < place.scrollRow || rows.count > height {
      place.scrollRow = rows.lowerBound
    }
    place.scrollRow = min(max(0, place.scrollRow), lastScrollRow)
  }

  /// Scrolls by rows, without moving the focus.
  mutating func scroll(by rows: Int) {
    if scrollZoom(by: rows) { return }
    place.scrollRow = min(max(0, place.scrollRow + rows), lastScrollRow)
  }

  private mutating func scrollInsideTallCard(_ frame: Rect, _ direction: FocusDirection) -> Bool {
    let height = viewport.size.rows
    guard frame.size.rows > height, height > 0 else { return false }
    let step = max(1, min(3, height - 1))
    switch direction {
    case .down where frame.maxRow > place.scrollRow + height:
      scroll(by: min(step, frame.maxRow - place.scrollRow - height))
    case .up where frame.minRow < place.scrollRow:
      scroll(by: -min(step, place.scrollRow - frame.minRow))
    default: return false
    }
    return true
  }

  private func neighbor(of id: CardID, _ frame: Rect, _ direction: FocusDirection) -> CardID? {
    let own = page.columns.indices.filter { page.columns[$0].contains(id) }
    guard let first = own.first, let last = own.last else { return nil }
    switch direction {
    case .up, .down:
      let beside = own.flatMap { nextRow(of: id, frame, direction, in: page.columns[$0]) }
      // Of several cards above or below a wide one, the nearest.
      return beside.min { distances(of: $0, from: frame) < distances(of: $1, from: frame) }
    case .left, .right:
      if let tile = tile(beside: frame, direction, in: page.columns[first]) { return tile }
      let other = direction == .left ? first - 1 : last + 1
      guard page.columns.indices.contains(other) else { return nil }
      // The card beside it is the one whose middle is nearest.
      return page.columns[other].min {
        distances(of: $0, from: frame) < distances(of: $1, from: frame)
      }
    }
  }

  /// The card above or below a card in a column; several if they are tiles.
  private func nextRow(
    of id: CardID,
    _ frame: Rect,
    _ direction: FocusDirection,
    in cards: [CardID]
  ) -> [CardID] {
    guard let place = cards.firstIndex(of: id) else { return [] }
    let others = direction == .up ? Array(cards[..<place].reversed()) : Array(cards[(place + 1)...])
    func row(_ id: CardID) -> Int? { page.frames[id]?.minRow }
    // Tiles beside it are in its row.
    guard let next = others.first(where: { row($0) != frame.minRow || !isTile($0, frame) }) else {
      return []
    }
    return others.filter { $0 == next || row($0) == row(next) && isTile($0, page.frames[next]) }
  }

  /// Whether a card is beside another one in the same columns.
  private func isTile(_ id: CardID, _ frame: Rect?) -> Bool {
    guard let frame, let other = page.frames[id] else { return false }
    return other.minRow == frame.minRow && other.minColumn != frame.minColumn
  }

  /// The next tile in the row of a card.
  private func tile(
    beside frame: Rect,
    _ direction: FocusDirection,
    in cards: [CardID]
  ) -> CardID? {
    let row = cards.filter { isTile($0, frame) }
    func start(_ id: CardID) -> Int { page.frames[id]?.minColumn ?? 0 }
    return direction == .left
      ? row.filter { start($0) < frame.minColumn }.max { start($0) < start($1) }
      : row.filter { start($0) > frame.minColumn }.min { start($0) < start($1) }
  }

  /// How far a card is, first in rows, then in columns.
  private func distances(of id: CardID, from frame: Rect) -> (Int, Int) {
    guard let other = page.frames[id] else { return (.max, .max) }
    let middle = other.minColumn + other.maxColumn
    return (distance(of: id, from: frame), abs(middle - frame.minColumn - frame.maxColumn))
  }

  private func distance(of id: CardID, from frame: Rect) -> Int {
    guard let other = page.frames[id] else { return .max }
    return abs((other.minRow + other.maxRow) - (frame.minRow + frame.maxRow))
  }
}
