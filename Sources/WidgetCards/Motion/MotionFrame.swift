package import WidgetKitCore

/// One frame of a transition between two views, as runs of cells.
///
/// An element that has the same `id` in both views moves from its old to its new position. Elements
/// that appear are dim or at the side at first, and elements that disappear leave in the same way. Text
/// without an `id` changes at once.
package nonisolated enum MotionFrame {
  /// Returns the runs of `body` at its moment, those in front last.
  package static func runs(of body: CardBody) -> [CellRun] {
    guard let motion = ElementMotion(body) else { return (body.to ?? body.from).runs }
    let leaving = body.from.runs.compactMap { run -> CellRun? in
      guard let look = motion.leaving(run.element, row: run.position.row) else { return nil }
      var left = run.moved(by: look.move)
      if look.isDim { left = left.dimmed }
      // The elements of the other runs belong to the new view.
      left.element = nil
      return left
    }
    var still: [CellRun] = []
    // Moving elements pass in front of still ones, but a container stays behind its contents.
    var moving = motion.movers.flatMap { motion.blanks(of: $0) }
    for run in motion.to.runs {
      let moved = run.moved(by: motion.move(of: run.element))
      if motion.isMover(run.element) {
        moving.append(moved)
      } else {
        still.append(motion.isDim(run.element) ? moved.dimmed : moved)
      }
    }
    return leaving + still + moving
  }

  /// Returns where the cells of `body` at its moment can be pressed, those in front last.
  ///
  /// Each region is where ``runs(of:)`` draws the element, and refers to the element of the new view.
  /// An element that is not in the new view cannot be pressed.
  package static func regions(of body: CardBody) -> [PressRegion] {
    guard let motion = ElementMotion(body) else {
      return (body.to ?? body.from).targets.map { PressRegion(frame: $0.frame, target: $0) }
    }
    let leaving = body.from.targets.compactMap { target -> PressRegion? in
      guard let match = motion.to.targets.match(target),
        let frame = motion.leavingFrame(of: target)
      else { return nil }
      return PressRegion(frame: frame, target: match)
    }
    var still: [PressRegion] = []
    var moving = motion.movers.map {
      PressRegion(frame: motion.blankFrame(of: $0), target: nil, isMoving: true)
    }
    for target in motion.to.targets {
      let element = motion.element(named: target.elementID)
      let move = motion.move(of: element)
      let region = PressRegion(
        frame: target.frame.offset(columns: move.column, rows: move.row),
        target: target,
        isMoving: move != .zero
      )
      if motion.isMover(element) { moving.append(region) } else { still.append(region) }
    }
    return leaving + still + moving
  }

  /// Returns what is on the screen at this moment as a view, which is the start of a transition that
  /// replaces another one.
  package static func frozen(_ body: CardBody) -> LaidOutView {
    guard let motion = ElementMotion(body) else { return body.to ?? body.from }
    var view = motion.to
    view.size = body.size
    view.runs = runs(of: body)
    // They were found by their runs.
    view.figures = []
    view.targets = regions(of: body).compactMap { region in
      var target = region.target
      target?.frame = region.frame
      return target
    }
    for index in view.elements.indices {
      let move = motion.move(of: index)
      view.elements[index].frame = view.elements[index].frame.offset(
        columns: move.column,
        rows: move.row
      )
    }
    return view
  }
}

/// A region of a body that can be pressed while the body is drawn.
package nonisolated struct PressRegion: Hashable, Sendable {
  /// The cells in the body.
  package var frame: Rect
  /// The target of a press, or nil if something without a target covers what lies behind.
  package var target: PressTarget?
  /// Whether the region is moving.
  package var isMoving = false
}

nonisolated extension CellRun {
  /// Returns the run at another position.
  fileprivate func moved(by move: Position) -> CellRun {
    guard move != .zero else { return self }
    var copy = self
    copy.position.column += move.column
    copy.position.row += move.row
    return copy
  }

  /// The run, drawn dim.
  fileprivate var dimmed: CellRun {
    var copy = self
    for index in copy.cells.indices { copy.cells[index].style.attributes.insert(.dim) }
    return copy
  }
}
