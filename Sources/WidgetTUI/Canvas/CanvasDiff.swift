import WidgetKitCore

/// The differences between two canvases.
nonisolated enum CanvasDiff {
  /// Neighbouring cells of one row that differ.
  struct Segment: Hashable, Sendable {
    /// The position of the first cell.
    var position: Position
    /// The new cells; begins and ends with whole glyphs.
    var cells: ArraySlice<Cell>
  }

  /// The segments that differ, from the top left; all rows if `old` is nil or of another size.
  static func segments(from old: Canvas?, to new: Canvas) -> [Segment] {
    guard let old, old.size == new.size else {
      guard new.size.columns > 0 else { return [] }
      return (0..<new.size.rows).map {
        Segment(position: Position(column: 0, row: $0), cells: new.row($0)[...])
      }
    }
    var result: [Segment] = []
    for row in 0..<new.size.rows { add(changesIn: row, from: old, to: new, to: &result) }
    return result
  }

  private static func add(
    changesIn row: Int,
    from old: Canvas,
    to new: Canvas,
    to result: inout [Segment]
  ) {
    let before = old.row(row)
    let after = new.row(row)
    // That is known at once of rows that both share.
    guard before != after else { return }
    var index = after.startIndex
    while index < after.endIndex {
      guard before[index] != after[index] else {
        index += 1
        continue
      }
      var start = index
      if after[start].glyph.width == 0, start > after.startIndex { start -= 1 }
      while index < after.endIndex, before[index] != after[index] { index += 1 }
      if index < after.endIndex, after[index].glyph.width == 0 { index += 1 }
      let column = start - after.startIndex
      result.append(
        Segment(position: Position(column: column, row: row), cells: after[start..<index])
      )
    }
  }
}
