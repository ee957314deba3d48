import FoundationEssentials
import Testing
import WidgetKitCore

@testable import Clock

struct SunTimesTests {
  /// A place, a day and the clock of the place, with the times of an almanac.
  struct Almanac: Sendable, CustomTestStringConvertible {
    var name: String
    var place: (Double, Double)
    var day: (Int, Int, Int)
    var zone: String
    var sunrise: String
    var sunset: String

    var testDescription: String { name }
  }

  private static let almanac = [
    Almanac(
      name: "London",
      place: (51.51, -0.13),
      day: (2026, 6, 21),
      zone: "Europe/London",
      sunrise: "04:43",
      sunset: "21:21"
    ),
    Almanac(
      name: "New York",
      place: (40.71, -74.01),
      day: (2026, 12, 21),
      zone: "America/New_York",
      sunrise: "07:16",
      sunset: "16:32"
    ),
    Almanac(
      name: "Sydney",
      place: (-33.87, 151.21),
      day: (2026, 12, 21),
      zone: "Australia/Sydney",
      sunrise: "05:40",
      sunset: "20:05"
    ),
  ]

  private static func minutes(_ date: Date?, in zone: String) -> Int? {
    date.flatMap { LocalTime($0, in: zone) }.map { $0.hour * 60 + $0.minute }
  }

  private static func minutes(_ clock: String) -> Int {
    let parts = clock.split(separator: ":").compactMap { Int($0) }
    return parts[0] * 60 + parts[1]
  }

  private static func times(
    _ place: (Double, Double),
    _ day: (Int, Int, Int),
    _ zone: String
  ) throws -> SunTimes {
    let noon = LocalTime(year: day.0, month: day.1, day: day.2, hour: 12)
    let date = try #require(noon.date(in: zone))
    return SunTimes(
      on: try #require(CivilDate(day.0, day.1, day.2)),
      at: try #require(Coordinates(latitude: place.0, longitude: place.1)),
      secondsFromGMT: try #require(LocalTime.secondsFromGMT(in: zone, at: date))
    )
  }

  @Test(arguments: almanac)
  func `the times are those of an almanac within two minutes`(entry: Almanac) throws {
    let times = try Self.times(entry.place, entry.day, entry.zone)
    guard case .day(let sunrise, let sunset) = times else {
      Issue.record("\(times)")
      return
    }
    let rises = try #require(Self.minutes(sunrise, in: entry.zone))
    let sets = try #require(Self.minutes(sunset, in: entry.zone))
    #expect(abs(rises - Self.minutes(entry.sunrise)) <= 2, "\(rises)")
    #expect(abs(sets - Self.minutes(entry.sunset)) <= 2, "\(sets)")
  }

  @Test func `on the equator every day has about twelve hours and seven minutes`() throws {
    for month in 1...12 {
      let length = try #require(try Self.times((0, 0), (2026, month, 15), "UTC").length)
      #expect((12 * 60 + 5...12 * 60 + 9).contains(Int(length / 60)), "\(length / 60)")
    }
  }

  @Test func `beyond the polar circles there are days without a sunrise or a sunset`() throws {
    let tromso = (69.65, 18.96)
    #expect(try Self.times(tromso, (2026, 6, 21), "Europe/Oslo") == .polarDay)
    #expect(try Self.times(tromso, (2026, 12, 21), "Europe/Oslo") == .polarNight)
    #expect(try Self.times((-90, 0), (2026, 12, 21), "UTC") == .polarDay)
    #expect(try Self.times((90, 0), (2026, 12, 21), "UTC") == .polarNight)
    #expect(try Self.times(tromso, (2026, 3, 21), "Europe/Oslo").length != nil)
  }

  @Test(
    arguments: [
      ("Pacific/Kiritimati", 1.87, -157.4), ("Pacific/Auckland", -36.85, 174.76),
      ("America/Los_Angeles", 34.05, -118.24), ("Asia/Kolkata", 28.61, 77.21), ("UTC", 0.0, 180.0),
    ]
  )
  func `both are on the day of the place's clocks`(
    zone: String,
    latitude: Double,
    longitude: Double
  ) throws {
    let times = try Self.times((latitude, longitude), (2026, 3, 21), zone)
    guard case .day(let sunrise?, let sunset?) = times else {
      Issue.record("\(times)")
      return
    }
    #expect(sunrise < sunset)
    let noon = sunrise.addingTimeInterval(sunset.timeIntervalSince(sunrise) / 2)
    #expect(LocalTime(noon, in: zone)?.day == 21 || zone == "UTC")
  }

  @Test func `any day of any year has an answer`() throws {
    for year in stride(from: 1, through: 9999, by: 321) {
      for latitude in stride(from: -90.0, through: 90, by: 15) {
        _ = try Self.times((latitude, 180), (year, 7, 1), "UTC")
      }
    }
  }
}
