package import FoundationEssentials

/// A moment in the text form of RFC 3339, together with its offset in that text.
///
/// For example `2026-11-20T14:32:07+01:00`; a fraction of a second is kept with the precision of a
/// `Double`.
package struct InternetDate: Hashable, Sendable {
  /// The time.
  package var date: Date
  /// Seconds east of Greenwich; nil if the text ends in `Z` or `-00:00`, which according to RFC 9557
  /// means that the local offset is not known.
  var offsetFromGMT: Int?

  /// Seconds from the year 1970 to 2001, in which Foundation's dates begin.
  private static let referenceSeconds = 978_307_200

  /// The first second of the year 0, in seconds from the year 2001.
  static let first = -63_145_526_400.0
  static let last = 252_423_993_599.0

  package init(date: Date, offsetFromGMT: Int?) {
    self.date = date
    self.offsetFromGMT = offsetFromGMT
  }

  /// Reads `text`; nil if it is not a date of RFC 3339.
  package init?(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.digits(4), scanner.take("-"),
      let month = scanner.digits(2), (1...12).contains(month), scanner.take("-"),
      let day = scanner.digits(2), (1...CivilDate.days(inMonth: month, of: year)).contains(day),
      scanner.take("T") || scanner.take("t") || scanner.take(" "),
      let hour = scanner.digits(2), hour < 24, scanner.take(":"),
      let minute = scanner.digits(2), minute < 60, scanner.take(":"),
      let second = scanner.digits(2), second < 61,
      let fraction = scanner.fraction(),
      let offset = scanner.offset(),
      scanner.isAtEnd
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    // A leap second at the end of the last year would be in a year of five digits.
    let local = min(
      days * 86_400 + hour * 3600 + minute * 60 + second,
      Int(Self.last) + Self.referenceSeconds
    )
    let seconds = local - (offset.seconds ?? 0)
    date = Date(
      timeIntervalSinceReferenceDate: Double(seconds - Self.referenceSeconds) + fraction
    )
    offsetFromGMT = offset.seconds
  }

  /// The text that `init(_:)` reads; a date outside the years 0 to 9999 is replaced by the nearest one
  /// inside.
  package var text: String {
    let interval = date.timeIntervalSinceReferenceDate
    let floor = interval.isFinite ? interval.rounded(.down) : 0
    let fraction = interval.isFinite ? interval - floor : 0
    let offset = min(max((offsetFromGMT ?? 0) / 60, -1439), 1439)
    // A date that was read with one offset may be up to a day outside the range in another one.
    let bounded = min(max(floor + Double(offset * 60), Self.first), Self.last)
    let local = Int(bounded) + Self.referenceSeconds
    let moment = CivilTime(secondsSince1970: local)
    let zone =
      offsetFromGMT == nil
      ? "Z" : "\(offset < 0 ? "-" : "+")\(pad(abs(offset) / 60)):\(pad(abs(offset) % 60))"
    return "\(pad(moment.date.year, 4))-\(pad(moment.date.month))-\(pad(moment.date.day))"
      + "T\(pad(moment.hour)):\(pad(moment.minute)):\(pad(moment.second))"
      + Self.decimals(fraction) + zone
  }

  /// Writes a fraction below one with as many decimals as are needed to read the same number.
  private static func decimals(_ fraction: Double) -> String {
    guard fraction > 0 else { return "" }
    let shortest = "\(fraction)"
    guard let mark = shortest.firstIndex(of: "e") else { return "." + shortest.dropFirst(2) }
    let zeros = (Int(shortest[shortest.index(after: mark)...]) ?? -1).magnitude - 1
    let digits = shortest[..<mark].filter { $0 != "." }
    return "." + String(repeating: "0", count: Int(zeros)) + digits
  }
}

/// Writes a number with leading zeros.
func pad(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// A reader of the forms in RFC 3339.
private struct Scanner {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  mutating func digit() -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    defer { index += 1 }
    return Int(bytes[index] - 0x30)
  }

  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads `.25`; if there is no fraction, it is 0.
  mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    let start = index
    while digit() != nil {}
    guard index > start else { return nil }
    let digits = String(decoding: bytes[start..<index], as: UTF8.self)
    // If there are so many nines that they would round to a whole second, the result stays below it.
    return Double("0." + digits).map { min($0, 1.0.nextDown) }
  }

  /// Reads `Z`, `+01:00` or `-00:00`; nil for none of these.
  mutating func offset() -> Offset? {
    if take("Z") || take("z") { return Offset(seconds: nil) }
    let isWest = take("-")
    guard isWest || take("+"), let hours = digits(2), hours < 24, take(":"),
      let minutes = digits(2), minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    if isWest && seconds == 0 { return Offset(seconds: nil) }
    return Offset(seconds: isWest ? -seconds : seconds)
  }
}

/// The offset at the end of a date of RFC 3339.
private struct Offset {
  /// Seconds east of Greenwich; nil if none is known.
  var seconds: Int?
}
