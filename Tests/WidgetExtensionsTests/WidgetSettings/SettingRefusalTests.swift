import Testing
import WidgetKitCore

@testable import WidgetExtensions

/// Why a value is refused, in words.
nonisolated struct SettingRefusalTests {
  private static let zones = SettingDeclaration(name: "zones", kind: .list, format: .timeZone)
  private static let names = [
    "America/Argentina/Buenos_Aires", "America/New_York", "Asia/Ho_Chi_Minh", "Asia/Tokyo",
    "Europe/Copenhagen", "ROK", "UTC",
  ]

  @Test(arguments: [
    ("asia/tokyo", "Asia/Tokyo"), ("Asia/Tokio", "Asia/Tokyo"), ("Tokyo", "Asia/Tokyo"),
    ("tokio", "Asia/Tokyo"), ("tok", "Asia/Tokyo"), ("rok", "ROK"), ("new", "America/New_York"),
    ("New York", "America/New_York"), ("new-york", "America/New_York"),
    ("Europe/New_York", "America/New_York"), ("Buenos Aires", "America/Argentina/Buenos_Aires"),
    ("Copenhagn", "Europe/Copenhagen"), ("utc", "UTC"), ("Mars/Olympus", nil), ("", nil),
  ])
  func `a zone that was probably meant is named`(typed: String, meant: String?) {
    #expect(SettingRefusal.nearestZone(to: typed, among: Self.names) == meant)
    #expect(SettingRefusal.nearestZone(to: typed, among: []) == nil)
  }

  @Test func `the first name that is not known is told`() {
    let value = JSONTree.array([.string("UTC"), .string("Asia/Tokio"), .string("Mars/Olympus")])
    #expect(
      SettingRefusal.words(value, Self.zones, found: "a list")
        .hasPrefix("there is no time zone “Asia/Tokio”; ")
    )
  }

  @Test(arguments: [JSONTree.string("UTC"), .array([.number(1)]), .boolean(true), .number(3)])
  func `a value of another form is told what is expected`(value: JSONTree) {
    #expect(
      SettingRefusal.words(value, Self.zones, found: "something")
        == "expected a list of at most 100 names of time zones, such as Europe/Copenhagen, found something"
    )
  }

  @Test func `what is not a place is told how places are written`() {
    let place = SettingDeclaration(name: "place", kind: .string, format: .coordinates)
    let words = SettingRefusal.words(.string("95, 12"), place)
    #expect(words.hasPrefix("“95, 12” is not a place; expected latitude and longitude in degrees"))
  }

  @Test func `a secret is not repeated`() {
    let secret = SettingDeclaration(name: "token", kind: .secret)
    let words = SettingRefusal.words(.string("s3cret"), secret)
    #expect(!words.contains("s3cret") && words.hasPrefix("expected { file: PATH }"))
  }
}
