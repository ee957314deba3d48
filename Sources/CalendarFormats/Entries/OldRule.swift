/// A recurrence rule of vCalendar 1.0, such as `W2 MO WE #10` or `MP1 1+ MO 1- FR #0`, in the form of RFC 5545.
///
/// The count is that of intervals, and 0 stands for a series without an end. One that says neither a
/// count nor a date is taken for such a series, as the programs that wrote it did.
struct OldRule: Hashable, Sendable {
  /// The rule in the form of RFC 5545.
  private(set) var text = ""

  /// The values that occur in each interval.
  private var values: [String] = []
  private var hours: [Int] = []
  private var minutes: Set<Int> = []
  /// The value with which the last interval ends, marked with `$`; nil for the last one.
  private var lastValue: Int?

  /// Whether a rule is written in this form.
  static func isOld(_ text: String) -> Bool {
    let text = text.trimmed.uppercased()
    guard !text.contains("=") else { return false }
    let letters = text.prefix { $0.isLetter }
    return ["D", "W", "MP", "MD", "YM", "YD", "M"].contains(String(letters))
      && text.dropFirst(letters.count).first?.isASCIIDigit ?? false
  }

  /// Reads a rule, of which a part that has no equal in the other form is refused.
  init(_ text: String) throws(RecurrenceRule.Refusal) {
    let refusal = RecurrenceRule.Refusal(part: String(text.trimmed.prefix(40)))
    var words = text.uppercased().split { $0.isWhitespace }.map(String.init)
    let first = words.isEmpty ? "" : words.removeFirst()
    let kind = String(first.prefix { $0.isLetter })
    guard let interval = Self.number(first.dropFirst(kind.count), 1...32_767) else {
      throw refusal
    }
    var end: String?
    if let last = words.last, last.hasPrefix("#") || last.utf8.count >= 8 {
      end = words.removeLast()
    }
    for word in words where !takeTime(word) { values.append(word) }
    guard let part = Self.part(kind, values: &values, lastValue: &lastValue) else { throw refusal }
    var parts = ["FREQ=\(part.frequency)", "INTERVAL=\(interval)"]
    if !values.isEmpty { parts.append("\(part.name)=\(values.joined(separator: ","))") }
    if !hours.isEmpty {
      // Times of day are hours with the same minutes in the other form.
      guard minutes.count == 1, let minute = minutes.first else {
        throw refusal
      }
      parts.append("BYHOUR=\(hours.map(String.init).joined(separator: ","))")
      parts.append("BYMINUTE=\(minute)")
    }
    if let end {
      guard let limit = limit(end) else { throw refusal }
      parts += limit
    }
    self.text = parts.joined(separator: ";")
  }

  /// `#10`, or the last date; nil for neither.
  private func limit(_ word: String) -> [String]? {
    guard word.hasPrefix("#") else { return ["UNTIL=\(word)"] }
    guard let count = Self.number(word.dropFirst(), 0...1_000_000_000) else {
      return nil
    }
    guard count > 0 else { return [] }
    let size = max(1, values.count) * max(1, hours.count)
    let missing = lastValue.map { max(1, values.count) - 1 - $0 } ?? 0
    return ["COUNT=\(min(count * size - missing * max(1, hours.count), 2_000_000_000))"]
  }

  /// A time of day such as `0900`.
  private mutating func takeTime(_ word: String) -> Bool {
    let digits = word.hasSuffix("$") ? word.dropLast() : word[...]
    guard digits.utf8.count == 4, let time = Self.number(digits, 0...2359), time % 100 < 60 else {
      return false
    }
    if !hours.contains(time / 100) { hours.append(time / 100) }
    minutes.insert(time % 100)
    return true
  }

  /// The frequency, the name of its list, and its values in the form of RFC 5545; nil for what has no equal.
  private static func part(
    _ kind: String,
    values: inout [String],
    lastValue: inout Int?
  ) -> (frequency: String, name: String)? {
    let words = values
    values = []
    var positions: [String] = []
    var isListed = true
    for word in words {
      let isLast = word.hasSuffix("$")
      let plain = isLast ? String(word.dropLast()) : word
      switch kind {
      case "W":
        guard Weekday(rawValue: plain) != nil else { return nil }
        values.append(plain)
      case "MP":
        if let position = signed(plain, 1...5) {
          if isListed { positions = [] }
          isListed = false
          positions.append(position)
        } else {
          guard Weekday(rawValue: plain) != nil, !positions.isEmpty else { return nil }
          isListed = true
          values += positions.map { $0 + plain }
        }
      case "MD":
        guard let day = plain == "LD" ? "-1" : signed(plain, 1...31) else { return nil }
        values.append(day)
      case "YM":
        guard let month = number(plain[...], 1...12) else { return nil }
        values.append("\(month)")
      case "YD":
        guard let day = number(plain[...], 1...366) else { return nil }
        values.append("\(day)")
      default: return nil
      }
      if isLast { lastValue = values.count - 1 }
    }
    switch kind {
    case "D": return ("DAILY", "")
    case "W": return ("WEEKLY", "BYDAY")
    // The position without a list is that of the first occurrence, which the rule does not know.
    case "MP" where !values.isEmpty && isListed: return ("MONTHLY", "BYDAY")
    case "MD": return ("MONTHLY", "BYMONTHDAY")
    case "YM": return ("YEARLY", "BYMONTH")
    case "YD": return ("YEARLY", values.isEmpty ? "" : "BYYEARDAY")
    default: return nil
    }
  }

  /// `2`, `2+` and `2-`, the last one from the end.
  private static func signed(_ word: String, _ range: ClosedRange<Int>) -> String? {
    let isSigned = word.hasSuffix("+") || word.hasSuffix("-")
    guard let number = number(isSigned ? word.dropLast() : word[...], range) else { return nil }
    return word.hasSuffix("-") ? "-\(number)" : "\(number)"
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.allSatisfy(\.isASCIIDigit), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }
}

extension Character {
  /// Whether it is one of the digits 0 to 9.
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
