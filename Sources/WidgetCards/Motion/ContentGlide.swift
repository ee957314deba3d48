package import WidgetKitCore
import WidgetPlatform

/// How a content takes the place of another one in the same size: bars and large numbers glide to their new values, and
/// new rows of lists come in from the left.
///
/// What is drawn is a function of both contents and of the time; all other parts are those of the new content at once.
package nonisolated struct ContentGlide: Sendable {
  /// What the figures showed when it began, of those that show something else now.
  private let figures: [ShownFigure.Identity: ShownFigure.Form]
  /// The identifiers of the rows that come in.
  private let rows: Set<String>
  private let start: ContinuousClock.Instant

  /// How long it takes.
  package static let duration: Duration = .milliseconds(200)
  private static let curve = AnimationCurve.easeInOut

  /// Begins it; nil if nothing on the screen would move.
  ///
  /// - Parameters:
  ///   - shown: What is on the screen; in the middle of another glide that is ``view(_:at:)`` of it.
  ///   - view: The new content.
  ///   - bringsRows: Whether new rows come in.
  ///   - now: The present time.
  package init?(
    from shown: LaidOutView,
    to view: LaidOutView,
    bringsRows: Bool,
    at now: ContinuousClock.Instant
  ) {
    guard shown.size == view.size else { return nil }
    let old = Dictionary(
      shown.figures.map { ($0.key, $0.form) },
      uniquingKeysWith: { first, _ in first }
    )
    var figures: [ShownFigure.Identity: ShownFigure.Form] = [:]
    for figure in view.figures {
      // Less than a part of a cell would be pictures of the same.
      if let form = old[figure.key], !form.looksLike(figure.form) { figures[figure.key] = form }
    }
    self.figures = figures
    rows = bringsRows ? Self.newRows(of: view, after: shown) : []
    start = now
    if figures.isEmpty, rows.isEmpty { return nil }
  }

  /// The rows that are only in the new view, of lists of which another row was there before.
  private static func newRows(of view: LaidOutView, after shown: LaidOutView) -> Set<String> {
    let old = shown.rowIDs
    let new = view.rowIDs
    return new.isDisjoint(with: old) ? [] : new.subtracting(old)
  }

  /// Whether the new content is on the screen as it is.
  package func isOver(at now: ContinuousClock.Instant) -> Bool {
    start.duration(to: now) >= Self.duration
  }

  /// The new content as it is drawn at a moment.
  package func view(_ view: LaidOutView, at now: ContinuousClock.Instant) -> LaidOutView {
    let part = Self.curve.value(at: start.duration(to: now).seconds / Self.duration.seconds)
    guard part < 1 else { return view }
    var drawn = figures.isEmpty ? view : view.gliding(from: figures, part: part)
    if !rows.isEmpty { drawn.reveal(rows, part: part) }
    return drawn
  }
}

nonisolated extension LaidOutView {
  /// The identifiers of the rows of its lists.
  package var rowIDs: Set<String> { Set(elements.lazy.filter(\.isRow).map(\.id)) }

  /// Draws only a part of rows, from the left.
  fileprivate mutating func reveal(_ rows: Set<String>, part: Double) {
    /// The first hidden column of each element in one of the rows.
    var limits: [Int: Int] = [:]
    for (index, element) in elements.enumerated() {
      if rows.contains(element.id) {
        let columns = Double(element.frame.size.columns) * part
        limits[index] = element.frame.minColumn + Int(columns.rounded())
      } else if let parent = element.parent, let limit = limits[parent] {
        limits[index] = limit
      }
    }
    for index in runs.indices {
      guard let limit = runs[index].element.flatMap({ limits[$0] }) else { continue }
      runs[index].hide(from: limit)
    }
  }
}

nonisolated extension CellRun {
  /// Leaves cells empty from a column on.
  fileprivate mutating func hide(from column: Int) {
    var first = min(max(0, column - position.column), cells.count)
    // No half of a wide character stays.
    if first < cells.count, first > 0, cells[first].glyph == .continuation { first -= 1 }
    for index in first..<cells.count {
      cells[index] = Cell(
        glyph: .space,
        style: CellStyle(background: cells[index].style.background)
      )
    }
  }
}
