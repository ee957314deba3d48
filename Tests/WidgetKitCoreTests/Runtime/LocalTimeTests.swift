import FoundationEssentials
import Testing

@testable import WidgetKitCore

struct LocalTimeTests {
  /// 2026-11-20 13:32:07 at Greenwich.
  private let date = Date(timeIntervalSince1970: 1_795_181_527)

  @Test(arguments: [("UTC", 13, 32), ("Asia/Tokyo", 22, 32), ("Asia/Kolkata", 19, 2)])
  func `a date is converted to its zone`(zone: String, hour: Int, minute: Int) throws {
    let time = try #require(LocalTime(date, in: zone))
    #expect(
      time
        == LocalTime(year: 2026, month: 11, day: 20, hour: hour, minute: minute, second: 7)
    )
    #expect(time.date(in: zone) == date)
  }

  @Test func `an earlier moment has its day if that is another one`() {
    func moment(_ before: TimeInterval) -> String {
      LocalTime.moment(date.addingTimeInterval(-before), now: date)
    }
    let time = LocalTime(date)
    #expect(moment(0) == time?.clock)
    #expect(["Thu", "Wed", "Fri"].contains(moment(86_400).prefix(3)))
    #expect(moment(86_400).hasSuffix(" \(time?.clock ?? "")"))
    #expect(moment(10 * 86_400).contains("Nov") && moment(-86_400).contains(":"))
    #expect(LocalTime.moment(Date(timeIntervalSince1970: 1e300), now: date) == "earlier")
  }

  @Test(arguments: ["Mars/Olympus", "", "/etc/passwd", "../../etc/passwd"])
  func `an invalid zone gives nil`(zone: String) {
    #expect(LocalTime(date, in: zone) == nil)
    #expect(LocalTime.secondsFromGMT(in: zone) == nil)
  }

  @Test func `daylight saving time is applied`() {
    let summer = Date(timeIntervalSince1970: 1_783_000_000)
    #expect(LocalTime.secondsFromGMT(in: "Europe/Copenhagen", at: date) == 3600)
    #expect(LocalTime.secondsFromGMT(in: "Europe/Copenhagen", at: summer) == 7200)
  }

  @Test func `an hour that is skipped is the one after it, and of two the first`() {
    let skipped = LocalTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30)
    #expect(skipped.date(in: "Europe/Copenhagen")?.timeIntervalSince1970 == 1_774_747_800)
    let twice = LocalTime(year: 2026, month: 10, day: 25, hour: 2, minute: 30)
    #expect(twice.date(in: "Europe/Copenhagen")?.timeIntervalSince1970 == 1_792_888_200)
  }

  @Test(arguments: [
    (LocalTime(year: 2026, month: 3, day: 0), LocalTime(year: 2026, month: 2, day: 28)),
    (LocalTime(year: 2026, month: 13, day: 32), LocalTime(year: 2027, month: 2, day: 1)),
    (LocalTime(year: 2026, month: 0, day: 1), LocalTime(year: 2025, month: 12, day: 1)),
    (LocalTime(year: 2026, month: -12, day: 1), LocalTime(year: 2024, month: 12, day: 1)),
    (
      LocalTime(year: 2026, month: 1, day: 1, hour: -1, minute: 61, second: -1),
      LocalTime(year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 59)
    ),
  ])
  func `parts out of range are normalized`(time: LocalTime, normal: LocalTime) {
    #expect(time.date(in: "Asia/Tokyo") == normal.date(in: "Asia/Tokyo"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e17])
  func `dates beyond all calendars give nil`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(LocalTime(date, in: "Asia/Tokyo") == nil)
    #expect(LocalTime.secondsFromGMT(in: "Asia/Tokyo", at: date) == nil)
  }

  @Test func `huge parts do not trap`() {
    for part in [Int.min, Int.max] {
      let time = LocalTime(
        year: part,
        month: part,
        day: part,
        hour: part,
        minute: part,
        second: part
      )
      #expect(time.date(in: "Asia/Tokyo") != nil)
      #expect((0...6).contains(time.weekday))
    }
  }
}
