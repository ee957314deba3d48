import Foundation
import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Which zone a name in a file stands for.
struct ZoneNamesTests {
  @Test(arguments: [
    ("Europe/Vienna", "Europe/Vienna"), ("/Europe/Vienna", "Europe/Vienna"),
    ("/freeassociation.sourceforge.net/Europe/Vienna", "Europe/Vienna"),
    ("/freeassociation.sourceforge.net/Tzfile/Europe/Vienna", "Europe/Vienna"),
    ("/citadel.org/20210210_1/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
    ("W. Europe Standard Time", "Europe/Berlin"),
    ("\"w. europe standard time\"", "Europe/Berlin"),
    ("South Africa Standard Time", "Africa/Johannesburg"),
    ("tzone://Microsoft/Utc", "Etc/UTC"), ("UTC+2", "Etc/GMT-2"), ("GMT-05:00", "Etc/GMT+5"),
    ("GMT+0100", "Etc/GMT-1"), ("europe/berlin", "Europe/Berlin"),
    ("America/New York", "America/New_York"), ("AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"),
    ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Amsterdam"),
    ("(GMT+01:00) Amsterdam / Berlin / Bern", "Europe/Amsterdam"),
    ("(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"),
    ("Eastern Time (US & Canada)", "America/New_York"),
    ("Eastern Standard Time 1", "America/New_York"), ("Eastern Time", "America/New_York"),
    ("(GMT-05.00) Eastern Time (US & Canada)", "America/New_York"), ("EDT", "America/New_York"),
    ("US-Eastern", "US/Eastern"), ("PST", "America/Los_Angeles"),
    ("(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "Asia/Kolkata"),
    ("(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi", "Asia/Shanghai"),
    ("(UTC) Dublin, Edinburgh, Lisbon, London", "Europe/Dublin"),
  ])
  func `names with a prefix and names of Windows are found`(name: String, zone: String) {
    var names = ZoneNames()
    let found = names.zone(named: name)
    #expect(found == .named(zone))
  }

  @Test(arguments: [
    "", "/", "Nowhere/Town", "UTC+99", "GMT+1:75", "GMT+", "GMT+1:2:3", "GMT+12345", "UTC+1e",
    "a//b",
    // Two things that do not go together.
    "(UTC+09:00) Berlin", "(Berlin", "()", "(UTC+01:00) ", "berlin",
  ])
  func `other names are none`(name: String) {
    var names = ZoneNames()
    let found = names.zone(named: name)
    #expect(found == nil)
  }

  @Test func `an offset with minutes is a zone of its own`() throws {
    #expect(try entry("DTSTART;TZID=GMT+05:30:20260616T180000").time == "8:30")
    #expect(try entry("DTSTART;TZID=UTC-0330:20260616T110000").time == "10:30")
  }

  private func entry(_ start: String, zones: String = "") throws -> (
    time: String?, trouble: String?
  ) {
    let text = """
      BEGIN:VCALENDAR
      \(zones)BEGIN:VEVENT
      \(start)
      SUMMARY:Hello
      END:VEVENT
      END:VCALENDAR
      """
    let file = CalendarFile(parsing: text.utf8)
    let day = try #require(CivilDate(2026, 6, 16))
    let zone = "America/New_York"
    let agenda = Agenda(of: [file], from: day, through: day, in: zone)
    let local = agenda.occurrences.first?.start.flatMap { LocalTime($0, in: zone) }
    return (local.map { "\($0.hour):\($0.minute)" }, file.trouble)
  }

  @Test func `times in named zones are shown in the local one`() throws {
    for start in [
      "DTSTART;TZID=W. Europe Standard Time:20260616T180000",
      "DTSTART;TZID=/Europe/Vienna:20260616T180000",
      "DTSTART;TZID=\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome\":20260616T180000",
      "DTSTART;VALUE=DATE-TIME;TZID=\"W. Europe Standard Time\":20260616T180000",
    ] {
      let entry = try entry(start)
      #expect(entry.time == "12:0" && entry.trouble == nil, "\(start)")
    }
  }

  @Test func `an unknown zone is named, and its time is local`() throws {
    let entry = try entry("DTSTART;TZID=(UTC-05:00) Nowhere:20260616T180000")
    #expect(entry.time == "18:0")
    #expect(
      entry.trouble
        == "line 3: no time zone is called “(UTC-05:00) Nowhere”; its times are shown as local ones"
    )
  }

  @Test func `EST with summer time in the file has it`() throws {
    let zones = """
      BEGIN:VTIMEZONE
      TZID:EST
      BEGIN:STANDARD
      DTSTART:19671029T020000
      RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
      TZOFFSETFROM:-0400
      TZOFFSETTO:-0500
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:19870405T020000
      RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
      TZOFFSETFROM:-0500
      TZOFFSETTO:-0400
      END:DAYLIGHT
      END:VTIMEZONE

      """
    #expect(try entry("DTSTART;TZID=EST:20260616T190000", zones: zones).time == "19:0")
    #expect(try entry("DTSTART;TZID=EST:20260616T190000").time == "20:0")
  }
}
