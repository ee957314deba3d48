/// The content of one or two cells of a terminal: a base character with its marks.
///
/// Glyphs are made only from ``SafeText``, so a glyph is never a control character, and never a
/// sequence whose width differs between terminals: an emoji joined with ZWJ is reduced to its first
/// one.
///
/// Five characters of 21 bits, and the width above them, are stored in two words: a screen of glyphs is
/// copied and compared as plain memory.
public struct Glyph: Hashable, Sendable {
  /// An empty cell.
  public static let space = Glyph(" ", width: 1)
  /// The second cell of the wide glyph on its left.
  public static let continuation = Glyph(low: 0, high: 0)

  /// The base, the first and the second mark, from the lowest bits on.
  private var low: UInt64
  /// The third and the fourth mark, and the width.
  private var high: UInt64

  private static let bitsPerScalar: UInt64 = 21
  private static let scalarMask: UInt64 = 1 << 21 - 1
  private static let widthShift: UInt64 = 42

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates a glyph without marks.
  init(_ base: Unicode.Scalar, width: Int) {
    low = UInt64(base.value)
    high = UInt64(truncatingIfNeeded: width) << Self.widthShift
  }

  /// Creates a cell of a picture, which is not a character.
  ///
  /// Its base is above all characters, so that no text contains such a glyph.
  package init(image cell: ImageCell) {
    let numbers = [
      Self.imageBase + cell.drawing.number, cell.place.row, cell.place.column,
      cell.drawing.size.columns, cell.drawing.size.rows,
    ].map { UInt64(clamping: $0) & Self.scalarMask }
    low = numbers[0] | numbers[1] << Self.bitsPerScalar | numbers[2] << (2 * Self.bitsPerScalar)
    high = numbers[3] | numbers[4] << Self.bitsPerScalar | 1 << Self.widthShift
  }

  /// The first number that is not a character.
  private static let imageBase = 0x110000
  /// The largest number of a picture in a cell.
  package static let largestImageNumber = Int(scalarMask) - imageBase

  /// The cell of a picture; nil for a character.
  package var image: ImageCell? {
    let number = Int(base) - Self.imageBase
    guard number >= 0 else { return nil }
    let part = { (bits: UInt64, place: UInt64) in
      Int(bits >> (place * Self.bitsPerScalar) & Self.scalarMask)
    }
    let size = Size(columns: part(high, 0), rows: part(high, 1))
    let place = Position(column: part(low, 2), row: part(low, 1))
    return ImageCell(ImageDrawing(number: number, size: size), at: place)
  }

  /// The number of cells: 1 or 2, and 0 for ``continuation``.
  public var width: Int { Int(truncatingIfNeeded: high >> Self.widthShift) }

  /// The number of the base character; 0 in a continuation.
  public var base: UInt32 { UInt32(truncatingIfNeeded: low & Self.scalarMask) }

  /// Whether marks lie on the base.
  package var hasMarks: Bool { image == nil && low >> Self.bitsPerScalar != 0 }

  /// Adds the mark at `index`, from 0 to 3; marks are added in this order.
  mutating func add(mark: Unicode.Scalar, index: Int) {
    let place = UInt64(truncatingIfNeeded: index + 1)
    if place < 3 {
      low |= UInt64(mark.value) << (place * Self.bitsPerScalar)
    } else {
      high |= UInt64(mark.value) << ((place - 3) * Self.bitsPerScalar)
    }
  }

  /// The numbers of the characters to print: one base and at most four marks; none in a continuation,
  /// and in a cell of a picture.
  public var codePoints: CodePoints {
    guard base < Self.imageBase else { return CodePoints(low: 0, high: 0) }
    return CodePoints(low: low, high: high & (1 << Self.widthShift - 1))
  }

  /// The numbers of a glyph's characters, one after another.
  public struct CodePoints: Sequence, IteratorProtocol {
    fileprivate var low: UInt64
    fileprivate var high: UInt64

    /// Returns the next number; nil after the last.
    public mutating func next() -> UInt32? {
      let code = UInt32(truncatingIfNeeded: low & Glyph.scalarMask)
      guard code != 0 else { return nil }
      low = low >> Glyph.bitsPerScalar | (high & Glyph.scalarMask) << (2 * Glyph.bitsPerScalar)
      high >>= Glyph.bitsPerScalar
      return code
    }
  }

  /// The characters to print; empty in a continuation.
  public var text: String {
    var text = String.UnicodeScalarView()
    for code in codePoints { Unicode.Scalar(code).map { text.append($0) } }
    return String(text)
  }
}
