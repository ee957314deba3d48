import WidgetCards
import WidgetKitCore

/// The arrows inside of a card: from element to element, and where there is none, through its rows.
nonisolated extension TodayModel {
  /// Whether one card is on the screen and no other one can be gone to.
  var isCardAlone: Bool {
    guard editing == nil else { return false }
    return place.zoom != nil || content.cards.count { $0.leaving == nil } == 1
  }

  /// Moves the focus inside of the card that has it; false if the move leads out of the card.
  ///
  /// On a page with other cards, only a card of which an element has the focus is moved in. A card that is alone has
  /// all moves up and down: those that lead to no element scroll it.
  mutating func moveInCard(_ direction: FocusDirection) -> Bool {
    guard editing == nil, let focus = place.focus else { return false }
    let isAlone = isCardAlone
    guard isAlone || focus.element != nil else { return false }
    let targets = targets(of: focus.card)
    let current = focus.element.flatMap { $0.index(in: targets) }
    if let next = nextElement(direction, from: current, in: targets), isNear(targets[next]) {
      place.focus?.element = PageFocus.Element(targets[next], at: next)
      revealFocus()
      return true
    }
    guard isAlone else { return leaveUpwards(direction) }
    let before = shownRows
    switch direction {
    case .down: scroll(by: 1)
    case .up: scroll(by: -1)
    // There is no card beside it.
    case .left, .right: return true
    }
    if shownRows == before { _ = leaveUpwards(direction) }
    return true
  }

  /// Puts the focus on the first element of the card that has it; false if there is none.
  mutating func enterCard() -> Bool {
    guard let focus = place.focus, focus.element == nil,
      let first = targets(of: focus.card).first
    else { return false }
    place.focus?.element = PageFocus.Element(first, at: 0)
    revealFocus()
    return true
  }

  /// Above the first element is the card itself.
  private mutating func leaveUpwards(_ direction: FocusDirection) -> Bool {
    guard direction == .up, place.focus?.element != nil else { return false }
    place.focus?.element = nil
    return true
  }

  // MARK: - Which element

  /// The element in a direction; nil if there is none.
  private func nextElement(
    _ direction: FocusDirection,
    from current: Int?,
    in targets: [PressTarget]
  ) -> Int? {
    // From the card itself a way leads down only; after its rows were scrolled, to what is seen.
    guard let current else {
      return direction == .down ? targets.firstIndex(where: isShown) : nil
    }
    guard isShown(targets[current]) else {
      switch direction {
      case .down: return targets.firstIndex(where: isShown)
      case .up: return targets.lastIndex(where: isShown)
      case .left, .right: return nil
      }
    }
    let frame = targets[current].frame
    /// How far away an element is: the nearest row first, and in a row the nearest place.
    func distance(_ index: Int) -> (Int, Int, Int)? {
      let other = targets[index].frame
      let rows = other.minRow - frame.minRow
      let columns = other.minColumn - frame.minColumn
      let gap = max(0, other.minColumn - frame.maxColumn, frame.minColumn - other.maxColumn)
      switch direction {
      case .down: return rows > 0 ? (rows, gap, abs(columns)) : nil
      case .up: return rows < 0 ? (-rows, gap, abs(columns)) : nil
      case .left:
        return columns < 0 && frame.sharesRow(with: other) ? (-columns, abs(rows), 0) : nil
      case .right:
        return columns > 0 && frame.sharesRow(with: other) ? (columns, abs(rows), 0) : nil
      }
    }
    return targets.indices.compactMap { index in distance(index).map { (index, $0) } }
      .min { $0.1 < $1.1 }?.0
  }

  // MARK: - What is on the screen

  /// The rows that are on the screen: of the card that is alone in a zoom, else of the page.
  private var shownRows: Range<Int> {
    if let zoom = place.zoom {
      return zoom.scrollRow..<zoom.scrollRow + max(0, zoomInterior.rows)
    }
    return place.scrollRow..<place.scrollRow + max(0, viewport.size.rows)
  }

  /// The rows of an element of the card with the focus, counted as ``shownRows`` are.
  private func rows(of target: PressTarget) -> Range<Int>? {
    guard let id = place.focus?.card, let card = card(id) else { return nil }
    let top: Int
    if place.zoom != nil {
      top = card.marginInsets.top
    } else {
      guard let frame = page.frames[id] else { return nil }
      top = view(of: card).bodyOrigin(in: frame).row
    }
    let first = top + target.frame.minRow
    return first..<first + max(1, target.frame.size.rows)
  }

  private func isShown(_ target: PressTarget) -> Bool {
    rows(of: target).map { $0.overlaps(shownRows) } ?? false
  }

  /// Whether nothing between an element and what is on the screen would be passed over.
  private func isNear(_ target: PressTarget) -> Bool {
    // A card beside others is entered for its elements, and text between them is not in the way.
    guard isCardAlone, let rows = rows(of: target) else { return true }
    return rows.lowerBound <= shownRows.upperBound && rows.upperBound >= shownRows.lowerBound
  }
}

nonisolated extension Rect {
  /// Whether both have cells in one row.
  fileprivate func sharesRow(with other: Rect) -> Bool {
    minRow < max(other.maxRow, other.minRow + 1) && other.minRow < max(maxRow, minRow + 1)
  }
}
