import FoundationEssentials
import Testing
import WidgetKitCore

@MainActor
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
}
