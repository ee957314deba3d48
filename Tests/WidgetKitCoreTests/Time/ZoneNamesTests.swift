import Testing

@testable import WidgetKitCore

/// The names in the tables of the tz database.
struct ZoneNamesTests {
  @Test func `the source has zones and their other names`() {
    let text = """
      # version 2025b
      R d 1916 o - Jun 14 23s 1 S
      Z Africa/Algiers 0:12:12 - LMT 1891 Mar 16
      0:9:21 - PMT 1911 Mar 11
      L Africa/Abidjan Africa/Accra
      L broken
      Z
      """
    #expect(NameTable(isSource: true, text: text).names == ["Africa/Algiers", "Africa/Accra"])
  }

  @Test func `a table of places has them in its third column`() {
    let text =
      "#code\tcoordinates\tTZ\nDK\t+5540+01235\tEurope/Copenhagen\nAQ\t-6617+11031\tAntarctica/Casey\tCasey\nx\ty\n"
    #expect(
      NameTable(isSource: false, text: text).names == ["Europe/Copenhagen", "Antarctica/Casey"]
    )
  }

  @Test(arguments: [true, false])
  func `random text has no names, and does no harm`(isSource: Bool) {
    for text in [
      "", "\n\n", "\t\t\t", "Z", "L a", "\u{0}\u{FFFD}", String(repeating: "Z ", count: 9999),
    ] {
      _ = NameTable(isSource: isSource, text: text).names
    }
  }

  @Test func `without a database any name may be one`() {
    let database = ZoneDatabase(environment: { $0 == "TZDIR" ? "/nowhere" : nil })
    #expect(database.mayHave("Europe/Copenhagen") && !database.mayHave(""))
    let system = ZoneDatabase(environment: { _ in nil })
    #expect(!system.hasFolder || !system.mayHave("Mars/Olympus"))
  }
}
