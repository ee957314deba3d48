import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The settings of widgets on an open page.
@Suite struct WidgetSettingsChangeTests {
  private static let declaration =
    "TodaySettings = ({ name = rows; type = number; default = 1; maximum = 9; }, "
    + "{ name = token; type = secret; });"

  private func world(hearing: [String] = []) throws -> EngineWorld {
    try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData"}"#],
      hearing: hearing,
      first: #","view":\#(stack(2))"#,
      bundle: Self.declaration
    ) { $0.environment["SECRET"] = "pst" }
  }

  /// Saves config.json with this object for the widget.
  private func save(_ section: String, in world: EngineWorld) {
    var configuration = world.center.configuration
    configuration.widgetSettings =
      UserConfiguration(
        bytes: Array("{ widgets: { 'com.example.A': \(section) } }".utf8),
        path: "config.json"
      ).settings.widgets
    world.center.apply(configuration)
    world.settle()
  }

  private func first(_ widget: FakeWidget) throws -> WidgetConfiguration? {
    try #require(widget.messages(InitializeRequest.self).first).configuration
  }

  private func changes(_ widget: FakeWidget) throws -> [WidgetConfiguration] {
    try widget.received.filter { $0.kind == .notification(method: "configurationDidChange") }
      .map { try $0.decode(ConfigurationDidChangeNotification.self).configuration }
  }

  @Test func `a widget starts with its settings, and one without declarations with none`() throws {
    let world = try world()
    save("{ rows: 3 }", in: world)
    #expect(try first(world.open()) == WidgetConfiguration(["rows": .number(3)]))
    let plain = try EngineWorld()
    #expect(try first(plain.open()) == nil)
  }

  @Test func `a widget that can be told gets the new values and goes on`() throws {
    let world = try world(hearing: ["configurationDidChange"])
    let widget = try world.open()
    #expect(try first(widget)?.number("rows") == 1)
    save("{ rows: 4 }", in: world)
    #expect(try changes(widget) == [WidgetConfiguration(["rows": .number(4)])])
    #expect(try widget.messages(WidgetPerformUpdateRequest.self).last?.reason == .event)
    #expect(world.runs.count == 1)
  }

  @Test func `a widget that cannot be told is started again with them`() throws {
    let world = try world()
    let widget = try world.open()
    save("{ rows: 4 }", in: world)
    world.pass(.seconds(1))
    #expect(widget.methods.contains("shutdown"))
    #expect(world.runs.count == 2)
    #expect(try first(world.widget)?.number("rows") == 4)
    #expect(world.center.notices.problems == [])
  }

  @Test func `a change that concerns other widgets alone is not noticed`() throws {
    let world = try world()
    try world.open()
    save("{ rows: 1 }", in: world)
    var configuration = world.center.configuration
    configuration.widgetSettings =
      UserConfiguration(
        bytes: Array("{ widgets: { 'com.example.B': { rows: 5 } } }".utf8),
        path: "config.json"
      ).settings.widgets
    world.center.apply(configuration)
    world.pass(.seconds(1))
    #expect(world.runs.count == 1)
  }

  @Test func `a mistake is on the page while the old value stays in force`() throws {
    let world = try world(hearing: ["configurationDidChange"])
    save("{ rows: 3 }", in: world)
    let widget = try world.open()
    save("{ rows: 'x', raws: 1 }", in: world)
    let path = "widgets.\"com.example.A\""
    #expect(
      world.center.notices.problems.map(\.string) == [
        "config.json:1:39: \(path).rows: expected a number of at most 9, found 'x'",
        "config.json:1:44: \(path).raws: A has no setting “raws”; did you mean “rows”?",
      ]
    )
    #expect(try changes(widget).isEmpty)
    #expect(world.runs.count == 1)
    save("{ rows: 5 }", in: world)
    #expect(world.center.notices.problems == [])
    #expect(try changes(widget).last?.number("rows") == 5)
  }

  @Test func `a widget that failed is started again with other settings`() throws {
    let world = try world()
    try world.open()
    for _ in 0..<20 {
      try world.widget.crash()
      world.pass(.seconds(40), step: .seconds(1))
      if try world.card.state == .stopped { break }
    }
    #expect(try world.card.state == .stopped)
    let count = world.runs.count
    save("{ rows: 4 }", in: world)
    world.pass(.seconds(1))
    #expect(world.runs.count == count + 1)
    #expect(try first(world.widget)?.number("rows") == 4)
  }

  @Test func `a widget without a value that it must have is not started, and its card says what`()
    throws
  {
    let world = try EngineWorld(
      first: #","view":\#(stack(2))"#,
      bundle: "TodaySettings = ({ name = city; type = string; required = YES; });"
    )
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.pass(.seconds(30))
    #expect(world.runs.isEmpty)
    #expect(try world.card.state == .stopped)
    let words = "Needs the setting “city”: today settings com.example.A city VALUE"
    #expect(try world.card.message?.string == words)
    #expect(world.center.page.isSettled(EngineWorld.id))
    save("{ city: 'Oslo' }", in: world)
    world.settle()
    #expect(world.runs.count == 1)
    #expect(try first(world.widget)?.string("city") == "Oslo")
    #expect(try world.card.state == .live)
    #expect(try world.card.message == nil)
  }

  @Test func `a widget whose secret cannot be read is not started until it can`() throws {
    let world = try world()
    let secret = "\(world.folder.path)/token"
    save("{ token: { file: '\(secret)' } }", in: world)
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.settle()
    #expect(world.runs.isEmpty)
    #expect(
      try world.card.message?.string.hasPrefix("the secret “token” cannot be read: ") == true
    )
    world.center.input.retry(EngineWorld.id)
    world.settle()
    #expect(world.runs.isEmpty)
    try Data("pst\n".utf8).write(to: URL(filePath: secret))
    world.center.input.retry(EngineWorld.id)
    world.settle()
    #expect(try first(world.widget)?.string("token") == "pst")
    #expect(try world.card.state == .live)
  }

  @Test func `a quit does not wait for a widget that was not started`() throws {
    let world = try EngineWorld(
      bundle: "TodaySettings = ({ name = city; type = string; required = YES; });"
    )
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.settle()
    var hasEnded = false
    world.center.shutdown { hasEnded = true }
    world.settle()
    #expect(hasEnded)
  }

  @Test func `a process whose secret cannot be read is killed, and not started again`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    #expect(script.at(1, .withheld("no secret")) == [.signal(.kill)])
    let end = script.at(1, .ended(.signaled(9)))
    #expect(end.healths == [.health(.stopped, message: "no secret")])
    #expect(script.at(2, .configuration(WidgetConfiguration([:]))).contains(.launch(.appear)))
  }

  @Test func `a secret reaches the widget, and the trace has another word for it`() throws {
    let trace = "\(try BundleFolder().path).trace"
    defer { try? FileManager.default.removeItem(atPath: trace) }
    let world = try EngineWorld(
      [:],
      hearing: ["configurationDidChange"],
      bundle: Self.declaration
    ) {
      $0.environment["SECRET"] = "pst-pst"
      $0.tracePath = trace
    }
    save("{ token: { environment: 'SECRET' } }", in: world)
    let widget = try world.open()
    #expect(try first(widget)?.string("token") == "pst-pst")
    save("{ token: { environment: 'SECRET' }, rows: 2 }", in: world)
    #expect(try changes(widget).last?.string("token") == "pst-pst")
    save("{ token: { environment: 'NONE' } }", in: world)
    #expect(try changes(widget).last?.string("token") == nil)
    #expect(
      world.center.notices.problems.map(\.string) == [
        "A: the secret “token” cannot be read: the variable NONE is not set"
      ]
    )
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(!text.contains("pst-pst"))
    #expect(text.contains(#""token":"<secret>""#))
  }
}

/// What a session does with other settings.
@Suite struct SessionConfigurationTests {
  private let new = WidgetConfiguration(["rows": .number(2)])
  private var message: HostMessage {
    .configurationDidChange(ConfigurationDidChangeNotification(configuration: new))
  }

  @Test func `a process that is not ready is told when it is`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    #expect(script.at(.configuration(new)).isEmpty)
    #expect(script.initialize(["configurationDidChange"]).sent.contains(message))
  }

  @Test func `a process that is not ready is ended when it cannot be told`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    #expect(script.at(.configuration(new)).isEmpty)
    #expect(script.initialize().sent.contains(.shutdown))
    #expect(script.at(1, .ended(.exited(0))).contains(.launch(.appear)))
  }

  @Test func `without a process nothing is done, as the next one starts with them`() {
    let script = SessionScript()
    #expect(script.at(.configuration(new)).isEmpty)
  }

  @Test func `a suspended process is told when it is resumed`() {
    let script = SessionScript.live(["configurationDidChange", "viewWillAppear"])
    script.at(.deadline(.viewWillAppear))
    script.at(1, .disappear)
    script.at(2, .deadline(.suspension))
    #expect(script.state.isAtRest)
    #expect(script.at(3, .configuration(new)).isEmpty)
    #expect(script.state.isAtRest)
    #expect(script.at(4, .appear(size: .sample, animated: false)).sent.first == message)
  }
}
