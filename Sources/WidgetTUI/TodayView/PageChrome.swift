import WidgetKitCore

/// The lines for which a screen has room: cards first, then borders, the header, and the keys.
nonisolated struct PageChrome: Hashable, Sendable {
  let showsHeader: Bool
  let showsFooter: Bool
  let showsBorders: Bool
  /// The part for the cards.
  let viewport: Rect

  /// Whether a page of this width has room for borders.
  static func showsBorders(columns: Int) -> Bool { columns >= 16 }

  /// Decides for a screen of `size`.
  init(size: Size) {
    showsHeader = size.rows >= 6
    showsFooter = size.rows >= 10
    showsBorders = Self.showsBorders(columns: size.columns) && size.rows >= 4
    viewport = Rect(
      column: 0,
      row: showsHeader ? 1 : 0,
      columns: max(0, size.columns),
      rows: max(0, size.rows - (showsHeader ? 1 : 0) - (showsFooter ? 1 : 0))
    )
  }
}
