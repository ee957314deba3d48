/// How a value is written in a format of Waybar: `>3` in `{:>3}`, as the library fmt has it.
struct WaybarFormat: Hashable {
  /// What is written.
  enum Value {
    case text(String)
    case number(Int)
  }

  private var fill: Character = " "
  /// `<`, `>` or `^`; nil for the side that is usual: texts on the left, numbers on the right.
  private var side: Character?
  private var width = 0
  /// The most characters of a text.
  private var precision: Int?

  /// The widest that is written; a card is not wider.
  private static let widthLimit = 500

  /// Reads `[[fill]side][0][width][.precision][type]`; what is none of it is left out.
  init(_ specification: Substring) {
    var rest = specification
    let sides: Set<Character> = ["<", ">", "^"]
    if let first = rest.first, let second = rest.dropFirst().first, sides.contains(second) {
      (fill, side) = (first, second)
      rest = rest.dropFirst(2)
    } else if let first = rest.first, sides.contains(first) {
      side = first
      rest = rest.dropFirst()
    }
    rest = rest.drop { "+-# ".contains($0) }
    if rest.first == "0", side == nil { (fill, side) = ("0", ">") }
    width = Self.number(&rest) ?? 0
    guard rest.first == "." else { return }
    rest = rest.dropFirst()
    precision = Self.number(&rest)
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : min(Int(digits) ?? widthLimit, widthLimit)
  }

  /// The value with blanks around it, or cut.
  func text(of value: Value) -> String {
    let (text, usualSide): (String, Character) =
      switch value {
      case .text(let text): (precision.map { String(text.prefix($0)) } ?? text, "<")
      case .number(let number): ("\(number)", ">")
      }
    let count = max(0, width - text.count)
    let before =
      switch side ?? usualSide {
      case "<": 0
      case "^": count / 2
      default: count
      }
    return String(repeating: fill, count: before) + text
      + String(repeating: fill, count: count - before)
  }
}
