/// A number as programs and people write it: `-5`, `.75`, `1,234`, `1.234,56`, `1'234`, `1e-3`.
struct WrittenNumber {
  /// Its value without the exponent.
  private(set) var mantissa: Double
  /// Its value; infinite if it is too large.
  private(set) var value: Double
  /// How many scalar values it has, and how many without the exponent.
  private(set) var length: Int
  private(set) var mantissaLength: Int
  /// Whether it has a comma that can only stand before its fraction: `0,5`.
  private(set) var hasDecimalComma: Bool

  /// Reads the number at the beginning of a text; nil if there is none.
  ///
  /// A single comma before three digits stands between thousands, unless `commaIsDecimal`.
  init?(_ text: ArraySlice<Unicode.Scalar>, commaIsDecimal: Bool = false) {
    var scan = Scan(text: text, index: text.startIndex)
    let isNegative = scan.takeSign()
    guard let mantissa = scan.mantissa(commaIsDecimal: commaIsDecimal) else { return nil }
    let numeral = mantissa.whole + "." + mantissa.fraction + "0"
    guard let magnitude = Double(numeral) else { return nil }
    self.mantissa = isNegative ? -magnitude : magnitude
    mantissaLength = scan.index - text.startIndex
    hasDecimalComma = mantissa.hasDecimalComma
    value = self.mantissa
    if let exponent = scan.exponent(), let scaled = Double(numeral + exponent) {
      value = isNegative ? -scaled : scaled
    }
    length = scan.index - text.startIndex
  }

  /// The digits before and behind the decimal mark.
  private struct Mantissa {
    var whole: String
    var fraction = ""
    var hasDecimalComma = false
  }

  private struct Scan {
    var text: ArraySlice<Unicode.Scalar>
    var index: Int

    /// What can be between thousands, besides a point and a comma.
    private static let spaces: Set<Unicode.Scalar> = [
      "'", "\u{2019}", "\u{A0}", "\u{202F}", "\u{2009}", "_",
    ]

    private func scalar(at index: Int) -> Unicode.Scalar? {
      text.indices.contains(index) ? text[index] : nil
    }

    private func isDigit(at index: Int) -> Bool {
      scalar(at: index).map { "0"..."9" ~= $0 } ?? false
    }

    /// Takes a sign; returns whether it is a minus.
    mutating func takeSign() -> Bool {
      guard let sign = scalar(at: index), ["+", "-", "\u{2212}"].contains(sign) else {
        return false
      }
      index += 1
      return sign != "+"
    }

    private mutating func digits() -> String {
      let start = index
      while isDigit(at: index) { index += 1 }
      return String(String.UnicodeScalarView(text[start..<index]))
    }

    mutating func mantissa(commaIsDecimal: Bool) -> Mantissa? {
      if scalar(at: index) == "." {
        index += 1
        guard isDigit(at: index) else { return nil }
        return Mantissa(whole: "0", fraction: digits())
      }
      guard isDigit(at: index) else { return nil }
      var groups = [digits()]
      var marks: [Unicode.Scalar] = []
      var ends = [index]
      while let mark = scalar(at: index), mark == "." || mark == "," || Self.spaces.contains(mark),
        isDigit(at: index + 1), groups.count < 16
      {
        index += 1
        groups.append(digits())
        marks.append(mark)
        ends.append(index)
      }
      let used = Self.reading(groups, marks, commaIsDecimal: commaIsDecimal)
      index = ends[used.count - 1]
      return used.mantissa
    }

    /// What groups of digits mean, and how many of them belong to the number.
    private static func reading(
      _ groups: [String],
      _ marks: [Unicode.Scalar],
      commaIsDecimal: Bool
    ) -> (count: Int, mantissa: Mantissa) {
      guard let mark = marks.first else { return (1, Mantissa(whole: groups[0])) }
      let run = marks.prefix { $0 == mark }.count
      let isPoint = mark == "."
      let isComma = mark == ","
      let areThousands = areThousands(groups[0...run], isComma: isComma)
      // A mark of the other kind begins a fraction, if nothing else follows.
      let other: Unicode.Scalar? =
        marks.count == run + 1 && (marks[run] == "." || marks[run] == ",") ? marks[run] : nil
      let isSingle = run == 1 && (isPoint || isComma)
      if areThousands, !isSingle || other != nil || isComma && !commaIsDecimal {
        var mantissa = Mantissa(whole: groups[0...run].joined())
        guard let other else { return (run + 1, mantissa) }
        mantissa.fraction = groups[run + 1]
        mantissa.hasDecimalComma = other == ","
        return (run + 2, mantissa)
      }
      // `1.2.3` begins with 1.2, and `1,2,3` with 1.
      guard isPoint || isSingle else { return (1, Mantissa(whole: groups[0])) }
      let fraction = Mantissa(whole: groups[0], fraction: groups[1], hasDecimalComma: isComma)
      return (2, fraction)
    }

    /// Whether groups are of three digits, or as in India of two and at last three.
    private static func areThousands(_ groups: ArraySlice<String>, isComma: Bool) -> Bool {
      guard let first = groups.first, let last = groups.last, first.utf8.count <= 3,
        first.utf8.first != UInt8(ascii: "0"), last.utf8.count == 3
      else { return false }
      let middle = groups.dropFirst().dropLast().map(\.utf8.count)
      return middle.allSatisfy { $0 == 3 } || isComma && middle.allSatisfy { $0 == 2 }
    }

    /// Takes an exponent with its digits.
    mutating func exponent() -> String? {
      let start = index
      guard let mark = scalar(at: index), mark == "e" || mark == "E" else { return nil }
      index += 1
      if scalar(at: index) == "+" || scalar(at: index) == "-" { index += 1 }
      let sign = index
      while isDigit(at: index) { index += 1 }
      guard index > sign else {
        index = start
        return nil
      }
      return String(String.UnicodeScalarView(text[start..<index]))
    }
  }
}
