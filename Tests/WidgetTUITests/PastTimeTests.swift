import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetTUI

/// Times of the last day on the command line.
@Suite struct PastTimeTests {
  private func minutes(_ text: String, _ now: Date) -> Double? {
    PastTime.date(text, now: now).map { now.timeIntervalSince($0) / 60 }
  }

  @Test func `are of today, or else of yesterday`() throws {
    let now = try #require(LocalTime(year: 2026, month: 6, day: 10, hour: 15, minute: 20).date())
    #expect(PastTime.date("15:10", now: now) == now.addingTimeInterval(-10 * 60 + 59))
    #expect(PastTime.date("9:05", now: now) == now.addingTimeInterval(-(6 * 60 + 15) * 60 + 59))
    #expect(PastTime.date("15:20", now: now) == now)
    let yesterday = now.addingTimeInterval(-23 * 3600 - 59 * 60 + 59)
    #expect(PastTime.date("15:21", now: now) == yesterday)
    #expect(minutes("2h", now) == 120 && minutes("90s", now) == 1.5 && minutes("24h", now) == 1440)
  }

  @Test(arguments: [
    "", "24:00", "12:60", "1:2", "12", ":30", "12:", "-1:30", "12:30:10", "25h", "2d", "٣:٣٠",
    "+1:30", "now", "0h",
  ])
  func `other texts are none`(text: String) {
    #expect(PastTime.date(text, now: Date()) == nil)
  }
}
