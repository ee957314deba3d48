import WidgetKitCore

/// Where the cursor of the terminal stands: where text is typed, for input methods and for readers of the screen.
///
/// It is hidden, as pictures have a cursor of their own.
nonisolated struct TypingCursor: Hashable, Sendable {
  /// The cell in which it stands; nil if no text is typed, and it is left where it is.
  private(set) var place: Position?

  /// Looks for it on a picture; of several places, such as those of a field and of the search below it, the last counts.
  ///
  /// - Parameters:
  ///   - canvas: The picture.
  ///   - segments: The cells of it that differ from the picture before.
  mutating func follow(_ canvas: Canvas, drawn segments: [CanvasDiff.Segment]) {
    let drawn = segments.last(where: { $0.cells.contains(where: \.hasCursor) }).flatMap(Self.place)
    let kept = place.flatMap { Self.hasCursor($0, canvas) ? $0 : nil }
    place = [drawn, kept].compactMap(\.self).max { ($0.row, $0.column) < ($1.row, $1.column) }
  }

  private static func place(in segment: CanvasDiff.Segment) -> Position? {
    segment.cells.lastIndex(where: \.hasCursor).map { index in
      Position(
        column: segment.position.column + index - segment.cells.startIndex,
        row: segment.position.row
      )
    }
  }

  private static func hasCursor(_ place: Position, _ canvas: Canvas) -> Bool {
    let isInside = place.row < canvas.size.rows && place.column < canvas.size.columns
    return isInside && canvas.row(place.row)[place.column].hasCursor
  }
}

nonisolated extension Cell {
  fileprivate var hasCursor: Bool { style.attributes.contains(.cursor) }
}
