import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import CalendarFormats

/// Random and damaged files, which libical reads.
@Suite(.timeLimit(.minutes(5)))
struct ForeignFileTests {
  private static let sample = """
    BEGIN:VCALENDAR
    BEGIN:VTIMEZONE
    TZID:Town
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
    END:DAYLIGHT
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:1
    SUMMARY;LANGUAGE=en:Walk\\, talk
    DTSTART;TZID=Town:20261101T090000
    DURATION:P1DT2H30M
    RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=2MO,-1FR;BYSETPOS=1,-1;UNTIL=20270101T000000Z;WKST=SU
    RDATE;VALUE=PERIOD:20261120T100000Z/PT1H,20261121T100000Z/20261121T120000Z
    EXDATE;VALUE=DATE:20261109,20261110
    END:VEVENT
    BEGIN:VEVENT
    UID:1
    RECURRENCE-ID;TZID=Town:20261127T090000
    DTSTART;VALUE=DATE:20261128
    DTEND;VALUE=DATE:20261130
    STATUS:CONFIRMED
    END:VEVENT
    END:VCALENDAR
    """

  private func show(_ bytes: [UInt8]) throws -> Agenda {
    let first = try #require(CivilDate(2026, 11, 20))
    let file = CalendarFile(parsing: bytes)
    return Agenda(of: [file], from: first, through: first.adding(days: 60), in: "Europe/Paris")
  }

  @Test func `the file itself is understood`() throws {
    #expect(CalendarFile(parsing: Self.sample.utf8).trouble == nil)
    #expect(try show(Array(Self.sample.utf8)).occurrences.count == 5)
  }

  @Test func `a file that is cut anywhere is read as far as possible`() throws {
    let bytes = Array(Self.sample.utf8)
    for length in bytes.indices { _ = try show(Array(bytes[..<length])) }
  }

  @Test(arguments: [UInt64(3), 5, 7, 11])
  func `random changes do no harm`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = Array(Self.sample.utf8)
    let words = [
      "SECONDLY", "MINUTELY", "99999999999", "-1", ";", ":", ",", "\"", "\n", "\n ", "=", "\0",
      "%s",
      "BEGIN:VEVENT\n", "END:VEVENT\n", "RRULE:", "INTERVAL=32767", "COUNT=2147483647", "\\", "P",
      "/",
      "BYHOUR=0,1,2", "BYMONTHDAY=31", "TZID=", "VALUE=PERIOD", "\u{FF}", "Z", "99991231T235960",
    ].map { Array($0.utf8) }
    for _ in 0..<400 {
      var bytes = original
      for _ in 0..<random.number(1...6) {
        let position = random.number(0...bytes.count - 1)
        switch random.number(0...3) {
        case 0: bytes[position] = UInt8(random.number(0...255))
        case 1: bytes.insert(contentsOf: random.one(of: words), at: position)
        case 2: bytes.removeSubrange(position..<min(bytes.count, position + random.number(1...12)))
        default:
          let word = random.one(of: words)
          let end = min(bytes.count, position + word.count)
          bytes.replaceSubrange(position..<end, with: word)
        }
      }
      _ = try show(bytes)
    }
  }

  @Test func `random bytes in each value do no harm`() throws {
    var random = SeededGenerator(seed: 13)
    let names = [
      "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SUMMARY",
    ]
    let alphabet = Array("0123456789TZP-+,;=:/\"\\ \tFREQDAILYBYMONTHWEKSU".utf8)
    for _ in 0..<3000 {
      let count = random.number(0...60)
      let value = (0..<count).map { _ in
        random.once(in: 8) ? UInt8(random.number(1...255)) : random.one(of: alphabet)
      }
      let bytes =
        Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120T100000\n".utf8)
        + Array(random.one(of: names).utf8) + [UInt8(ascii: ":")] + value
        + Array("\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
      _ = try show(bytes)
    }
  }
}
