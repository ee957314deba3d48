import Testing
import WidgetKitCore

@testable import Clock

struct CoordinatesTests {
  @Test(
    arguments: [
      ("55.68, 12.57", 55.68, 12.57), ("55.68 12.57", 55.68, 12.57),
      ("-33.87;151.21", -33.87, 151.21), ("−33.87, 151.21", -33.87, 151.21),
      ("33.87 S, 151.21 E", -33.87, 151.21), ("40.5n 74W", 40.5, -74.0),
      ("40.5° N 74° W", 40.5, -74.0),
      ("+5530+01230", 55.5, 12.5), ("-3352+15113", -33.866666666666667, 151.216666666666667),
      ("+404530-0735959", 40.758333333333333, -73.999722222222222),
      ("90, 180", 90.0, 180.0),
    ]
  )
  func `a place is read as people write it`(text: String, latitude: Double, longitude: Double)
    throws
  {
    let place = try #require(Coordinates(parsing: text))
    #expect(abs(place.latitude - latitude) < 1e-9)
    #expect(abs(place.longitude - longitude) < 1e-9)
  }

  @Test(
    arguments: [
      "", "Copenhagen", "55.68", "91, 0", "0, 181", "1, 2, 3", "1e3, 2", "nan, nan", "inf, 0",
      "1..2, 3", "--1, 2", "N S", "5 E 6 N", "-5 S 6 E", "5 N 6", "+5560+01230", "+55+012",
      "+999999+9999999", "1 2 N E", String(repeating: "9", count: 400) + ", 1",
    ]
  )
  func `what is no place is none`(text: String) {
    #expect(Coordinates(parsing: text) == nil)
  }

  @Test func `the tables of the tz database have the places of zones`() {
    let table =
      "# comment\nDK\t+5540+01235\tEurope/Copenhagen\nbroken\nAQ\tnowhere\tAntarctica/X\tnote\n"
    let place = ZoneTables.place(of: "Europe/Copenhagen", inTable: table)
    #expect(place.map { Int($0.latitude) } == 55)
    for zone in ["Antarctica/X", "UTC", "Europe", "broken", ""] {
      #expect(ZoneTables.place(of: zone, inTable: table) == nil)
    }
    #expect(ZoneTables.place(of: "Asia/Tokyo", in: "/nowhere") == nil)
    #expect(ZoneTables.place(of: "Asia/Tokyo").map { Int($0.latitude) } == 35)
  }
}
