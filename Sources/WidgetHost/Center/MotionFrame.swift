package import WidgetKitCore

/// One frame of a card's way from one view to another, as runs to draw.
///
/// Elements of the same `id` go from the old place to the new one, what comes is dim or at the side
/// at first, what goes leaves the same way. Text without an `id` changes at once.
package nonisolated enum MotionFrame {
  /// The runs of `body` at its moment, those in front last.
  package static func runs(of body: CardBody) -> [CellRun] {
    guard let to = body.to, body.progress < 1 else { return (body.to ?? body.from).runs }
    let progress = max(0, body.progress)
    let oldIDs = Dictionary(
      body.from.elements.enumerated().map { ($1.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let newIDs = Set(to.elements.map(\.id))

    let leaving = body.from.runs.compactMap { run -> CellRun? in
      guard let index = run.element, body.from.elements.indices.contains(index),
        !newIDs.contains(body.from.elements[index].id)
      else { return nil }
      var left = leave(run, body.from.elements[index], columns: body.size.columns, progress)
      // The other runs' elements are those of the view that comes.
      left?.element = nil
      return left
    }

    let moves = to.elements.map { element -> Position? in
      guard let old = oldIDs[element.id] else { return nil }
      return shift(from: body.from.elements[old].frame.origin, to: element.frame.origin, progress)
    }
    let parents = Set(to.elements.compactMap(\.parent))
    var still: [CellRun] = []
    // What moves passes in front of what stays, but a container stays behind its contents.
    let movers = to.elements.indices.filter { index in
      !parents.contains(index) && moves[index].map { $0 != .zero } ?? false
    }
    let bounds = Rect(origin: .zero, size: body.size)
    var moving = movers.flatMap { index in
      blanks(to.elements[index].frame, moved: moves[index] ?? .zero, in: bounds)
    }
    for run in to.runs {
      guard let index = run.element, to.elements.indices.contains(index) else {
        still.append(run)
        continue
      }
      if let move = moves[index] {
        let moved = run.moved(by: move)
        if move != .zero, !parents.contains(index) {
          moving.append(moved)
        } else {
          still.append(moved)
        }
      } else {
        let move = moveOfParent(index, in: to.elements, moves)
        still.append(enter(run.moved(by: move), to.elements[index], progress))
      }
    }
    return leaving + still + moving
  }

  /// What is on the screen at this moment as a view of its own: where a motion that turns round
  /// begins (C12).
  static func frozen(_ body: CardBody) -> LaidOutView {
    guard let to = body.to, body.progress < 1 else { return body.to ?? body.from }
    var view = to
    view.size = body.size
    view.runs = runs(of: body)
    for index in view.elements.indices {
      let move = offset(ofElement: view.elements[index].id, in: body)
      view.elements[index].frame = view.elements[index].frame.offset(
        columns: move.column,
        rows: move.row
      )
    }
    return view
  }

  /// How far the element called `id` is from its place at the end.
  package static func offset(ofElement id: String?, in body: CardBody) -> Position {
    guard let id, let to = body.to, body.progress < 1,
      let old = body.from.elements.first(where: { $0.id == id }),
      let new = to.elements.first(where: { $0.id == id })
    else { return .zero }
    return shift(from: old.frame.origin, to: new.frame.origin, max(0, body.progress))
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

  /// Blanks that hide what lies behind an element on its way.
  ///
  /// On its way up or down it has its rows to itself: half a line beside it would read as one.
  private static func blanks(_ frame: Rect, moved move: Position, in bounds: Rect) -> [CellRun] {
    var place = frame.offset(columns: move.column, rows: move.row)
    if move.row != 0 {
      place.origin.column = 0
      place.size.columns = bounds.size.columns
    }
    let area = place.intersection(bounds)
    guard !area.size.isEmpty else { return [] }
    let cells = Array(repeating: Cell.blank, count: area.size.columns)
    return (area.minRow..<area.maxRow).map { row in
      CellRun(position: Position(column: area.minColumn, row: row), cells: cells, element: nil)
    }
  }

  /// The move of the nearest element around `index` that was there before.
  private static func moveOfParent(
    _ index: Int,
    in elements: [LaidOutElement],
    _ moves: [Position?]
  ) -> Position {
    var current = elements[index].parent
    // Parents come before their children, so the way up ends; anything else is not followed.
    while let parent = current, parent < index, elements.indices.contains(parent) {
      if let move = moves[parent] { return move }
      guard let next = elements[parent].parent, next < parent else { break }
      current = next
    }
    return .zero
  }

  private static func enter(_ run: CellRun, _ element: LaidOutElement, _ progress: Double)
    -> CellRun
  {
    switch element.transition {
    case .none: run
    case .opacity: progress < 0.5 ? run.dimmed : run
    case .slide:
      run.moved(
        by: Position(
          column: -Int((Double(element.frame.maxColumn) * (1 - progress)).rounded()),
          row: 0
        )
      )
    }
  }

  private static func leave(
    _ run: CellRun,
    _ element: LaidOutElement,
    columns: Int,
    _ progress: Double
  ) -> CellRun? {
    switch element.transition {
    case .none: nil
    case .opacity: progress < 0.5 ? run.dimmed : nil
    case .slide:
      run.moved(
        by: Position(
          column: Int((Double(columns - element.frame.minColumn) * progress).rounded()),
          row: 0
        )
      )
    }
  }
}

nonisolated extension CellRun {
  /// The run at another place.
  fileprivate func moved(by move: Position) -> CellRun {
    guard move != .zero else { return self }
    var copy = self
    copy.position.column += move.column
    copy.position.row += move.row
    return copy
  }

  /// The run with less light.
  fileprivate var dimmed: CellRun {
    var copy = self
    for index in copy.cells.indices { copy.cells[index].style.attributes.insert(.dim) }
    return copy
  }
}
