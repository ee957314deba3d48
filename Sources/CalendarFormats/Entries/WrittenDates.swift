import WidgetKitCore

/// Dates as programs write them, in the form of RFC 5545: `20260616T1000Z`, `20260616T240000`, 2026-06-16T10:00.
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
    /^(\d{4})-(\d{2})-(\d{2})(?:T?(\d{2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?(Z|[+-]00:?00)?)?$/

  private static func date(_ written: String, isDay: Bool) -> String {
    var text = written.uppercased()
    if text.utf8.contains(UInt8(ascii: "-")), let found = unsafe text.wholeMatch(of: form)?.output {
      text = "\(found.1)\(found.2)\(found.3)"
      if let hour = found.4, let minute = found.5 {
        text += "T\(hour)\(minute)\(found.6 ?? "00")\(found.7 == nil ? "" : "Z")"
      }
    }
    let scalars = Array(text.utf8)
    guard scalars.count > 9, scalars[8] == UInt8(ascii: "T"),
      scalars[..<8].allSatisfy({ (0x30...0x39).contains($0) })
    else { return text }
    if isDay { return String(text.prefix(8)) }
    let end = scalars.last == UInt8(ascii: "Z") ? "Z" : ""
    var time = String(text.dropFirst(9).dropLast(end.utf8.count))
    guard time.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return text }
    if time.utf8.count == 4 { time += "00" }
    guard time == "240000", let day = Int(text.prefix(8)),
      let date = CivilDate(day / 10_000, day / 100 % 100, day % 100)
    else { return "\(text.prefix(8))T\(time)\(end)" }
    // The end of a day is the beginning of the next one.
    let next = date.adding(days: 1)
    let number = next.year * 10_000 + next.month * 100 + next.day
    let digits = String(number)
    return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits + "T000000\(end)"
  }
}
