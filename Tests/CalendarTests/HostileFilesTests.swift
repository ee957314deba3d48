import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Files of 256 KiB that are made to occupy the widget.
@Suite(.timeLimit(.minutes(2)))
struct HostileFilesTests {
  private static func entry(_ lines: String) -> String { "BEGIN:VEVENT\n\(lines)\nEND:VEVENT\n" }

  private static let files: [String: String] = [
    "nested": String(repeating: "BEGIN:A\n", count: 16_000)
      + String(repeating: "END:B\n", count: 20_000),
    "replacements": entry("UID:a\nDTSTART:20200101T100000\nRRULE:FREQ=DAILY")
      + (0..<2200).map { number in
        let (day, hour) = (number % 28 + 1, number / 28 % 24)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return entry(
          "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:202601\(two(day))T\(two(hour))\(two(number % 60))00\n"
            + "DTSTART:20261120T100000"
        )
      }.joined(),
    "twins": (0..<1400).map { entry("UID:a\nDTSTART:20261120T100000\nSUMMARY:\($0)") }.joined()
      + (0..<1400).map { number in
        entry(
          "UID:a\nRECURRENCE-ID:20261120T10\(10 + number % 50)\(10 + number / 50)\nDTSTART:20261120"
        )
      }.joined(),
    "seconds": String(
      repeating: entry("DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;UNTIL=99991231T235959Z"),
      count: 2900
    ),
    "exceptions": entry(
      "DTSTART:20200101T000000\nRRULE:FREQ=DAILY\n"
        + String(repeating: "EXDATE:20261120T000000\n", count: 11_000)
    ),
  ]

  @Test(arguments: files.keys.sorted())
  func `a file that is made to take long ends soon`(name: String) throws {
    let file = "BEGIN:VCALENDAR\n\(Self.files[name] ?? "")END:VCALENDAR\n"
    let first = try #require(CivilDate(2026, 11, 20))
    let time = ContinuousClock().measure {
      let file = CalendarFile(parsing: file.utf8)
      _ = Agenda(of: [file], from: first, through: first.adding(days: 60), in: "Europe/Vienna")
    }
    // A second in a program that is optimized.
    #expect(time < .seconds(10))
  }
}
