import CIcal
import Synchronization

/// Reads the values of lines with libical.
enum PropertyReader {
  /// Parts of libical are not safe to use from several threads.
  private static let lock = Mutex(())

  /// Calls `body` while no other thread uses libical.
  static func withLibrary<Result: Sendable>(_ body: () -> Result) -> Result {
    lock.withLock { _ in
      ci_prepare()
      return body()
    }
  }

  /// Reads the dates of DTSTART, DTEND, RECURRENCE-ID or EXDATE; nil for an error in any of them.
  static func times(_ line: ContentLine) -> [EventTime]? {
    let (line, zone) = withoutZone(WrittenDates.usual(line))
    return unsafe values(of: line) { property -> EventTime? in
      guard let value = unsafe icalproperty_get_value(property) else { return nil }
      return unsafe time(value, zone: zone)
    }
  }

  /// Reads the dates and periods of RDATE; nil for an error in any of them.
  static func periods(_ line: ContentLine) -> [Event.Addition]? {
    guard hasSmallNumbers(line) else { return nil }
    let (line, zone) = withoutZone(WrittenDates.usual(line))
    return unsafe values(of: line) { property -> Event.Addition? in
      guard let value = unsafe icalproperty_get_value(property) else { return nil }
      let kind = unsafe icalvalue_isa(value)
      let entry = unsafe icalvalue_get_datetimeperiod(value)
      let hasTime = unsafe icaltime_is_null_time(entry.time) == 0
      if kind == ICAL_DATETIMEPERIOD_VALUE, hasTime {
        return unsafe EventTime(entry.time, zone: zone).map { Event.Addition(start: $0) }
      }
      guard kind == ICAL_PERIOD_VALUE || kind == ICAL_DATETIMEPERIOD_VALUE else {
        return unsafe time(value, zone: zone).map { Event.Addition(start: $0) }
      }
      let period = unsafe kind == ICAL_PERIOD_VALUE ? icalvalue_get_period(value) : entry.period
      guard let start = unsafe EventTime(period.start, zone: zone) else { return nil }
      if let end = unsafe EventTime(period.end, zone: zone) {
        return Event.Addition(start: start, end: .at(end))
      }
      return EventDuration(unsafe period.duration).map {
        Event.Addition(start: start, end: .after($0))
      }
    }
  }

  /// Reads a text, in which each line break becomes a space; nil if it is empty.
  static func text(_ line: ContentLine) -> String? {
    let text = unescaped(line.value).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// The text without the escapes of RFC 5545 §3.3.11.
  static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      switch (isEscaped, character) {
      case (false, "\\"):
        isEscaped = true
        continue
      case (true, "n"), (true, "N"): result.append("\n")
      default: result.append(character)
      }
      isEscaped = false
    }
    return result
  }

  /// Reads a duration that is not negative.
  static func duration(_ line: ContentLine) -> EventDuration? {
    guard hasSmallNumbers(line) else { return nil }
    var line = line
    let start = line.colon ?? 0
    for place in start..<line.bytes.endIndex where (0x61...0x7A).contains(line.bytes[place]) {
      line.bytes[place] -= 0x20
    }
    return unsafe values(of: line) { property -> EventDuration? in
      guard let value = unsafe icalproperty_get_value(property),
        unsafe icalvalue_isa(value) == ICAL_DURATION_VALUE
      else { return nil }
      return EventDuration(unsafe icalvalue_get_duration(value))
    }?.first
  }

  /// Reads an offset such as `+0100`, also `+01:00` and `+01`, as seconds; libical takes the colon for an end.
  static func offset(_ line: ContentLine) -> Int? {
    let text = line.value.trimmed.filter { $0 != ":" }
    let digits = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    guard [2, 4, 6].contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits + String(repeating: "0", count: 6 - digits.utf8.count))
    else { return nil }
    let seconds = number / 10_000 * 3600 + number / 100 % 100 * 60 + number % 100
    guard number / 100 % 100 < 60, number % 100 < 60, seconds <= 86_400 else { return nil }
    return text.first == "-" ? -seconds : seconds
  }

  /// Whether no number has more than nine digits; libical would take a part of it.
  private static func hasSmallNumbers(_ line: ContentLine) -> Bool {
    var digits = 0
    for byte in line.bytes[(line.colon ?? 0)...] {
      digits = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? digits + 1 : 0
      if digits > 9 { return false }
    }
    return true
  }

  // MARK: - Properties

  /// Reads a line, and returns the result of `read` for each of its values; nil if any of them is
  /// wrong.
  ///
  /// libical reads components, so the line is put into one.
  private static func values<Value: Sendable>(
    of line: ContentLine,
    _ read: (OpaquePointer) -> Value?
  ) -> [Value]? {
    let text = Array("BEGIN:VEVENT\r\n".utf8) + line.bytes + Array("\r\nEND:VEVENT\r\n\0".utf8)
    return withLibrary { () -> [Value]? in
      let component = unsafe text.withUnsafeBytes { bytes in
        unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress.flatMap {
          unsafe icalparser_parse_string($0)
        }
      }
      guard let component = unsafe component else { return nil }
      defer { unsafe icalcomponent_free(component) }
      var values: [Value] = []
      var next = unsafe icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
      while let property = unsafe next {
        if unsafe icalproperty_isa(property) == ICAL_XLICERROR_PROPERTY {
          guard unsafe isParameterError(property) else { return nil }
        } else {
          guard let value = unsafe read(property) else { return nil }
          values.append(value)
        }
        unsafe next = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
      }
      return values.isEmpty ? nil : values
    }
  }

  /// Whether an error is about a parameter, so that the value is there nevertheless.
  private static func isParameterError(_ error: OpaquePointer) -> Bool {
    let kind = unsafe icalproperty_get_first_parameter(error, ICAL_XLICERRORTYPE_PARAMETER)
    guard let kind = unsafe kind else { return false }
    let type = unsafe icalparameter_get_xlicerrortype(kind)
    return type == ICAL_XLICERRORTYPE_PARAMETERNAMEPARSEERROR
      || type == ICAL_XLICERRORTYPE_PARAMETERVALUEPARSEERROR
  }

  /// Takes the zone out of a line of dates.
  ///
  /// Some programs write names with a colon without quotation marks. No date has a colon, so the value is
  /// what follows the last one.
  private static func withoutZone(_ line: ContentLine) -> (line: ContentLine, zone: String?) {
    guard let colon = line.bytes.lastIndex(of: UInt8(ascii: ":")) else { return (line, nil) }
    var isQuoted = false
    let parts = line.bytes[..<colon].split { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ";") && !isQuoted
    }
    var zone: String?
    var kept: [ArraySlice<UInt8>] = []
    for part in parts {
      let text = String(decoding: part, as: UTF8.self)
      if text.prefix(5).uppercased() == "TZID=" {
        zone = zone ?? String(text.dropFirst(5))
      } else {
        kept.append(part)
      }
    }
    guard let zone else { return (line, nil) }
    var line = line
    let value = Array(line.bytes[(colon + 1)...])
    line.bytes = Array(kept.joined(separator: [UInt8(ascii: ";")])) + [UInt8(ascii: ":")] + value
    return (line, zone)
  }

  /// The value of a parameter in capitals, such as that of `RANGE=THISANDFUTURE`; nil without it.
  static func parameter(_ name: String, of line: ContentLine) -> String? {
    let header = line.bytes[..<(line.colon ?? line.bytes.endIndex)]
    let parts = String(decoding: header, as: UTF8.self).uppercased().split(separator: ";")
    return parts.dropFirst().first { $0.hasPrefix(name + "=") }.map {
      $0.dropFirst(name.count + 1).filter { $0 != "\"" }
    }
  }

  private static func time(_ value: OpaquePointer, zone: String?) -> EventTime? {
    switch unsafe icalvalue_isa(value) {
    case ICAL_DATE_VALUE: unsafe EventTime(icalvalue_get_date(value), zone: nil)
    case ICAL_DATETIME_VALUE: unsafe EventTime(icalvalue_get_datetime(value), zone: zone)
    default: nil
    }
  }
}
