/// The start or end of an event in a calendar file (RFC 5545 §3.3.4 and §3.3.5).
struct EventTime: Hashable, Sendable {
  /// The day, in the zone of the event.
  var date: CivilDate
  /// Seconds since midnight; nil for a whole day.
  var second: Int?
  /// `UTC` or a tz database name; nil for local time.
  var zone: String?

  /// Creates a time.
  init(date: CivilDate, second: Int? = nil, zone: String? = nil) {
    self.date = date
    self.second = second
    self.zone = zone
  }

  /// Reads `20261120`, `20261120T143000` or `20261120T143000Z`; nil for anything else.
  init?(_ text: some StringProtocol, zone: String?) {
    let bytes = Array(text.utf8)
    guard bytes.count == 8 || bytes.count >= 15,
      let year = Self.number(bytes[0..<4]),
      let month = Self.number(bytes[4..<6]),
      let day = Self.number(bytes[6..<8]),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
    guard bytes.count > 8 else { return }
    guard bytes[8] == UInt8(ascii: "T"),
      let hour = Self.number(bytes[9..<11]), hour < 24,
      let minute = Self.number(bytes[11..<13]), minute < 60,
      let second = Self.number(bytes[13..<15]), second < 61,
      bytes.count == 15 || bytes[15...].elementsEqual([UInt8(ascii: "Z")])
    else { return nil }
    self.second = hour * 3600 + minute * 60 + second
    self.zone = bytes.count == 16 ? "UTC" : zone
  }

  /// Reads the value of a line such as `DTSTART;TZID=Europe/Paris:20261120T143000`.
  init?(_ line: ContentLine) {
    self.init(line.value, zone: line.parameters["TZID"])
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.reduce(0) { number, byte in
      guard let number, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      return number * 10 + Int(byte - UInt8(ascii: "0"))
    }
  }
}

/// A length of time such as `P1DT2H30M` or `P2W` (RFC 5545 §3.3.6).
struct EventDuration: Hashable, Sendable {
  /// The length in seconds; a day has 24 hours.
  var seconds: Int

  /// Reads a duration that is not negative; nil for anything else.
  init?(_ text: some StringProtocol) {
    var rest = text[...]
    if rest.first == "+" { rest = rest.dropFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    seconds = 0
    var isTime = false
    while !rest.isEmpty {
      if rest.first == "T" {
        isTime = true
        rest = rest.dropFirst()
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      guard let number = Int(digits), number < 100_000, let unit = rest.popFirst() else {
        return nil
      }
      switch (unit, isTime) {
      case ("W", false): seconds += number * 7 * 86_400
      case ("D", false): seconds += number * 86_400
      case ("H", true): seconds += number * 3600
      case ("M", true): seconds += number * 60
      case ("S", true): seconds += number
      default: return nil
      }
    }
  }
}
