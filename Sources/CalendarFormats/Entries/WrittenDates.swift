import WidgetKitCore

/// Dates as programs write them, in the form of RFC 5545: `20260616T1000Z`, `20260616T240000`, 2026-06-16T10:00+02:00.
enum WrittenDates {
  /// Returns a line of dates with each of them in the usual form; empty items of a list are left out, and what is no
  /// such date stays as it is.
  static func usual(_ line: ContentLine) -> ContentLine {
    guard let start = start(of: line) else { return line }
    let isDay = PropertyReader.parameter("VALUE", of: line) == "DATE"
    let value = String(decoding: line.bytes[start...], as: UTF8.self)
    let items = value.split(separator: ",").map { usual($0.filter { !$0.isWhitespace }, isDay) }
      .filter { !$0.isEmpty }
    guard !items.isEmpty else { return line }
    let text = items.joined(separator: ",")
    guard text != value else { return line }
    var line = line
    line.bytes = Array(line.bytes[..<start]) + Array(text.utf8)
    return line
  }

  /// The usual form of one date; another text stays as it is.
  static func usual(_ written: some StringProtocol) -> String {
    date(String(written), isDay: false)
  }

  /// Where the value begins: behind the last colon but those of a time.
  private static func start(of line: ContentLine) -> Int? {
    guard let first = line.colon else { return nil }
    let bytes = line.bytes
    func isDigit(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (0x30...0x39).contains(bytes[index])
    }
    let isTime = { (index: Int) in
      guard index > first, (1...2).allSatisfy({ isDigit(index - $0) && isDigit(index + $0) }),
        bytes.indices.contains(index - 3)
      else { return false }
      switch bytes[index - 3] {
      case UInt8(ascii: "T"), UInt8(ascii: ":"), 0x20: return true
      // The difference to UTC is the end of an item; a name such as Etc/GMT-05 is followed by a whole date.
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        return index + 3 == bytes.count || bytes[index + 3] == UInt8(ascii: ",")
      default: return false
      }
    }
    let last = bytes.lastIndex { $0 == UInt8(ascii: ":") }
    var place = last
    while let index = place, index > first, isTime(index) {
      place = bytes[..<index].lastIndex { $0 == UInt8(ascii: ":") }
    }
    return place.map { $0 + 1 }
  }

  private static func usual(_ written: String, _ isDay: Bool) -> String {
    // A period has two dates, or a date and a length.
    let parts = written.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 1 {
      return parts.map { date(String($0), isDay: false) }.joined(separator: "/")
    }
    return date(written, isDay: isDay)
  }

  /// The form of 2026-06-16T10:00:00.000Z.
  ///
  /// It is made once, as that takes longer than reading a hundred dates, and never changed.
  private nonisolated(unsafe) static let form =
    /^(\d{4})-(\d{2})-(\d{2})(?:T?(\d{2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/

  private static func date(_ written: String, isDay: Bool) -> String {
    var text = written.uppercased()
    if text.utf8.contains(UInt8(ascii: "-")), let found = unsafe text.wholeMatch(of: form)?.output {
      text = "\(found.1)\(found.2)\(found.3)"
      if let hour = found.4, let minute = found.5 {
        text += "T\(hour)\(minute)\(found.6 ?? "00")\(found.7 ?? "")"
      }
    }
    let scalars = Array(text.utf8)
    guard scalars.count > 9, scalars[8] == UInt8(ascii: "T"),
      scalars[..<8].allSatisfy({ (0x30...0x39).contains($0) })
    else { return text }
    if isDay { return String(text.prefix(8)) }
    let written = text.dropFirst(9)
    let digits = written.prefix { $0.isASCII && $0.isNumber }
    let time = digits.utf8.count == 4 ? digits + "00" : digits
    let zone = written.dropFirst(digits.count)
    guard let difference = difference(zone), time.utf8.count == 6 else { return text }
    let end = zone.isEmpty ? "" : "Z"
    guard time == "240000" || difference != 0 else { return "\(text.prefix(8))T\(time)\(end)" }
    return moved(text.prefix(8), time, by: -difference).map { $0 + end } ?? text
  }

  /// The seconds east of UTC in `Z`, `+0200` and `+02:00`, 0 in nothing; nil for another text.
  private static func difference(_ text: Substring) -> Int? {
    guard let sign = text.first, sign != "Z" || text.utf8.count > 1 else { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard sign == "+" || sign == "-", digits.utf8.count == 4, let number = Int(digits),
      number / 100 <= 24, number % 100 < 60
    else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  /// The time `seconds` later, without a zone; nil for no time.
  ///
  /// The end of a day is the beginning of the next one.
  private static func moved(_ day: Substring, _ time: Substring, by seconds: Int) -> String? {
    guard let day = Int(day), let time = Int(time),
      let date = CivilDate(day / 10_000, day / 100 % 100, day % 100),
      time <= 240_000, time / 100 % 100 < 60, time % 100 <= 60
    else { return nil }
    let second = time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100 + seconds
    let days = second >= 0 ? second / 86_400 : (second + 1) / 86_400 - 1
    let moved = date.adding(days: days)
    let rest = second - days * 86_400
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    let clock = rest / 3600 * 10_000 + rest / 60 % 60 * 100 + rest % 60
    return padded(moved.year * 10_000 + moved.month * 100 + moved.day, 8) + "T" + padded(clock, 6)
  }
}
