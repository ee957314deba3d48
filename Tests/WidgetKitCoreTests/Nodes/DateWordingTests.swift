import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `Words for dates` {
  /// Friday 20 November 2026, 13:32:07 in Greenwich.
  private static let now = Date(timeIntervalSince1970: 1_795_181_527)
  private let wording = DateWording(offsetFromGMT: 3600)

  private func words(
    _ display: DateDisplay,
    _ seconds: Double?,
    offset: Int? = nil,
    zone: String? = nil
  ) -> DateWording.Words {
    let content = DateContent(
      date: seconds.map { Self.now.addingTimeInterval($0) },
      offsetFromGMT: offset,
      display: display,
      timeZone: zone
    )
    return wording.words(for: content, at: Self.now)
  }

  @Test(
    arguments: [
      (nil, nil, nil, "14:32:07", 1),
      (0, nil, nil, "14:32:07", nil),
      (0, -12_600, nil, "10:02:07", nil),
      (nil, nil, "Asia/Tokyo", "22:32:07", 1),
      (nil, nil, "Asia/Kathmandu", "19:17:07", 1),
      (0, -12_600, "Europe/Copenhagen", "14:32:07", nil),
      (-120 * 86_400, nil, "Europe/Copenhagen", "15:32:07", nil),
      (nil, nil, "No/Such", "13:32:07 UTC", 1),
      (nil, nil, "../../etc/passwd", "13:32:07 UTC", 1),
      (nil, nil, "", "13:32:07 UTC", 1),
    ] as [(Double?, Int?, String?, String, Double?)]
  )
  func `a time is written in its zone`(
    seconds: Double?,
    offset: Int?,
    zone: String?,
    text: String,
    next: Double?
  ) {
    let words = words(.time, seconds, offset: offset, zone: zone)
    #expect(words.text == text)
    #expect(words.nextChange == next.map { Self.now.addingTimeInterval($0) })
  }

  @Test(
    arguments: [
      (nil, nil, "Friday 20 November", 34_073),
      (nil, "Pacific/Kiritimati", "Saturday 21 November", 73_673),
      (86_400, nil, "Saturday 21 November", nil),
      (86_400 * 60, nil, "Tuesday 19 January 2027", nil),
    ] as [(Double?, String?, String, Double?)]
  )
  func `a date shows the year if it is another one`(
    seconds: Double?,
    zone: String?,
    text: String,
    next: Double?
  ) {
    let words = words(.date, seconds, zone: zone)
    #expect(words.text == text)
    #expect(words.nextChange == next.map { Self.now.addingTimeInterval($0) })
  }

  @Test(
    arguments: [
      (0, "now", 60),
      (-59, "now", 1),
      (-60, "1 min ago", 60),
      (-259, "4 min ago", 41),
      (-3599, "59 min ago", 1),
      (-3600, "1 h ago", 3600),
      (-86_399, "23 h ago", 1),
      (-86_400, "1 d ago", 86_400),
      (59, "now", 119),
      (60, "in 1 min", 1),
      (89, "in 1 min", 30),
      (90, "in 2 min", 1),
      (3569, "in 59 min", 60),
      (3570, "in 1 h", 1),
      (7200, "in 2 h", 1801),
      (5400, "in 2 h", 1),
      (84_600, "in 1 d", 1),
    ] as [(Double, String, Double)]
  )
  func `a relative date has one unit`(seconds: Double, text: String, next: Double) {
    let words = words(.relative, seconds)
    #expect(words.text == text)
    #expect(words.nextChange == Self.now.addingTimeInterval(next))
  }

  @Test(arguments: [DateDisplay.relative, .offset, .timer])
  func `the text of a date changes exactly when it says`(display: DateDisplay) {
    let steps = [-90_000, -7201, -3661, -61, -1, 0, 1, 61, 3571, 3661, 7201, 84_601, 90_000.0]
    for seconds in steps {
      let date = Self.now.addingTimeInterval(seconds)
      let content = DateContent(date: date, display: display)
      let first = wording.words(for: content, at: Self.now)
      guard let next = first.nextChange else { continue }
      let before = wording.words(for: content, at: next.addingTimeInterval(-1))
      let after = wording.words(for: content, at: next)
      #expect(before.text == first.text, "\(display) \(seconds)")
      #expect(after.text != first.text, "\(display) \(seconds)")
    }
  }

  @Test(
    arguments: [
      (42, "0:42"), (0, "0:00"), (-42, "0:42"), (725, "12:05"), (3723, "1:02:03"),
      (360_000, "100:00:00"),
    ] as [(Double, String)]
  )
  func `a timer counts down and then up`(seconds: Double, text: String) {
    #expect(words(.timer, seconds).text == text)
    #expect(words(.timer, seconds).nextChange == Self.now.addingTimeInterval(1))
  }

  @Test(
    arguments: [
      (240, nil, "+4 min"), (-7200, nil, "−2 h"), (5, nil, "+5 s"), (0, nil, "+0 s"),
      (nil, "Asia/Tokyo", "+8 h"), (nil, "America/New_York", "−6 h"),
      (nil, "Asia/Kathmandu", "+4 h 45 min"),
    ] as [(Double?, String?, String)]
  )
  func `an offset has a sign`(seconds: Double?, zone: String?, text: String) {
    #expect(words(.offset, seconds, zone: zone).text == text)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func `no date is too far away`(seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    for display in DateDisplay.allCases {
      let content = DateContent(date: date, display: display, timeZone: "Asia/Tokyo")
      #expect(!wording.words(for: content, at: Self.now).text.isEmpty)
      let present = DateContent(date: nil, display: display)
      #expect(!DateWording.current.words(for: present, at: date).text.isEmpty)
    }
  }
}
