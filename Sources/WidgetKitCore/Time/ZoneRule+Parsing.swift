extension ZoneRule {
  /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else.
  ///
  /// Without the dates of its daylight saving time, as in `EST5EDT`, those of the United States are
  /// used, as in the C library.
  init?(parsing text: some Sequence<UInt8>) {
    var scanner = Scanner(rest: Array(text)[...])
    guard scanner.skipName(), let standard = scanner.duration(hourLimit: 24) else { return nil }
    standardOffset = -standard
    guard !scanner.isAtEnd else { return }

    guard scanner.skipName() else { return nil }
    var offset = standardOffset + 3600
    if !scanner.isAtEnd, !scanner.isAt(",") {
      guard let daylight = scanner.duration(hourLimit: 24) else { return nil }
      offset = -daylight
    }
    if scanner.isAtEnd { scanner = Scanner(rest: Array(",M3.2.0,M11.1.0".utf8)[...]) }
    guard let begin = scanner.change(), let end = scanner.change(), scanner.isAtEnd else {
      return nil
    }
    daylight = Daylight(offset: offset, begin: begin, end: end)
  }
}

/// The rest of a rule while it is read.
private struct Scanner {
  var rest: ArraySlice<UInt8>

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips the abbreviation of a time: three letters or more, with digits and signs in `<` and `>`.
  mutating func skipName() -> Bool {
    let isQuoted = skip("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }
    rest = rest[name.endIndex...]
    return name.count >= 3 && (!isQuoted || skip(">"))
  }

  /// Reads a number of one to three digits.
  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(4).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  /// Reads `[+-]hh[:mm[:ss]]` as seconds.
  mutating func duration(hourLimit: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(0...hourLimit) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where skip(":") {
      guard let number = number(0...59) else { return nil }
      seconds += number * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads `,date[/time]`; the time is 2:00 by default.
  mutating func change() -> ZoneRule.Change? {
    guard skip(","), let day = day() else { return nil }
    guard skip("/") else { return ZoneRule.Change(day: day, seconds: 7200) }
    return duration(hourLimit: 167).map { ZoneRule.Change(day: day, seconds: $0) }
  }

  /// Reads `Jn`, `n` or `Mm.w.d`.
  private mutating func day() -> ZoneRule.Day? {
    if skip("J") { return number(1...365).map { .numberedWithoutLeapDay($0) } }
    guard skip("M") else { return number(0...365).map { .numbered($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
      let weekday = number(0...6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }
}
