import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Settings that a widget changes after a press, because the user has typed them into its card.
@Suite struct OwnSettingsTests {
  private static let declaration =
    "TodaySettings = ({ name = place; type = string; }, { name = feeds; type = list; }, "
    + "{ name = zone; type = string; format = timeZone; }, "
    + "{ name = rows; type = number; default = 1; maximum = 9; }, "
    + "{ name = file; type = file; }, { name = token; type = secret; });"

  private func world(folder: BundleFolder? = nil) throws -> EngineWorld {
    try EngineWorld(
      ["performAction": "{}", "widgetPerformUpdate": #"{"result":"noData"}"#],
      hearing: ["configurationDidChange"],
      first: #","view":"a""#,
      bundle: Self.declaration,
      folder: folder
    )
  }

  /// Asks to set values; returns the line of the answer.
  private func set(_ values: String, _ world: EngineWorld) throws -> String {
    let widget = try world.widget
    let params = #"{"values":{\#(values)}}"#
    widget.say(
      #"{"jsonrpc":"2.0","id":"k","method":"org.today.setConfiguration","params":\#(params)}"#
    )
    world.settle()
    let line = widget.received.last {
      [.result(.string("k")), .error(.string("k"))].contains($0.kind)
    }
    return String(decoding: try #require(line).bytes, as: UTF8.self)
  }

  private func changes(_ world: EngineWorld) throws -> [WidgetConfiguration] {
    try world.widget.received
      .filter { $0.kind == .notification(method: "configurationDidChange") }
      .map { try $0.decode(ConfigurationDidChangeNotification.self).configuration }
  }

  /// The settings as the form has them: who has set each, and its value.
  private func rows(_ world: EngineWorld) throws -> [String: WidgetConfiguration.Value] {
    let book = try #require(world.center.settings.book(of: EngineWorld.id))
    let set = book.rows.filter { $0.source == "program" }
    return Dictionary(
      uniqueKeysWithValues: set.compactMap { row in
        row.value.map { (row.declaration.name, $0) }
      }
    )
  }

  @Test func `what a widget sets after a press is in its settings, and it is told so`() throws {
    let first = try world()
    try first.open()
    first.press("place")
    #expect(
      try set(#""place":"Berlin","feeds":["https://a/","b"]"#, first).contains(#""result":{}"#)
    )
    let expected: [String: WidgetConfiguration.Value] = [
      "place": .string("Berlin"), "feeds": .list(["https://a/", "b"]),
    ]
    #expect(try rows(first) == expected)
    #expect(try changes(first).last?.values == expected.merging(["rows": .number(1)]) { $1 })
    #expect(first.runs.count == 1)
    // A list can be made empty, too.
    first.press("drop")
    #expect(try set(#""feeds":[]"#, first).contains(#""result":{}"#))
    #expect(try rows(first)["feeds"] == .list([]))
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(folder: first.folder)
    try second.open()
    let request = try #require(try second.widget.messages(InitializeRequest.self).first)
    #expect(request.configuration?.string("place") == "Berlin")
  }

  @Test(arguments: [
    (#""place":"Rome","token":"pst""#, "-32001", "token: only the user sets a secret"),
    (
      #""place":"Rome","file":"/home/ida/.ssh/id_rsa""#, "-32001", "file: only the user sets a file"
    ),
    (#""place":"Rome","rows":10"#, "-32602", "rows: expected a number of at most 9"),
    (#""place":"Rome","rows":"5""#, "-32602", "rows: expected a number"),
    (#""place":"Rome","zone":"Asia/Tokio""#, "-32602", "did you mean “Asia/Tokyo”?"),
    (#""place":"Rome","placed":"x""#, "-32602", "did you mean “place”?"),
    (#""place":"a\nb""#, "-32602", "without control characters"),
    (#""place":"Rome","feeds":[1]"#, "-32602", ""),
    (#""place":null"#, "-32602", ""),
  ])
  func `what a widget may not set is refused, and then nothing is stored`(
    values: String,
    code: String,
    words: String
  ) throws {
    let world = try world()
    try world.open()
    world.press("place")
    let answer = try set(values, world)
    #expect(answer.contains(code) && answer.contains(words), "\(answer)")
    #expect(try rows(world).isEmpty && changes(world).isEmpty)
  }

  @Test func `without a press, and some time after it, nothing is set`() throws {
    let world = try world()
    try world.open()
    #expect(try set(#""place":"Rome""#, world).contains("within 10 s of a press"))
    world.press("place")
    world.pass(.seconds(10))
    #expect(try set(#""place":"Rome""#, world).contains("within 10 s of a press"))
    world.press("place")
    world.center.setLocked(true)
    #expect(try set(#""place":"Rome""#, world).contains("-32001"))
    #expect(try rows(world).isEmpty)
  }

  @Test func `what config json sets stays, and the widget hears where`() throws {
    let world = try world()
    try world.open()
    var configuration = world.center.configuration
    configuration.widgetSettings =
      UserConfiguration(
        bytes: Array("{ widgets: { 'com.example.A': { place: 'Oslo' } } }".utf8),
        path: "config.json"
      ).settings.widgets
    world.center.apply(configuration)
    world.settle()
    world.press("place")
    let answer = try set(#""place":"Rome""#, world)
    #expect(answer.contains("-32001") && answer.contains("place is set at config.json:1:"))
    #expect(try changes(world).last?.string("place") == "Oslo" && rows(world).isEmpty)
  }
}
