import Foundation
import Testing

@testable import WidgetKitCore

/// Times in the form of crontab(5).
@Suite struct CronScheduleTests {
  /// Central Europe: summer time from the last Sunday of March at 2:00 to that of October at 3:00.
  private static let zone = ZoneTable(
    initialOffset: 3600,
    rule: ZoneRule(parsing: "CET-1CEST,M3.5.0,M10.5.0/3".utf8)
  )

  /// `2026-11-20 12:00` without a zone, in seconds since 1970.
  private static func local(_ text: String) throws -> Int {
    let numbers = text.split(whereSeparator: { "- :".contains($0) }).compactMap { Int($0) }
    let day = try #require(CivilDate(numbers[0], numbers[1], numbers[2]))
    return day.daysSince1970 * 86_400 + numbers[3] * 3600 + numbers[4] * 60
  }

  private static func text(_ moment: Int, in zone: ZoneTable) -> String {
    let time = zone.time(at: moment)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = time.date
    return "\(date.year)-\(two(date.month))-\(two(date.day)) \(two(time.hour)):\(two(time.minute))"
  }

  /// The next time after a time in the zone.
  private func next(_ schedule: String, after time: String) throws -> String {
    let moment = Self.zone.moment(ofLocalSeconds: try Self.local(time))
    let date = Date(timeIntervalSince1970: Double(moment))
    let found = try #require(try CronSchedule(schedule).next(after: date, in: Self.zone))
    return Self.text(Int(found.timeIntervalSince1970), in: Self.zone)
  }

  // 20 November 2026 is a Friday.
  @Test(arguments: [
    ("* * * * *", "2026-11-20 12:00", "2026-11-20 12:01"),
    ("*/15 * * * *", "2026-11-20 12:00", "2026-11-20 12:15"),
    ("*/15 * * * *", "2026-11-20 12:50", "2026-11-20 13:00"),
    ("5/20 * * * *", "2026-11-20 12:26", "2026-11-20 12:45"),
    ("0 9-17 * * mon-fri", "2026-11-20 17:00", "2026-11-23 09:00"),
    ("0 9-17/4 * * *", "2026-11-20 09:00", "2026-11-20 13:00"),
    ("30 8,20 * * *", "2026-11-20 12:00", "2026-11-20 20:30"),
    ("0 0 1 jan *", "2026-11-20 12:00", "2027-01-01 00:00"),
    ("0 0 * FEB,Mar *", "2026-11-20 12:00", "2027-02-01 00:00"),
    ("0 0 * * 0", "2026-11-20 12:00", "2026-11-22 00:00"),
    ("0 0 * * 7", "2026-11-20 12:00", "2026-11-22 00:00"),
    ("0 0 * * sun", "2026-11-20 12:00", "2026-11-22 00:00"),
    ("0 0 * * sat-sun", "2026-11-22 12:00", "2026-11-28 00:00"),
    ("0 0 * * 5-7", "2026-11-21 12:00", "2026-11-22 00:00"),
    // One of two limited days is enough; with a star, both must fit.
    ("0 0 13 * fri", "2026-11-20 12:00", "2026-11-27 00:00"),
    ("0 0 25 * fri", "2026-11-20 12:00", "2026-11-25 00:00"),
    ("0 0 */2 * mon", "2026-11-20 12:00", "2026-11-23 00:00"),
    ("0 0 31 * *", "2026-11-20 12:00", "2026-12-31 00:00"),
    ("0 12 29 2 *", "2026-11-20 12:00", "2028-02-29 12:00"),
    ("0 12 29 2 *", "2096-03-01 12:00", "2104-02-29 12:00"),
    ("0 12 29 2 */7", "2026-11-20 12:00", "2032-02-29 12:00"),
    ("@daily", "2026-11-20 12:00", "2026-11-21 00:00"),
    ("@Hourly", "2026-11-20 12:00", "2026-11-20 13:00"),
    ("0 9 * * * | 30 12 * * *|", "2026-11-20 12:00", "2026-11-20 12:30"),
    ("  0\t9 * * *", "2026-11-20 12:00", "2026-11-21 09:00"),
  ])
  func `the next time is the first minute that fits`(
    schedule: String,
    time: String,
    expected: String
  ) throws {
    #expect(try next(schedule, after: time) == expected)
  }

  @Test func `a time that clocks skip is the same time after the gap`() throws {
    #expect(try next("30 2 * * *", after: "2026-03-28 12:00") == "2026-03-29 03:30")
    #expect(try next("30 2 * * *", after: "2026-03-29 03:30") == "2026-03-30 02:30")
    #expect(try next("*/30 * * * *", after: "2026-03-29 01:30") == "2026-03-29 03:00")
  }

  @Test func `a time that clocks show twice comes twice`() throws {
    let schedule = try CronSchedule("*/30 * * * *")
    // 2026-10-25 01:00 UTC, when it is 3:00 and then 2:00.
    let change = 1_792_890_000
    var date = Date(timeIntervalSince1970: Double(change - 3600))
    for expected in [change - 1800, change, change + 1800, change + 3600] {
      date = try #require(schedule.next(after: date, in: Self.zone))
      #expect(Int(date.timeIntervalSince1970) == expected)
    }
  }

  @Test func `the seconds of the present minute do not matter`() throws {
    let schedule = try CronSchedule("* * * * *")
    for (seconds, expected) in [(59.9, 60.0), (60, 120), (60.1, 120), (119.99, 120)] {
      #expect(
        schedule.next(after: Date(timeIntervalSince1970: seconds), in: .utc)
          == Date(timeIntervalSince1970: expected)
      )
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1e300, 1e300, -1, 1e18])
  func `an odd clock has no next time`(seconds: Double) throws {
    let schedule = try CronSchedule("* * * * *")
    #expect(schedule.next(after: Date(timeIntervalSince1970: seconds), in: .utc) == nil)
  }

  @Test(arguments: [
    "", "|", " ", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
    "* * * 0 *", "* * * 13 *", "* * * * 8", "*/0 * * * *", "*/ * * * *", "*/61 * * * *",
    "5-1 * * * *", "1- * * * *", "-1 * * * *", "1,,2 * * * *", ", * * * *", "a * * * *",
    "* * * foo *", "* * * * monday", "+1 * * * *", "1.5 * * * *", "99999999999999999999 * * * *",
    "0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 30-31 feb *", "@reboot", "? * * * *", "* * L * *",
    "0 0 * * * | nothing", "１ * * * *",
  ])
  func `what is no schedule is an error`(text: String) {
    #expect(throws: CronSchedule.Fault.self) { try CronSchedule(text) }
  }

  @Test func `a day that no month has can be one of two`() throws {
    #expect(try next("0 0 30 2 mon", after: "2026-11-20 12:00") == "2027-02-01 00:00")
  }

  @Test func `a long text is an error, and many lines are`() {
    let line = "* * * * *"
    for text in [
      String(repeating: "1,", count: 2_000) + "1 * * * *",
      Array(repeating: line, count: 17).joined(separator: "|"),
    ] {
      #expect(throws: CronSchedule.Fault.self) { try CronSchedule(text) }
    }
  }
}
