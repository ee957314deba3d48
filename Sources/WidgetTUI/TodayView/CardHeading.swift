import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetSessions

/// The heading on the upper border of a card: its name, and the state and age of its content.
nonisolated struct CardHeading: Hashable, Sendable {
  /// Text with one style.
  struct Part: Hashable, Sendable {
    var line: TextLine
    var style: CellStyle
  }

  /// The name, truncated to the available room.
  let name: TextLine
  /// State and age, from left to right; empty if there is no room.
  let parts: [Part]
  /// Columns of all parts together.
  let partsWidth: Int

  /// Composes the heading of `card` for a border with `columns` cells between its corners.
  ///
  /// Problems, the age and an update in progress are shown even if the name has to be truncated;
  /// what a press does, and that there is more, only beside the whole name.
  ///
  /// - Parameters:
  ///   - card: The card.
  ///   - columns: The cells between the corners.
  ///   - now: The present time, for the age.
  ///   - glyphs: The characters of the screen's font.
  ///   - hasFocus: Whether the card has the focus, so that its age is also shown while it is as it should be.
  init(_ card: Card, columns: Int, now: Date, glyphs: GlyphSet, hasFocus: Bool) {
    let full = TextLine(card.name)
    let parts = HeadingWords(card, now: now, glyphs: glyphs, hasFocus: hasFocus)
      .fitting(columns - Self.padding, besideName: full.width)
    let width = parts.reduce(0) { $0 + $1.line.width }
    name = full.truncated(
      to: parts.isEmpty ? max(0, columns - 2) : max(0, columns - Self.padding - width),
      glyphSet: glyphs
    )
    self.parts = parts
    partsWidth = width
  }

  /// A blank on both sides of the name and of the parts, and one cell of border between them.
  private static let padding = 5
}

nonisolated extension Card {
  /// Whether it has a problem to show besides its age.
  var isInTrouble: Bool {
    !asksForPermission
      && (message != nil || isStale || hasFailedUpdate || state == .failed || state == .stopped)
  }

  /// Whether the content is older than it should be.
  var isOverdue: Bool { hasMissedUpdate || isInTrouble }

  /// Whether its age is counted in seconds below a minute.
  var countsSeconds: Bool { isUpdating || isOverdue }
}
