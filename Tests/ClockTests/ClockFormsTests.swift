import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetTesting

@testable import Clock

/// What the card shows compact and expanded, as it is on the page.
@MainActor struct ClockFormsTests {
  /// The settings that the manifest declares.
  private static let attributes: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: "Widgets/Clock/Info.plist").path
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    let rest = text?.components(
      between: "<key>NSExtensionAttributes</key>\n    <dict>",
      and: "\n    </dict>\n  </dict>"
    )
    return rest.map(String.init) ?? ""
  }()

  /// The card on 24 November 2026 at 17:03 UTC in Copenhagen.
  private func clock(_ settings: String = "{}", at seconds: Double = 1_795_539_780) throws
    -> WidgetHarness
  {
    var options = HarnessOptions()
    options.now = Date(timeIntervalSince1970: seconds)
    options.timeZone = "Europe/Copenhagen"
    options.configuration = settings
    return try WidgetHarness(Clock(), attributes: Self.attributes, options)
  }

  @Test(arguments: [34, 58, 78])
  func `compact it has the time in four zones`(columns: Int) async throws {
    let harness = try clock()
    try await harness.appear(width: columns)
    let rows = harness.rows
    try #require(rows.count == 4)
    let text = rows.joined(separator: "\n")
    for part in ["Copenhagen", "London", "New York", "Tokyo", "18:03", "02:03", " h"] {
      #expect(text.contains(part), "\(part) in\n\(text)")
    }
    #expect(!text.contains("…"))
    await harness.finish()
  }

  @Test(arguments: [
    (2, 58, 2, 2), (2, 40, 0, 0), (3, 78, 3, 3), (4, 58, 2, 0), (9, 78, 0, 0), (1, 78, 0, 0),
  ])
  func `zones stand side by side where all of them have room`(
    zones: Int,
    columns: Int,
    perRow: Int,
    perRowOfTwo: Int
  ) {
    #expect(ZoneColumns.count(of: zones, in: columns, rows: 4) == perRow)
    #expect(ZoneColumns.count(of: zones, in: columns, rows: 2) == perRowOfTwo)
  }

  @Test(arguments: [34, 58, 78])
  func `expanded it has days, daylight and offsets of all`(columns: Int) async throws {
    let harness = try clock()
    try await harness.appear(width: columns)
    try await harness.expand(true)
    let rows = harness.rows(width: columns)
    let text = rows.joined(separator: "\n")
    #expect(!text.contains("…"), "\(text)")
    #expect(rows.filter { $0.contains("Tue 24 Nov") }.count == 3, "\(text)")
    #expect(rows.filter { $0.contains("Wed 25 Nov") }.count == 1, "\(text)")
    // It is day in New York alone.
    #expect(
      rows.filter { $0.contains("☀") }.count == 1 && rows.filter { $0.contains("☾") }.count == 3
    )
    #expect(text.contains("Sunrise 08:0") && text.contains("Sunset 15:50"), "\(text)")
    #expect(text.contains("Daylight 7 h ") && text.contains("min shorter"), "\(text)")
    // Offsets are those from the zone of the host, here that of the tests.
    #expect(rows.filter { $0.hasSuffix(" h") }.count == 3, "\(text)")
    await harness.finish()
  }

  @Test func `a zone that is not known has no row of others`() throws {
    // The host refuses it.
    #expect(throws: HarnessFailure.self) { try clock(#"{"zones":["Asia/Tokio"]}"#) }
  }

  @Test func `without other zones there is no More, and no empty rows`() async throws {
    let harness = try clock(#"{"zones":[]}"#)
    try await harness.appear()
    #expect(harness.height == 1)
    #expect(harness.card?.offersExpanded == false)
    await harness.finish()
  }

  @Test(arguments: ["sun", "stopwatch"])
  func `what the user asked for is in the compact form too`(setting: String) async throws {
    let harness = try clock("{\"\(setting)\":true}")
    try await harness.appear(width: 34)
    let text = harness.text
    #expect(harness.rows.count == 4)
    #expect(text.contains(setting == "sun" ? "Sun 08:0" : "[ Start ]"), "\(text)")
    #expect(!text.contains("…"), "\(text)")
    await harness.finish()
  }

  @Test func `laps are in the expanded form, the fastest and the slowest marked`() async throws {
    let harness = try clock(#"{"stopwatch":true,"zones":[]}"#)
    try await harness.appear(width: 40)
    try await harness.press("Start")
    for seconds in [30, 10, 50] {
      try await harness.advance(by: .seconds(seconds))
      try await harness.press("Lap")
    }
    #expect(harness.card?.offersExpanded == true)
    #expect(harness.rows.count == 4)
    try await harness.expand(true)
    let rows = harness.rows
    let laps = rows.filter { $0.contains("Lap ") && $0.contains(":") && !$0.contains("[") }
    try #require(laps.count == 3, "\(rows)")
    #expect(laps[0].contains("0:50") && laps[0].contains("slowest"))
    #expect(laps[1].contains("0:10") && laps[1].contains("fastest") && laps[1].contains("0:40"))
    await harness.finish()
  }

  /// Every tenth day of a year, in places near and far from the equator.
  @Test(arguments: [34, 36, 38, 45], ["Europe/Copenhagen", "America/Bogota", "Europe/Oslo"])
  func `the length of the day is whole`(columns: Int, zone: String) throws {
    let place = try #require(ZoneTables.place(of: zone))
    for day in stride(from: 0.0, to: 365, by: 10) {
      let now = Date(timeIntervalSince1970: 1_767_225_600 + day * 86_400)
      let row = SunRows(place: .known(place), zone: zone, now: now, columns: columns)
      let words = row.rows(width: columns).joined()
      #expect(words.hasSuffix(" min") && !words.contains("…"), "\(words)")
    }
  }

  @Test func `alone on the screen there is a large figure`() {
    #expect(LargeTime.fits(.expanded, rows: 40))
    #expect(!LargeTime.fits(.expanded, rows: 100) && !LargeTime.fits(.expanded, rows: 5))
    #expect(!LargeTime.fits(.compact, rows: 40))
    let now = Date(timeIntervalSince1970: 1_795_539_780)
    let rows = LargeTime(now: now, zone: "Europe/Copenhagen").rows(width: 60)
    #expect(rows.count == 2 && rows[0].contains("▀"), "\(rows)")
    #expect(rows[0].hasSuffix("Tue 24 Nov") && rows[1].hasSuffix("Copenhagen"), "\(rows)")
  }
}

extension String {
  /// What is between two texts; nil if they are not in it.
  fileprivate func components(between first: String, and last: String) -> Substring? {
    guard let start = firstRange(of: first)?.upperBound,
      let end = self[start...].firstRange(of: last)?.lowerBound
    else { return nil }
    return self[start..<end]
  }
}
