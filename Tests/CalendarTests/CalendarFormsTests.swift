import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import Calendar
@testable import CalendarFormats

/// What the card shows compact and expanded.
@MainActor struct CalendarFormsTests {
  /// Tuesday, 24 November 2026, 14:20 in Copenhagen.
  private static let now = Date(timeIntervalSince1970: 1_795_526_400)

  private static let attributes = """
    <key>TodaySettings</key><array><dict>
    <key>name</key><string>folder</string><key>type</key><string>file</string>
    </dict><dict>
    <key>name</key><string>weekStart</string><key>type</key><string>string</string>
    </dict><dict>
    <key>name</key><string>url</string><key>type</key><string>string</string>
    </dict></array>
    """

  private func harness(
    _ events: [(start: String, end: String, summary: String)],
    weekStart: String = "locale"
  ) throws -> WidgetHarness {
    var options = HarnessOptions()
    options.now = Self.now
    options.timeZone = "Europe/Copenhagen"
    options.locale = "da_DK"
    let harness = try WidgetHarness(CalendarWidget(), attributes: Self.attributes, options)
    let entries = events.map { event in
      let value = event.start.contains("T") ? "" : ";VALUE=DATE"
      return
        "BEGIN:VEVENT\nDTSTART\(value):\(event.start)\nDTEND\(value):\(event.end)\nSUMMARY:\(event.summary)\n"
        + "END:VEVENT\n"
    }
    let file = "BEGIN:VCALENDAR\n\(entries.joined())END:VCALENDAR\n"
    let folder = harness.containers.data + "/calendars"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if !events.isEmpty { try Data(file.utf8).write(to: URL(filePath: folder + "/town.ics")) }
    // The usual folder is that of the person who runs the tests.
    try harness.configure("{\"folder\":\"\(folder)\",\"weekStart\":\"\(weekStart)\"}")
    return harness
  }

  private static let week = [
    ("20261124T090000", "20261124T093000", "Breakfast"),
    ("20261124T140000", "20261124T150000", "Rehearsal"),
    ("20261124T150000", "20261124T163000", "Juggling class"),
    ("20261125T110000", "20261125T120000", "Wedding"),
    ("20261126", "20261128", "Fair"),
    ("20261203T200000", "20261204T010000", "Ball"),
  ]

  @Test(arguments: [34, 58, 78])
  func `compact it has the day and what comes next`(columns: Int) async throws {
    let harness = try harness(Self.week)
    try await harness.appear(width: columns)
    let rows = harness.rows
    #expect(rows.count == 4)
    #expect(rows[0].hasPrefix("Tuesday 24 November") && rows[0].hasSuffix("2 more"), "\(rows)")
    // Breakfast is over, and the rehearsal goes on.
    #expect(rows[1].hasPrefix("Today now") && rows[1].hasSuffix("Rehearsal"), "\(rows)")
    #expect(rows[2].hasPrefix("Today 15:00") && rows[2].hasSuffix("Juggling class"))
    #expect(rows[3].hasPrefix("We 25 11:00") && rows[3].hasSuffix("Wedding"))
    await harness.finish()
  }

  @Test func `a day that is far away has its month`() async throws {
    let harness = try harness([
      ("20261125T110000", "20261125T120000", "Wedding"),
      ("20261224T180000", "20261224T230000", "Dinner"),
      ("20261201", "20261202", "Advent"),
    ])
    try await harness.appear(width: 40)
    let rows = harness.rows
    #expect(rows[1].hasPrefix("We 25  11:00") && rows[1].hasSuffix("Wedding"), "\(rows)")
    #expect(rows[2].hasPrefix(" 1 Dec all day") && rows[2].hasSuffix("Advent"), "\(rows)")
    #expect(rows[3].hasPrefix("24 Dec 18:00") && rows[3].hasSuffix("Dinner"), "\(rows)")
    await harness.finish()
  }

  @Test func `files that cannot be read take one row, and all are listed in the expanded card`()
    async throws
  {
    let harness = try harness(Self.week)
    for name in ["a", "b", "c", "d", "e"] {
      let path = harness.containers.data + "/calendars/\(name).ics"
      try Data("BEGIN:VCALENDAR\nBEGIN:VEVENT\n".utf8).write(to: URL(filePath: path))
    }
    try await harness.appear(width: 40)
    let rows = harness.rows
    #expect(rows.count == 4)
    #expect(rows[0].hasSuffix("3 more"), "\(rows)")
    #expect(rows[1].hasSuffix("Rehearsal") && rows[2].hasSuffix("Juggling class"), "\(rows)")
    #expect(rows[3] == "5 problems: More lists them")
    try await harness.expand(true)
    for name in ["a", "b", "c", "d", "e"] { #expect(harness.text.contains("\(name).ics: ")) }
    await harness.finish()
  }

  @Test func `many entries with long titles fit in a message`() async throws {
    let title = String(repeating: "y", count: 9000)
    let harness = try harness(
      (10..<40).map { ("20261124T\($0 % 10 + 10)0000", "20261124T2300\($0)", "\(title)\($0)") }
    )
    try await harness.appear(width: 58)
    #expect(harness.text.contains("yyy"))
    try await harness.expand(true)
    #expect(harness.text.contains("yyy"))
    #expect(harness.messages.allSatisfy { $0.bytes.count < 128 * 1024 })
    await harness.finish()
  }

  @Test func `the long title of what repeats is whole the first time`() async throws {
    let title =
      "A title that is much longer than the list is wide, and goes on for several lines of it"
    let harness = try harness(
      (24...27).map { ("202611\($0)T150000", "202611\($0)T160000", title) }
    )
    try await harness.appear(width: 40)
    try await harness.expand(true)
    #expect(harness.rows.count { $0.contains("A title") } == 4, "\(harness.text)")
    #expect(harness.rows.count { $0.contains("goes on") } == 1, "\(harness.text)")
    await harness.finish()
  }

  @Test func `a server that does not answer is a failed update, and the entries stay`() async throws
  {
    let harness = try harness(Self.week)
    try await harness.appear(width: 60)
    let folder = harness.containers.data + "/calendars"
    try harness.configure("{\"folder\":\"\(folder)\",\"url\":\"http://127.0.0.1:1/x.ics\"}")
    try await harness.update(.user)
    let answers = harness.messages.map { String(decoding: $0.bytes, as: UTF8.self) }
    let words = "there is no connection to the server (127.0.0.1:1)"
    #expect(answers.contains { $0.contains("failed") && $0.contains(words) }, "\(answers)")
    #expect(harness.text.contains("Rehearsal"), "\(harness.text)")
    await harness.finish()
  }

  @Test(arguments: [34, 58, 78])
  func `expanded it has the month and all entries by their days`(columns: Int) async throws {
    let harness = try harness(Self.week)
    try await harness.appear(width: columns)
    try await harness.expand(true)
    let text = harness.text
    for part in [
      "November 2026", "Mo Tu We Th Fr Sa Su", "Today", "Tomorrow", "Th 26 Nov", "Th 3 Dec",
      " 9:00–9:30", "14:00–15:00", "Fr 27 Nov", "20:00–1:00", "Ball", "Fr 4 Dec", "until 1:00",
    ] {
      #expect(text.contains(part), "\(part) in\n\(text)")
    }
    #expect(!text.contains("…"), "\(text)")
    #expect(
      harness.rows.contains { $0.contains("November 2026") && $0.contains("Today") }
        == (columns >= 50)
    )
    await harness.finish()
  }

  @Test(arguments: [
    ("monday", "Mo Tu"), ("saturday", "Sa Su"), ("sunday", "Su Mo"), ("locale", "Mo Tu"),
  ])
  func `the week begins with the day of the settings`(start: String, words: String) async throws {
    let harness = try harness(Self.week, weekStart: start)
    try await harness.appear(width: 34)
    try await harness.expand(true)
    let row = harness.rows.first { $0.contains("We") && $0.contains("Th") } ?? ""
    #expect(row.drop { $0 == " " }.hasPrefix(words), "\(row)")
    await harness.finish()
  }

  @Test func `when an entry is over the next one takes its place`() async throws {
    let harness = try harness(Self.week)
    try await harness.appear(width: 40)
    try await harness.advance(by: .seconds(3_600))
    #expect(harness.rows[1].contains("Juggling class"), "\(harness.rows)")
    #expect(harness.rows[1].hasPrefix("Today now"))
    await harness.finish()
  }

  @Test func `a long agenda has the next month beside it`() async throws {
    let events = (1...9).map { ("2026120\($0)T100000", "2026120\($0)T110000", "Entry \($0)") }
    let harness = try harness(events)
    try await harness.appear(width: 70)
    try await harness.expand(true)
    #expect(harness.text.contains("December 2026"))
    await harness.finish()
  }

  @Test func `without calendars it says where they go, in both forms`() async throws {
    let harness = try harness([])
    try await harness.appear(width: 60)
    #expect(harness.text.contains(".ics files go to"))
    #expect(harness.rows.count == 4)
    try await harness.expand(true)
    #expect(harness.text.contains("No entries") && harness.text.contains(".ics files go to"))
    await harness.finish()
  }

  @Test func `an entry of several days is below each of them, and marks each in the month`()
    async throws
  {
    let harness = try harness([
      ("20261123T090000", "20261127T110000", "Conference"),
      ("20261125T100000", "20261125T103000", "Call"),
      ("20261125T223000", "20261126T063000", "Night shift"),
      ("20261126", "20261129", "Fair"),
      ("20261128T000000", "20261130T000000", "Retreat"),
    ])
    try await harness.appear(width: 78)
    try await harness.expand(true)
    // Beside the month, of which each row is 21 columns, and below the week.
    let agenda = harness.rows.drop { !$0.contains("November 2026") }.map { row in
      row.dropFirst(22).split(separator: " ").joined(separator: " ")
    }
    #expect(
      agenda.filter { !$0.isEmpty } == [
        "Today Tu 24 Nov", "all day Conference",
        "Tomorrow We 25 Nov", "all day Conference", "10:00–10:30 Call", "22:30–6:30 Night shift",
        "Th 26 Nov", "all day Fair", "all day Conference", "until 6:30 Night shift",
        "Fr 27 Nov", "all day Fair", "until 11:00 Conference",
        "Sa 28 Nov", "all day Fair", "all day Retreat",
        "Su 29 Nov", "all day Retreat",
      ],
      "\(agenda)"
    )
    await harness.finish()
  }

  @Test func `the days of a month that have entries have a dot, in ASCII too`() async throws {
    let harness = try harness(Self.week)
    try await harness.appear(width: 34)
    try await harness.expand(true)
    let rows = harness.rows.drop { !$0.contains("Mo Tu We") }
    let week = try #require(rows.first { $0.contains("26") })
    // Of the past nothing is known.
    #expect(week.trimmingPrefix { $0 == " " } == "23 24•25•26•27•28 29", "\(week)")
    #expect(ASCIIText.text(like: week).contains("24*25*26*27*28"))
    await harness.finish()
  }

  @Test(arguments: [34, 50, 78, 100])
  func `the next seven days are side by side, with a dot for each entry`(columns: Int) async throws
  {
    let harness = try harness(Self.week)
    try await harness.appear(width: columns)
    try await harness.expand(true)
    let strip = harness.rows.firstIndex { row in
      ["Tu 24", "We 25", "Mo 30"].allSatisfy { row.contains($0) }
    }
    #expect((strip != nil) == (columns >= WeekStrip.leastColumns))
    if let strip, columns < WeekView.wideColumns {
      let dots = harness.rows[strip + 1].split(separator: " ").map(String.init)
      #expect(dots == ["●●●", "●", "●", "●", "·", "·", "·"], "\(dots)")
      #expect(ASCIIText.text(like: harness.rows[strip + 1]).contains("***"))
    }
    await harness.finish()
  }

  @Test func `an entry of years does not hide what is near`() async throws {
    let harness = try harness([
      ("20200101", "20400101", "School"), ("20261126T100000", "20261126T110000", "Wedding"),
    ])
    try await harness.appear(width: 78)
    try await harness.expand(true)
    #expect(harness.text.contains("Wedding") && harness.text.contains("The next 40 of 58"))
    #expect(harness.rows.filter { $0.contains("School") }.count == 39)
    await harness.finish()
  }

  @Test func `a clock that changes in the night leaves the parts of an entry on their days`() throws
  {
    let file = CalendarFile(
      parsing: """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;TZID=America/New_York:20261031T190000
        DTEND;TZID=America/New_York:20261101T200000
        SUMMARY:Watch
        END:VEVENT
        END:VCALENDAR
        """.utf8
    )
    let first = try #require(CivilDate(2026, 10, 30))
    let agenda = Agenda(
      of: [file],
      from: first,
      through: first.adding(days: 5),
      in: "America/New_York"
    )
    let rows = AgendaRows(
      entries: agenda.occurrences,
      today: first,
      now: Self.now,
      zone: "America/New_York",
      lastDay: first.adding(days: 5)
    )
    let words = rows.days(limit: 9).days.map { day in
      day.entries.map { "\(day.date.day) \(rows.spanWords($0, on: day.date))" }
    }
    #expect(words == [["31 from 19:00"], ["1 until 20:00"]])
  }

  @Test(arguments: [
    ("24T1000", "24T1100", "10:00–11:00"),
    ("23T2200", "24T0200", "until 2:00"),
    ("24T2200", "25T0200", "22:00–2:00"),
    ("24T2200", "25T2200", "from 22:00"),
    ("24T2200", "26T0200", "from 22:00"),
    ("24T0000", "26T0200", "all day"),
    ("23T2200", "26T0200", "all day"),
    ("24T1000", "24T1000", "10:00"),
  ])
  func `the time of an entry is that of its part of the day`(
    start: String,
    end: String,
    words: String
  ) throws {
    func date(_ text: String) throws -> Date {
      let day = try #require(Int(text.prefix(2)))
      let hour = try #require(Int(text.dropFirst(3).prefix(2)))
      // Midnight on 1 November 2026 in Greenwich.
      return Date(
        timeIntervalSince1970: 1_793_491_200 + Double(day - 1) * 86_400 + Double(hour) * 3600
      )
    }
    func day(_ text: String) throws -> CivilDate {
      let number = try #require(Int(text.prefix(2)))
      return try #require(CivilDate(2026, 11, number))
    }
    let entry = Occurrence(
      summary: "",
      firstDay: try day(start),
      lastDay: try day(end),
      start: try date(start),
      end: try date(end)
    )
    let rows = AgendaRows(
      entries: [entry],
      today: try #require(CivilDate(2026, 11, 24)),
      now: Self.now,
      zone: "UTC",
      lastDay: try #require(CivilDate(2026, 12, 24))
    )
    let shown = rows.spanWords(entry, on: rows.today)
    #expect(shown.drop { $0 == " " } == words.drop { $0 == " " })
  }
}
