import WidgetKitCore

/// The positions of the elements of a body in a transition at one moment, for both drawing and hit
/// testing.
nonisolated struct ElementMotion {
  let from: LaidOutView
  let to: LaidOutView
  /// The elements that move in front of the others.
  let movers: [Int]
  private let size: Size
  private let progress: Double
  private let newIDs: [String: Int]
  private let oldIDs: [String: Int]
  /// The distance of each element from its final position; nil for elements that appear.
  private let moves: [Position?]
  private let parents: Set<Int>

  /// Returns nil for a body without a transition.
  init?(_ body: CardBody) {
    guard let to = body.to, body.progress < 1 else { return nil }
    from = body.from
    self.to = to
    size = body.size
    let progress = max(0, body.progress)
    self.progress = progress
    let oldIDs = Dictionary(
      from.elements.enumerated().map { ($1.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.oldIDs = oldIDs
    newIDs = Dictionary(
      to.elements.enumerated().map { ($1.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let old = from.elements
    let moves = to.elements.map { element -> Position? in
      oldIDs[element.id].map {
        Self.shift(from: old[$0].frame.origin, to: element.frame.origin, progress)
      }
    }
    self.moves = moves
    let parents = Set(to.elements.compactMap(\.parent))
    self.parents = parents
    movers = to.elements.indices.filter { index in
      !parents.contains(index) && moves[index].map { $0 != .zero } ?? false
    }
  }

  // MARK: - Arriving and remaining elements

  /// Returns the element of the new view whose identifier is `id`.
  func element(named id: String?) -> Int? { id.flatMap { newIDs[$0] } }

  /// Whether an element moves in front of the others.
  func isMover(_ element: Int?) -> Bool {
    guard let element, moves.indices.contains(element), let move = moves[element] else {
      return false
    }
    return move != .zero && !parents.contains(element)
  }

  /// Whether an element is still appearing.
  func isDim(_ element: Int?) -> Bool {
    guard let element, moves.indices.contains(element), moves[element] == nil else { return false }
    return to.elements[element].transition == .opacity && progress < 0.5
  }

  /// Returns the distance of an element from its final position.
  func move(of element: Int?) -> Position {
    guard let element, moves.indices.contains(element) else { return .zero }
    if let move = moves[element] { return move }
    var move = moveOfParent(element)
    if to.elements[element].transition == .slide {
      let way = Double(to.elements[element].frame.maxColumn) * (1 - progress)
      move.column -= Int(way.rounded())
    }
    return move
  }

  /// Returns the frame that a moving element hides behind it.
  ///
  /// While it moves vertically, nothing is drawn beside it in its rows, because half a line beside it
  /// would read as part of it.
  func blankFrame(of element: Int) -> Rect {
    let move = move(of: element)
    var place = to.elements[element].frame.offset(columns: move.column, rows: move.row)
    if move.row != 0 {
      place.origin.column = 0
      place.size.columns = size.columns
    }
    return place.intersection(Rect(origin: .zero, size: size))
  }

  /// Returns blanks for ``blankFrame(of:)``.
  func blanks(of element: Int) -> [CellRun] {
    let area = blankFrame(of: element)
    guard !area.size.isEmpty else { return [] }
    let cells = Array(repeating: Cell.blank, count: area.size.columns)
    return (area.minRow..<area.maxRow).map { row in
      CellRun(position: Position(column: area.minColumn, row: row), cells: cells, element: nil)
    }
  }

  /// Returns the remaining distance of an element that moves to `end`.
  private static func shift(from start: Position, to end: Position, _ progress: Double) -> Position
  {
    let rest = 1 - progress
    return Position(
      column: Int((Double(start.column - end.column) * rest).rounded()),
      row: Int((Double(start.row - end.row) * rest).rounded())
    )
  }

  /// The movement of the nearest enclosing element of `index` that was in the old view.
  private func moveOfParent(_ index: Int) -> Position {
    var current = to.elements[index].parent
    // Parents precede their children, so the loop ends; other references are not followed.
    while let parent = current, parent < index, to.elements.indices.contains(parent) {
      if let move = moves[parent] { return move }
      guard let next = to.elements[parent].parent, next < parent else { break }
      current = next
    }
    return .zero
  }

  // MARK: - Leaving elements

  /// How a run of the old view is drawn.
  struct Leaving {
    var move = Position.zero
    var isDim = false
  }

  /// Returns how a row of `element` in the old view is drawn, or nil if it is no longer drawn.
  ///
  /// Rows that a shrinking card loses keep their content until the border has passed over them;
  /// everything else makes room for the new view.
  func leaving(_ element: Int?, row: Int) -> Leaving? {
    let staysUntilCut = row >= to.size.rows
    guard let element, from.elements.indices.contains(element) else {
      return staysUntilCut ? Leaving() : nil
    }
    let old = from.elements[element]
    if let new = newIDs[old.id] {
      // An element that moves is drawn at its new position.
      return staysUntilCut && move(of: new) == .zero ? Leaving() : nil
    }
    switch old.transition {
    case .none: return nil
    case .opacity: return staysUntilCut || progress < 0.5 ? Leaving(isDim: true) : nil
    case .slide:
      let way = Double(size.columns - old.frame.minColumn) * progress
      return Leaving(move: Position(column: Int(way.rounded()), row: 0))
    }
  }

  /// Returns where a target of the old view is drawn, or nil if it is not drawn.
  func leavingFrame(of target: PressTarget) -> Rect? {
    let element = target.elementID.flatMap { oldIDs[$0] }
    let rows = (target.frame.minRow..<max(target.frame.minRow, target.frame.maxRow)).filter {
      leaving(element, row: $0) != nil
    }
    guard let first = rows.first, let last = rows.last, let look = leaving(element, row: first)
    else { return nil }
    return Rect(
      column: target.frame.minColumn + look.move.column,
      row: first,
      columns: target.frame.size.columns,
      rows: last - first + 1
    )
  }
}
