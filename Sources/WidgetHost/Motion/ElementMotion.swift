import WidgetKitCore

/// Where each element of a body on its way is at one moment; drawing and hit testing both ask here.
nonisolated struct ElementMotion {
  let from: LaidOutView
  let to: LaidOutView
  /// The elements that pass in front of the others.
  let movers: [Int]
  private let size: Size
  private let progress: Double
  private let newIDs: [String: Int]
  private let oldIDs: [String: Int]
  /// How far each element is from its end; nil for what comes.
  private let moves: [Position?]
  private let parents: Set<Int>

  /// Nil for a body at rest.
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

  /// The element of the view that comes that is called `id`.
  func element(named id: String?) -> Int? { id.flatMap { newIDs[$0] } }

  /// Whether an element passes in front of the others.
  func isMover(_ element: Int?) -> Bool {
    guard let element, moves.indices.contains(element), let move = moves[element] else {
      return false
    }
    return move != .zero && !parents.contains(element)
  }

  /// Whether an element is still coming.
  func isDim(_ element: Int?) -> Bool {
    guard let element, moves.indices.contains(element), moves[element] == nil else { return false }
    return to.elements[element].transition == .opacity && progress < 0.5
  }

  /// How far an element is from its place at the end.
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

  /// What a mover hides behind it.
  ///
  /// On its way up or down it has its rows to itself: half a line beside it would read as one.
  func blankFrame(of element: Int) -> Rect {
    let move = move(of: element)
    var place = to.elements[element].frame.offset(columns: move.column, rows: move.row)
    if move.row != 0 {
      place.origin.column = 0
      place.size.columns = size.columns
    }
    return place.intersection(Rect(origin: .zero, size: size))
  }

  /// Blanks for ``blankFrame(of:)``.
  func blanks(of element: Int) -> [CellRun] {
    let area = blankFrame(of: element)
    guard !area.size.isEmpty else { return [] }
    let cells = Array(repeating: Cell.blank, count: area.size.columns)
    return (area.minRow..<area.maxRow).map { row in
      CellRun(position: Position(column: area.minColumn, row: row), cells: cells, element: nil)
    }
  }

  /// How far an element on its way to `end` is still away from it.
  private static func shift(from start: Position, to end: Position, _ progress: Double) -> Position
  {
    let rest = 1 - progress
    return Position(
      column: Int((Double(start.column - end.column) * rest).rounded()),
      row: Int((Double(start.row - end.row) * rest).rounded())
    )
  }

  /// The move of the nearest element around `index` that was there before.
  private func moveOfParent(_ index: Int) -> Position {
    var current = to.elements[index].parent
    // Parents come before their children, so the way up ends; anything else is not followed.
    while let parent = current, parent < index, to.elements.indices.contains(parent) {
      if let move = moves[parent] { return move }
      guard let next = to.elements[parent].parent, next < parent else { break }
      current = next
    }
    return .zero
  }

  // MARK: - Leaving elements

  /// How a run of the view that leaves is drawn.
  struct Leaving {
    var move = Position.zero
    var isDim = false
  }

  /// How what `element` had in a row of the view that leaves is drawn; nil where it is not any more.
  ///
  /// Rows that a shrinking card does not have at its end keep what they showed until the border has
  /// passed over them; everything else makes room for what comes.
  func leaving(_ element: Int?, row: Int) -> Leaving? {
    let staysUntilCut = row >= to.size.rows
    guard let element, from.elements.indices.contains(element) else {
      return staysUntilCut ? Leaving() : nil
    }
    let old = from.elements[element]
    if let new = newIDs[old.id] {
      // What goes somewhere else is drawn there.
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

  /// Where a target of the view that leaves is drawn; nil where it is not.
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
