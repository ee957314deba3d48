import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions

/// The widgets that a name on the command line selects.
@Suite struct WidgetNameTests {
  private func catalog() throws -> BundleCatalog {
    let folder = try BundleFolder()
    for (file, identifier, name) in [
      ("a", "com.example.Clock", "Clock"), ("b", "org.example.Uhr", "Uhr"),
      ("c", "com.example.One", "Weather"), ("d", "com.example.Two", "Weather"),
      ("e", "com.example.Three", "weather"), ("f", "com.example.Odd", "com.example.Clock"),
      ("g", "com.example.Bus", "BUS"), ("h", "com.example.Bus2", "Bus"),
    ] {
      try folder.widget("widgets/\(file).widget", identifier, name: name)
    }
    return BundleCatalog.scan(
      SearchPaths(named: ["\(folder.path)/widgets"], environment: [:], executable: nil)
    )
  }

  @Test(
    arguments: [
      ("com.example.Clock", ["com.example.Clock"]), ("Clock", ["com.example.Clock"]),
      ("clock", ["com.example.Clock"]), ("UHR", ["org.example.Uhr"]),
      ("weather", ["com.example.Three"]), ("BUS", ["com.example.Bus"]),
      ("Bus", ["com.example.Bus2"]),
    ]
  )
  func `an identifier or a unique name selects a widget`(
    name: String,
    identifiers: [String]
  ) throws {
    #expect(try catalog().match(name) == .widgets(identifiers))
  }

  @Test func `a name that several widgets have lists them`() throws {
    let catalog = try catalog()
    #expect(catalog.match("Weather") == .ambiguous(["com.example.One", "com.example.Two"]))
    guard case .ambiguous(let all) = catalog.match("WEATHER") else {
      Issue.record("three widgets differ in capital letters alone")
      return
    }
    #expect(all.sorted() == ["com.example.One", "com.example.Three", "com.example.Two"])
    #expect(catalog.match("bus") == .ambiguous(["com.example.Bus", "com.example.Bus2"]))
  }

  @Test(arguments: ["", " ", "Nobody", "com.example"])
  func `an unknown name selects nothing`(name: String) throws {
    #expect(try catalog().match(name) == .none)
  }
}
