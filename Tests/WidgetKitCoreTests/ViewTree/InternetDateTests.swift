import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import WidgetKitCore

@Suite struct `Dates of RFC 3339` {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0.0, nil),
      ("2026-11-20T14:32:07+01:00", 1_795_181_527, 3600),
      ("2026-11-20t14:32:07.25z", 1_795_185_127.25, nil),
      ("2026-11-20 14:32:07-03:30", 1_795_197_727, -12_600),
      ("2024-02-29T00:00:00-00:00", 1_709_164_800, nil),
      ("2016-12-31T23:59:60Z", 1_483_228_800, nil),
    ] as [(String, Double, Int?)]
  )
  func `are read with their offset`(text: String, seconds: Double, offset: Int?) throws {
    let moment = try #require(InternetDate(text))
    #expect(moment.date.timeIntervalSince1970 == seconds)
    #expect(moment.offsetFromGMT == offset)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T14:32:07", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-11-20T24:00:00Z", "2026-11-20T14:32:07.Z", "2026-11-20T14:32:07+1:00",
    "2026-11-20T14:32:07Z ", "26-11-20T14:32:07Z", "2026-11-20T14:32:61Z", "٢026-11-20T14:32:07Z",
  ])
  func `are refused in any other form`(text: String) {
    #expect(InternetDate(text) == nil)
  }

  @Test func `come back as they were written`() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let seconds = Double.random(in: -60_000_000_000...200_000_000_000, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let offset = [nil, 0, 3600, -12_600, 20_700].randomElement(using: &random) ?? nil
      let text = InternetDate(date: date, offsetFromGMT: offset).text
      let back = try #require(InternetDate(text), "\(text)")
      #expect(back.date == date)
      #expect(back.offsetFromGMT == offset)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func `can be written for any date`(seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(InternetDate(InternetDate(date: date, offsetFromGMT: nil).text) != nil)
  }
}
