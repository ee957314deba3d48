import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// What changes on an open page when the user saves other settings.
@Suite struct NewSettingsTests {
  private func world() throws -> EngineWorld {
    try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(3, "new"))}"#],
      first: #","view":\#(stack(2))"#
    )
  }

  private func updates(_ world: EngineWorld) throws -> Int {
    try world.widget.messages(WidgetPerformUpdateRequest.self).count
  }

  @Test func `another interval applies to a card that is already waiting`() throws {
    let world = try world()
    try world.open()
    #expect(try updates(world) == 1)
    var configuration = world.center.configuration
    configuration.schedule.standardInterval = .seconds(60)
    world.center.apply(configuration)
    world.pass(.seconds(62), step: .seconds(1))
    #expect(try updates(world) == 2)
    configuration.schedule.standardInterval = .seconds(1_000)
    world.center.apply(configuration)
    world.pass(.seconds(990), step: .seconds(1))
    #expect(try updates(world) == 2)
    world.pass(.seconds(20), step: .seconds(1))
    #expect(try updates(world) == 3)
  }

  @Test func `problems of the settings come and go, and others stay`() throws {
    let world = try world()
    try world.folder.widget("widgets/B.widget", "com.example.A")
    try world.open()
    let others = world.center.notices.problems
    #expect(!others.isEmpty)
    var configuration = world.center.configuration
    configuration.problems = ["config.json:1:2: one"]
    world.center.apply(configuration)
    #expect(world.center.notices.problems == others + ["config.json:1:2: one"])
    configuration.problems = ["config.json:1:2: two"]
    world.center.apply(configuration)
    #expect(world.center.notices.problems == others + ["config.json:1:2: two"])
    configuration.problems = []
    world.center.apply(configuration)
    #expect(world.center.notices.problems == others)
  }

  @Test func `problems that come before the bundles are looked for are shown once`() throws {
    let world = try world()
    var configuration = world.center.configuration
    configuration.problems = ["config.json:1:2: one"]
    world.center.apply(configuration)
    try world.open()
    #expect(world.center.notices.problems == ["config.json:1:2: one"])
  }

  @Test func `animation, URLs and characters are as they were set last`() throws {
    let world = try world()
    let widget = try world.open()
    var configuration = world.center.configuration
    configuration.animates = false
    configuration.glyphs = .ascii
    configuration.limits.urlBytes = 64
    configuration.limits.urlHops = 9
    configuration.openers = ["https": URLOpener(["w3m"])]
    let changes = world.changes
    world.center.apply(configuration)
    world.settle()
    #expect(world.changes == changes + 1)
    #expect(world.center.environment.glyphs == .ascii)
    #expect(world.center.urls.byteLimit == 64 && world.center.urls.router.byteLimit == 64)
    #expect(world.center.urls.router.hopLimit == 9)
    #expect(world.center.urls.router.openers == ["https": URLOpener(["w3m"])])
    world.pass(.seconds(2))
    widget.notify("setPreferredContentSize", #"{"height":9}"#)
    world.settle()
    #expect(!world.center.drawing.isAnimating && world.rows == 9)
  }
}
