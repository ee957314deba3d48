import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// What lies on a card's upper border: its name, and what there is to say about its content.
nonisolated struct CardHeading: Hashable, Sendable {
  /// Words of one look.
  struct Part: Hashable, Sendable {
    var line: TextLine
    var style: CellStyle
  }

  /// The name, as much of it as there is room for.
  let name: TextLine
  /// State and age, from left to right; empty if there is no room.
  let parts: [Part]
  /// Columns of all parts together.
  let partsWidth: Int

  /// Composes the heading of `card` for a border with `columns` cells between its corners.
  ///
  /// What is wrong, how old the content is and that an update is under way are said even where the
  /// name has to be cut for it; what a press does, and that there is more, only beside the name.
  init(_ card: Card, columns: Int, now: Date, glyphs: GlyphSet) {
    let full = TextLine(card.name)
    let parts = HeadingWords(card, now: now, glyphs: glyphs)
      .fitting(columns - Self.padding, besideName: full.width)
    let width = parts.reduce(0) { $0 + $1.line.width }
    name = full.truncated(
      to: parts.isEmpty ? max(0, columns - 2) : max(0, columns - Self.padding - width),
      glyphSet: glyphs
    )
    self.parts = parts
    partsWidth = width
  }

  /// A blank on both sides of the name and of the parts, and a piece of border between them.
  private static let padding = 5
}

nonisolated extension Card {
  /// Whether there is more to say of it than its age.
  var isInTrouble: Bool {
    message != nil || isStale || state == .failed || state == .stopped
  }

  /// Whether the content is older than it should be.
  var isOverdue: Bool { hasMissedUpdate || isInTrouble }

  /// Whether its age is counted in seconds below a minute.
  var countsSeconds: Bool { isUpdating || isOverdue }
}
