import Testing

@testable import WidgetKitCore

@Suite struct NearNameTests {
  private static let names = [
    "snapshot", "refresh", "list", "lint", "log", "install", "uninstall", "import", "schedule",
    "settings", "secrets", "permissions", "doctor", "completion",
  ]

  @Test(arguments: [
    ("snapshto", "snapshot"), ("snpasht", "snapshot"), ("snap", "snapshot"), ("refersh", "refresh"),
    ("instal", "install"), ("uninstal", "uninstall"), ("setings", "settings"), ("set", "settings"),
    ("permisions", "permissions"), ("perm", "permissions"), ("docter", "doctor"),
    ("lists", "list"), ("logs", "log"), ("comple", "completion"), ("REFRESH", "refresh"),
    ("schedules", "schedule"), ("refreshing", "refresh"),
  ])
  func `the nearest is found for typos of several letters and for beginnings`(
    typed: String,
    meant: String
  ) {
    #expect(NearName.nearest(to: typed, among: Self.names) == meant)
  }

  @Test func `of names that are equally near, the one of the nearest length is meant`() {
    #expect(NearName.nearest(to: "abcd", among: ["abce", "abc", "abcdefgh"]) == "abce")
    #expect(NearName.nearest(to: "pap", among: ["paper-white", "paper"]) == "paper")
  }

  @Test(arguments: ["x", "", "zzzzzz", "qu"]) func `nothing is near to another word`(typed: String)
  {
    #expect(NearName.nearest(to: typed, among: Self.names) == nil)
  }
}
