import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Several instances of one widget on a page.
@Suite struct InstanceTests {
  private static let travel = CardID("com.example.A", instance: InstanceName(rawValue: "travel"))
  private static let ids = [EngineWorld.id, travel]

  private static let declaration =
    "TodaySettings = ({ name = rows; type = number; default = 1; maximum = 9; }, "
    + "{ name = word; type = string; default = usual; });"

  /// A page with a widget and an instance of it, both visible.
  private func world(_ settings: String = "{}") throws -> EngineWorld {
    let folder = try BundleFolder()
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData"}"#],
      first: #","view":\#(stack(2))"#,
      bundle: Self.declaration,
      folder: folder
    ) { configuration in
      configuration.widgetSettings =
        UserConfiguration(bytes: Array("{ widgets: \(settings) }".utf8), path: "c.json")
        .settings.widgets
    }
    // The page is read when it is first used.
    try PageBook(
      world.center.configuration.searchPaths,
      environment: ["HOME": "\(folder.path)/home"]
    ).change([.add(Self.travel, page: nil)])
    world.center.screen.setWidth(40)
    world.center.screen.setVisible(Set(Self.ids))
    world.center.start()
    world.settle()
    return world
  }

  private func greeting(_ index: Int, _ world: EngineWorld) throws -> InitializeRequest {
    try #require(try world.runs[index].messages(InitializeRequest.self).first)
  }

  @Test func `each instance has a process, a name, folders and settings of its own`() throws {
    let world = try world(
      "{ 'com.example.A': { rows: 2, word: 'w' }, 'com.example.A:travel': { rows: 3 } }"
    )
    #expect(world.center.page.shown.map(\.id) == Self.ids)
    #expect(world.center.page.shown.map(\.name.string).map { $0.contains("·") } == [false, true])
    #expect(world.center.page.shown[1].name.string.hasSuffix(" · travel"))
    #expect(world.runs.count == 2)
    let greetings = try [greeting(0, world), greeting(1, world)]
    #expect(greetings.map(\.bundleIdentifier) == ["com.example.A", "com.example.A"])
    #expect(greetings.map(\.instance) == [nil, "travel"])
    #expect(greetings[0].containers != greetings[1].containers)
    #expect(greetings[1].containers.data.hasSuffix("/com.example.A:travel"))
    #expect(greetings.map { $0.configuration?.number("rows") } == [2, 3])
    // A member that the section of the instance does not have comes from that of the widget.
    #expect(greetings.map { $0.configuration?.string("word") } == ["w", "w"])
  }

  @Test func `a mistake in the section of a widget is reported once for all its instances`() throws
  {
    let world = try world("{ 'com.example.A': { rows: 20 } }")
    #expect(world.center.notices.problems.count == 1)
    #expect(world.center.notices.problems.first?.string.contains("rows") == true)
  }

  @Test func `each instance has content, a log and updates of its own`() throws {
    let world = try world()
    world.runs[0].notify("setView", #"{"view":\#(stack(3, "usual"))}"#)
    world.runs[1].notify("setView", #"{"view":\#(stack(5, "travel"))}"#)
    world.pass(.seconds(3))
    #expect(world.center.page.shown.map(\.bodySize.rows) == [3, 5])
    let files = try world.snapshotFiles().keys.sorted()
    #expect(files.contains { $0.hasPrefix("com.example.A:travel/") })
    #expect(files.contains { $0.hasPrefix("com.example.A/") })
    world.runs[1].crash()
    world.settle()
    #expect(world.runs.count == 3, "one of them is started again")
    #expect(world.center.folders.readLog(of: Self.travel) != nil)
    let updates = try world.runs[0].messages(WidgetPerformUpdateRequest.self).count
    world.center.updates.refresh(Self.travel)
    world.settle()
    #expect(try world.runs[0].messages(WidgetPerformUpdateRequest.self).count == updates)
  }

  @Test func `an instance that has nothing to show hides itself alone`() throws {
    let world = try world()
    world.runs[1].say(
      #"{"jsonrpc":"2.0","id":"h","method":"setHasContent","params":{"flag":false,"bundleIdentifier":"com.example.A"}}"#
    )
    world.pass(.seconds(1))
    #expect(world.center.page.shown.map(\.id) == [EngineWorld.id])
    #expect(world.center.contentFlags.hasContent(EngineWorld.id))
    #expect(!world.center.contentFlags.hasContent(Self.travel))
  }

  @Test func `the settings of a card in pages come before those of its widget`() throws {
    let user = UserConfiguration(
      bytes: Array(
        """
        { widgets: { 'com.example.A': { rows: 2, word: 'w' }, 'com.example.A:travel': { rows: 3 } },
          pages: [{ name: 'Home', cards: [
            'com.example.A', { widget: 'com.example.A', instance: 'travel', settings: { rows: 4 } }] }] }
        """.utf8
      ),
      path: "c.json"
    )
    #expect(user.problems == [])
    let entries = user.settings.widgets.entries(of: Self.travel)
    #expect(entries["rows"]?.value == .number(4))
    #expect(entries["rows"]?.place == "c.json:3:87")
    #expect(entries["word"]?.value == .string("w"))
    #expect(user.settings.widgets.entries(of: EngineWorld.id)["rows"]?.value == .number(2))
  }
}
