/// A control sequence in the output of a program.
enum ControlSequence {
  /// How many scalar values the sequence at the beginning of a text has.
  static func length(_ text: Substring.UnicodeScalarView) -> Int {
    guard text.first == "\u{1B}" else { return 1 + parameters(text.dropFirst()) }
    let rest = text.dropFirst()
    guard let kind = rest.first else { return 1 }
    switch kind {
    case "[": return 2 + parameters(rest.dropFirst())
    case "]", "P", "X", "^", "_": return 2 + string(rest.dropFirst())
    case "\u{20}"..."\u{2F}":
      let middle = rest.prefix { (0x20...0x2F).contains($0.value) }.count
      return 1 + middle + (isEnd(rest.dropFirst(middle).first, from: 0x30) ? 1 : 0)
    case "\u{30}"..."\u{7E}": return 2
    default: return 1
    }
  }

  /// Whether a sequence changes colours and styles.
  static func isStyle(_ sequence: Substring.UnicodeScalarView) -> Bool {
    let isControl = sequence.first == "\u{9B}" || sequence.dropFirst().first == "["
    return isControl && sequence.last == "m"
  }

  /// The text without its sequences, but for those that change colours and styles.
  static func removed(from text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var rest = text.unicodeScalars[...]
    var plain = String.UnicodeScalarView()
    while let escape = rest.firstIndex(of: "\u{1B}") {
      plain += rest[..<escape]
      rest = rest[escape...]
      let length = length(rest)
      if isStyle(rest.prefix(length)) { plain += rest.prefix(length) }
      rest = rest.dropFirst(length)
    }
    return String(plain + rest)
  }

  private static func isEnd(_ scalar: Unicode.Scalar?, from first: UInt32) -> Bool {
    scalar.map { (first...0x7E).contains($0.value) } ?? false
  }

  /// The length of what follows `ESC [`.
  private static func parameters(_ text: Substring.UnicodeScalarView) -> Int {
    let count = text.prefix { (0x20...0x3F).contains($0.value) }.count
    return count + (isEnd(text.dropFirst(count).first, from: 0x40) ? 1 : 0)
  }

  /// The length of a string such as a link with its end; 0 if that is missing.
  private static func string(_ text: Substring.UnicodeScalarView) -> Int {
    var count = 0
    var isEscaped = false
    for scalar in text {
      count += 1
      if isEscaped { return scalar == "\\" ? count : count - 2 }
      if scalar.value == 0x07 || scalar.value == 0x9C { return count }
      isEscaped = scalar == "\u{1B}"
    }
    return 0
  }
}
