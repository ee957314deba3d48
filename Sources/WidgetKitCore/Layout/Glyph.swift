/// What a terminal shows in one cell or two: a base character with the marks that belong to it.
///
/// Made only from ``SafeText``, so a glyph is never a control character, and never a sequence that
/// terminals disagree about in width: of an emoji joined with ZWJ the first one stands for all.
public struct Glyph: Hashable, Sendable {
  /// An empty cell.
  public static let space = Glyph(text: " ", width: 1)
  /// The second cell of the wide glyph on its left.
  public static let continuation = Glyph(text: "", width: 0)

  /// The characters to print: one base and at most four marks of no width; empty in a continuation.
  public let text: String
  /// Cells taken: 1 or 2, and 0 for ``continuation``.
  public let width: Int
}

extension Glyph {
  /// Whether both show the same characters.
  ///
  /// The length is compared first: `String` would normalize two texts that differ, which takes most of the time
  /// of a page full of combining marks, and finds equal ones at once.
  public static func == (left: Glyph, right: Glyph) -> Bool {
    left.width == right.width && left.text.utf8.count == right.text.utf8.count
      && left.text == right.text
  }
}
