/// A number in two rows of half blocks.
package struct LargeNumber: Hashable, Sendable {
  /// As it is written: `−21.5`.
  let text: String
  private let style: CellStyle
  /// The columns that it is drawn in, at the end of which it stands.
  let columns: Int

  /// The number at the beginning of a text; nil if it does not begin with one.
  init?(beginning text: String, style: CellStyle) {
    let number = String(text.prefix { LargeDigit($0) != nil })
    // A longer number is for reading, not for looking at.
    guard number.contains(where: \.isWholeNumber), number.count <= Self.limit else { return nil }
    self.init(number, style: style, columns: Self.columns(of: number))
  }

  private init(_ text: String, style: CellStyle, columns: Int) {
    (self.text, self.style, self.columns) = (text, style, columns)
  }

  private static let limit = 12

  private static func columns(of text: String) -> Int {
    text.reduce(-1) { $0 + (LargeDigit($1)?.columns ?? 0) + 1 }
  }

  /// What is drawn, from the upper to the lower row.
  var rows: [[Cell]] {
    let digits = text.compactMap { LargeDigit($0) }
    let blanks = max(0, columns - Self.columns(of: text))
    return (0..<2).map { row in
      let glyphs = digits.enumerated().flatMap { index, digit in
        (index > 0 ? [Glyph.space] : []) + digit.rows[row]
      }
      return Cell.cells(Array(repeating: .space, count: blanks) + glyphs, style)
    }
  }

  /// The number part of the way from another one; nil if that is written in another way, as a time is.
  func between(_ old: LargeNumber, part: Double) -> LargeNumber? {
    guard let start = old.value, var value, start.isWritten(as: value) else { return nil }
    let distance = Double(value.units - start.units) * part
    value.units = start.units + Int(distance.rounded())
    let words = value.text
    // One with more digits than the new one has no room.
    guard Self.columns(of: words) <= columns else { return nil }
    return LargeNumber(words, style: style, columns: columns)
  }

  private var value: Value? { Value(text) }

  /// A number that can be counted to.
  private struct Value {
    /// The number without its separator: 215 for `21.5`.
    var units: Int
    /// The digits behind the separator.
    private let decimals: Int
    private let separator: String
    private let minus: String
    private let plus: String

    /// Nil for what is not one number with at most one separator, and for one with zeros in front.
    init?(_ text: String) {
      let sign = text.prefix { "-−+".contains($0) }
      let parts = text.dropFirst(sign.count).split(
        omittingEmptySubsequences: false,
        whereSeparator: { !$0.isWholeNumber }
      )
      let digits = parts.joined()
      guard sign.count <= 1, 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty }),
        parts[0].count == 1 || parts[0].first != "0", let units = Int(digits)
      else { return nil }
      separator = text.first { $0 == "." || $0 == "," }.map(String.init) ?? ""
      // Behind another one it is the second number, as in a time.
      guard separator.isEmpty == (parts.count == 1) else { return nil }
      self.units = sign.isEmpty || sign == "+" ? units : -units
      decimals = parts.count == 2 ? parts[1].count : 0
      minus = sign == "-" ? "-" : "−"
      plus = sign == "+" ? "+" : ""
    }

    func isWritten(as other: Value) -> Bool {
      decimals == other.decimals && separator == other.separator
    }

    var text: String {
      let digits = String(abs(units))
      let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
      let sign = units < 0 ? minus : units > 0 ? plus : ""
      return sign + padded.dropLast(decimals) + separator + padded.suffix(decimals)
    }
  }
}

/// A digit, or a sign in a number, as two rows of half blocks.
struct LargeDigit {
  /// The glyphs of the upper and of the lower row.
  let rows: [[Glyph]]

  var columns: Int { rows[0].count }

  /// Creates it; nil for a character that has no such form.
  init?(_ character: Character) {
    guard let rows = Self.forms[character] else { return nil }
    self.rows = rows
  }

  private static let forms: [Character: [[Glyph]]] = [
    "0": ("█▀█", "█▄█"), "1": ("▀█ ", "▄█▄"), "2": ("▀▀█", "█▄▄"), "3": ("▀██", "▄▄█"),
    "4": ("█ █", "▀▀█"), "5": ("█▀▀", "▄▄█"), "6": ("█▄▄", "█▄█"), "7": ("▀▀█", "  █"),
    "8": ("███", "█▄█"), "9": ("█▀█", "▀▀█"), ".": (" ", "▄"), ",": (" ", "█"),
    ":": ("▄", "▄"), "-": ("▄▄", "  "), "−": ("▄▄", "  "), "+": ("▄█▄", " ▀ "),
  ].mapValues { [Glyph.glyphs(of: $0.0), Glyph.glyphs(of: $0.1)] }
}
