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
  /// The sign before the name; nil if there is none, or no room for it beside the whole name.
  let mark: Part?
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
    let mark = Self.mark(of: card, glyphs)
    // The sign says less than a problem, and more than that there is more.
    let taken = full.width + (card.isInTrouble ? 0 : Self.width(of: mark))
    let parts = HeadingWords(card, now: now, glyphs: glyphs, hasFocus: hasFocus)
      .fitting(columns - Self.padding, besideName: taken)
    let width = parts.reduce(0) { $0 + $1.line.width }
    let room = max(0, parts.isEmpty ? columns - 2 : columns - Self.padding - width)
    name = full.truncated(to: room, glyphSet: glyphs)
    self.mark = full.width + Self.width(of: mark) <= room ? mark : nil
    self.parts = parts
    partsWidth = width
  }

  /// The sign of a card in its colour; fonts of consoles do not have most signs.
  private static func mark(of card: Card, _ glyphs: GlyphSet) -> Part? {
    guard glyphs == .unicode, let glyph = card.mark.glyph else { return nil }
    let line = TextLine(glyph)
    return Part(line: line, style: CellStyle(foreground: card.mark.tint ?? .secondary))
  }

  /// The columns of a sign and of the blank after it.
  private static func width(of mark: Part?) -> Int { mark.map { $0.line.width + 1 } ?? 0 }

  /// A blank on both sides of the name and of the parts, and one cell of border between them.
  private static let padding = 5
}

nonisolated extension Card {
  /// Whether it has a problem to show besides its age.
  var isInTrouble: Bool {
    !asksForPermission
      && (message != nil || isStale || hasFailedUpdate || state == .failed || state == .stopped)
  }

  /// The colour of what is special about it: a problem, or that it is edited; nil if nothing is.
  var stateColor: Color? {
    guard !isConcealed else { return nil }
    if isInTrouble { return state == .stopped ? .red : .orange }
    return isEdited ? .purple : nil
  }

  /// Whether the content is older than it should be.
  var isOverdue: Bool { hasMissedUpdate || isInTrouble }

  /// Whether its age is counted in seconds below a minute.
  var countsSeconds: Bool { isUpdating || isOverdue }
}
