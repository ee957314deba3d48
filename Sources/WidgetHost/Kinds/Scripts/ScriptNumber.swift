import WidgetKitCore

/// Numbers in what scripts print.
nonisolated enum ScriptNumber {
  /// The bytes in which a number is looked for.
  private static let searchedBytes = 1_024

  /// The first number in the text, not counting colours; nil if there is none in the first lines.
  ///
  /// `Load: 0.52, 0.48` is 0.52, `-3 °C` is -3; digits in a word such as `eth0` are none.
  static func first(in output: [UInt8]) -> Double? {
    let start = String(decoding: output.prefix(searchedBytes), as: UTF8.self)
    let text = AnsiContent.rows(of: start).map { $0.spans.map(\.text.string).joined() }
      .joined(separator: "\n")
    return first(in: text)
  }

  /// The first number in a text; nil if there is none.
  static func first(in text: String) -> Double? {
    var digits = ""
    var before: Character = " "
    for character in text + "\n" {
      let isDigit = ("0"..."9") ~= character
      if isDigit || (character == "." && !digits.isEmpty && !digits.contains(".")) {
        if digits.isEmpty {
          // A number in a word, or behind a point, belongs to a name or a version.
          guard !before.isLetter, before != "_", before != "." else {
            before = "a"
            continue
          }
          if before == "-" || before == "−" { digits = "-" }
        }
        digits.append(character)
      } else if let number = Double(digits), number.isFinite {
        return number
      } else {
        digits = ""
      }
      before = character
    }
    return nil
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
