import WidgetKitCore

/// Numbers in what scripts print.
enum ScriptNumber {
  /// The bytes in which a number is looked for.
  private static let searchedBytes = 1_024

  /// The first number in the text, not counting colours; nil if there is none in the first lines.
  ///
  /// `Load: 0.52, 0.48` is 0.52, `-3 °C` is -3, `1,234 open` is 1234; digits in a word such as `eth0` are none.
  static func first(in output: [UInt8]) -> Double? {
    let lines = output.prefix(searchedBytes).split(separator: UInt8(ascii: "\n"))
    let start = lines.map(ScriptText.line).joined(separator: "\n")
    let text = AnsiContent.rows(of: start).map { $0.spans.map(\.text.string).joined() }
      .joined(separator: "\n")
    return first(in: text)
  }

  /// The first number in a text; nil if there is none.
  static func first(in text: String) -> Double? {
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      if isPartOfWord(scalars[index]) {
        index = end(ofWordAt: index, in: scalars)
      } else if let number = WrittenNumber(scalars[index...]) {
        let isBeforeWord =
          scalars.indices.contains(index + number.length)
          && isPartOfWord(scalars[index + number.length])
        // The exponent of `5e3a` is none.
        return number.value.isFinite && !isBeforeWord ? number.value : number.mantissa
      } else {
        index += 1
      }
    }
    return nil
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// Where a word ends, to which numbers belong that are a part of it: `eth0`, `v1.2`, `covid-19`.
  private static func end(ofWordAt start: Int, in scalars: [Unicode.Scalar]) -> Int {
    func isInside(_ index: Int) -> Bool {
      scalars.indices.contains(index)
        && (isPartOfWord(scalars[index]) || "0"..."9" ~= scalars[index])
    }
    var index = start
    while isInside(index) || isInside(index + 1) && [".", "-"].contains(scalars[index]) {
      index += 1
    }
    return index
  }

  /// A number in few characters, with a prefix of the SI: `12.3k`, `0.52`, `7`.
  static func words(_ number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "–" : number > 0 ? "∞" : "−∞" }
    let size = number.magnitude
    let steps: [(Double, String)] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")]
    for (limit, prefix) in steps where size >= limit {
      return decimal(number / (limit == 1e4 ? 1e3 : limit)) + prefix
    }
    return decimal(number)
  }

  /// A number with three digits that count, and no zeros behind them; a very small one is 0.
  private static func decimal(_ number: Double) -> String {
    let size = number.magnitude
    if size >= 1e6 { return Int64(exactly: number.rounded()).map { "\($0)" } ?? "\(number)" }
    let places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int64((number.magnitude * scale).rounded())
    let unit = Int64(scale)
    var fraction = String(whole % unit + unit).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = number < 0 && whole > 0 ? "-" : ""
    return "\(sign)\(whole / unit)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
