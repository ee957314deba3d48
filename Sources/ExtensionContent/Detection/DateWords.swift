/// Reads dates as people and programs write them: “2027-01-31T14:00Z”, “31.01.2027”, “31 Jan 2027 14:00”, “January 31, 2027”.
///
/// A day such as “01/02/2027” is no date here, as it is January to some and February to others.
enum DateWords {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november",
    "december",
  ]

  /// The date that begins with a word.
  ///
  /// - Parameters:
  ///   - word: The first word.
  ///   - rest: The words after it.
  /// - Returns: The date, and the number of words that it has; nil if there is none.
  static func date(
    _ word: Substring,
    _ rest: ArraySlice<Substring>
  ) -> (value: DetectedDate, count: Int)? {
    guard word.utf8.count <= 40 else { return nil }
    if let first = word.first, first == "(" || first == "[" { return date(word.dropFirst(), rest) }
    guard let first = day(word, rest) else { return nil }
    var (date, count) = (first.0, first.1)
    let ownTime = first.2
    if let ownTime {
      date.time = ownTime
    } else if let next = rest.dropFirst(count - 1).first, let time = time(next) {
      date.time = time
      count += 1
      // As git and mail write it: “14:00:05 +0200”.
      if time.zone.isEmpty, let zone = rest.dropFirst(count - 1).first.flatMap(zone) {
        date.time?.zone = zone
        count += 1
      }
    }
    return (date, count)
  }

  private static func day(
    _ word: Substring,
    _ rest: ArraySlice<Substring>
  ) -> (DetectedDate, Int, DetectedDate.Time?)? {
    let plain = trimmed(word)
    if let (date, time) = standardDay(plain) { return (date, 1, time) }
    if let date = numericDay(plain) { return (date, 1, nil) }
    guard rest.count >= 2 else { return nil }
    let (second, third) = (trimmed(rest[rest.startIndex]), trimmed(rest[rest.startIndex + 1]))
    guard let year = year(third) else { return nil }
    if let month = month(second), let day = dayNumber(plain) {
      return DetectedDate(year: year, month: month, day: day).map { ($0, 3, nil) }
    }
    if let month = month(plain), let day = dayNumber(second) {
      return DetectedDate(year: year, month: month, day: day).map { ($0, 3, nil) }
    }
    return nil
  }

  /// “2027-01-31”, with a time behind a T if there is one.
  private static func standardDay(_ word: Substring) -> (DetectedDate, DetectedDate.Time?)? {
    let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == "t"
    }
    let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.map(\.utf8.count) == [4, 2, 2],
      let date = date(numbers[0], numbers[1], numbers[2])
    else { return nil }
    guard parts.count == 2 else { return (date, nil) }
    return time(parts[1]).map { (date, $0) }
  }

  /// “31.01.2027”.
  private static func numericDay(_ word: Substring) -> DetectedDate? {
    let numbers = word.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers[2].utf8.count == 4 else { return nil }
    return date(numbers[2], numbers[1], numbers[0])
  }

  private static func date(_ year: Substring, _ month: Substring, _ day: Substring) -> DetectedDate?
  {
    guard let year = number(year), let month = number(month), let day = number(day) else {
      return nil
    }
    return DetectedDate(year: year, month: month, day: day)
  }

  /// “14:00”, “14:00:05.123Z” or “14:00+02:00”.
  private static func time(_ word: Substring) -> DetectedDate.Time? {
    let word = trimmed(word)
    let clock = word.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[1].utf8.count == 2, let hour = number(parts[0]),
      let minute = number(parts[1]),
      hour < 24, minute < 60
    else { return nil }
    let rest = word[clock.endIndex...]
    guard !rest.isEmpty else { return DetectedDate.Time(hour: hour, minute: minute) }
    return zone(rest).map { DetectedDate.Time(hour: hour, minute: minute, zone: $0) }
  }

  /// “Z”, “+0200” or “+02:00”.
  private static func zone(_ word: Substring) -> String? {
    let word = trimmed(word)
    if word == "Z" || word == "z" { return "Z" }
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, let value = number(Substring(digits)), value / 100 < 24,
      value % 100 < 60
    else { return nil }
    return "\(sign)\(digits.prefix(2)):\(digits.suffix(2))"
  }

  private static func month(_ word: Substring) -> Int? {
    let name = word.lowercased()
    guard name.utf8.count >= 3 else { return nil }
    return months.firstIndex {
      $0 == name || name.utf8.count == 3 && $0.hasPrefix(name)
        || name == "sept" && $0 == "september"
    }
    .map { $0 + 1 }
  }

  /// “31”, “31.” or “31st”.
  private static func dayNumber(_ word: Substring) -> Int? {
    let digits = word.prefix(while: \.isNumber)
    guard ["", "st", "nd", "rd", "th"].contains(word[digits.endIndex...]) else { return nil }
    return number(digits)
  }

  private static func year(_ word: Substring) -> Int? {
    word.utf8.count == 4 ? number(word) : nil
  }

  private static func number(_ digits: Substring) -> Int? {
    let isNumber =
      (1...4).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isNumber ? Int(digits) : nil
  }

  private static func trimmed(_ word: Substring) -> Substring {
    var word = word
    while let last = word.last, ".,;:)]".contains(last) { word.removeLast() }
    return word
  }
}
