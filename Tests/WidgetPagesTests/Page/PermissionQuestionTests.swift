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

/// The question in a card what its widget may do.
@Suite struct PermissionQuestionTests {
  private static let frame = Rect(column: 0, row: 0, columns: 42, rows: 8)
  private static let network = #"{ "com.apple.security.network.client" = YES; }"#
  private static let both = #"""
    { "com.apple.security.network.client" = YES; "org.today.process-info" = YES; }
    """#

  /// A page with an installed widget that requests something.
  private func world(
    _ entitlements: String = network,
    folder: BundleFolder? = nil,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> EngineWorld {
    let folder = try folder ?? BundleFolder()
    let path = "home/.local/share/today/widgets/A.widget"
    try folder.widget(path, EngineWorld.id.bundleIdentifier)
    try Data(entitlements.utf8).write(
      to: URL(filePath: "\(folder.path)/\(path)/Entitlements.plist")
    )
    return try EngineWorld(first: #","view":"content""#, folder: folder) { configuration in
      configuration.widgetFolders = []
      configuration.showsAllWidgets = true
      configure(&configuration)
    }
  }

  /// Opens the page without waiting for a widget.
  private func open(_ world: EngineWorld) {
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.settle()
  }

  /// Draws the card, and presses a button when it has been there for some time.
  private func answer(
    _ answer: PermissionQuestion.Answer,
    in world: EngineWorld,
    after time: Duration = .milliseconds(600)
  ) throws {
    world.center.permissions.wasDrawn(EngineWorld.id, at: Self.frame)
    world.pass(time)
    try world.press(element: answer.rawValue)
    world.settle()
  }

  private func state(in world: EngineWorld) throws -> Permission.State? {
    let bundle = try #require(world.center.page.catalog.widgets.first)
    let configuration = world.center.configuration
    let book = PermissionBook(configuration.searchPaths, environment: configuration.environment)
    return book.permissions(of: bundle).first?.state
  }

  @Test func `a widget that asks is not started, and its card says what it asks for`()
    throws
  {
    let world = try world(Self.both)
    open(world)
    #expect(world.runs.isEmpty)
    #expect(try world.card.asksForPermission)
    let picture = world.picture.joined(separator: "\n")
    #expect(picture.contains("use the network"))
    #expect(picture.contains("see all processes of this machine"))
    let body = world.center.drawing.body(of: EngineWorld.id, at: world.clock.now)
    #expect(body?.from.targets.map(\.elementID) == ["grant", "once", "deny"])
  }

  @Test func `grant starts it and is kept`() throws {
    let world = try world()
    open(world)
    try answer(.grant, in: world)
    #expect(world.runs.count == 1)
    #expect(world.picture == ["content"])
    #expect(try !world.card.asksForPermission && world.card.state == .live)
    #expect(try state(in: world) == .granted)
    let next = try self.world(folder: world.folder)
    open(next)
    #expect(next.runs.count == 1)
  }

  @Test func `deny starts it without, and is kept`() throws {
    let world = try world(Self.both)
    open(world)
    try answer(.deny, in: world)
    #expect(world.picture == ["content"])
    #expect(try state(in: world) == .refused)
    let next = try self.world(Self.both, folder: world.folder)
    open(next)
    #expect(next.runs.count == 1)
  }

  @Test func `grant once lasts for all processes of the dashboard, and is not kept`() throws {
    let world = try world()
    open(world)
    try answer(.once, in: world)
    #expect(try state(in: world) == .open)
    try world.widget.crash()
    world.pass(.seconds(5))
    #expect(world.runs.count == 2)
    let next = try self.world(folder: world.folder)
    open(next)
    #expect(next.runs.isEmpty)
    #expect(try next.card.asksForPermission)
  }

  @Test
  func `a press counts when the question was still on the screen for half a second`()
    throws
  {
    let world = try world()
    open(world)
    // It is not on the screen.
    world.pass(.seconds(2))
    try world.press(element: "grant")
    world.settle()
    #expect(world.runs.isEmpty)
    try answer(.grant, in: world, after: .milliseconds(490))
    #expect(world.runs.isEmpty)
    #expect(world.center.notices.current?.string.contains("only just appeared") == true)
    // It moves.
    let moved = Self.frame.offset(columns: 0, rows: 1)
    world.center.permissions.wasDrawn(EngineWorld.id, at: moved)
    world.pass(.milliseconds(490))
    try world.press(element: "grant")
    #expect(world.runs.isEmpty)
    // Something was over it.
    world.center.permissions.wasDrawn(EngineWorld.id, at: nil)
    world.center.permissions.wasDrawn(EngineWorld.id, at: moved)
    world.pass(.milliseconds(490))
    try world.press(element: "grant")
    #expect(world.runs.isEmpty)
    world.pass(.milliseconds(10))
    try world.press(element: "grant")
    world.settle()
    #expect(world.runs.count == 1)
  }

  @Test func `a press on what was there before the question answers nothing`() throws {
    let world = try world()
    open(world)
    world.center.permissions.wasDrawn(EngineWorld.id, at: Self.frame)
    world.pass(.seconds(1))
    for action in ["grant", "/grant", "Grant"] {
      world.center.input.press(.action(action), on: EngineWorld.id)
    }
    world.settle()
    #expect(world.runs.isEmpty)
    #expect(try world.card.asksForPermission)
  }

  @Test func `a bundle that asks for more asks again, in place of its last content`()
    throws
  {
    let world = try world()
    open(world)
    try answer(.grant, in: world)
    world.center.shutdown {}
    world.pass(.seconds(3))
    let next = try self.world(Self.both, folder: world.folder)
    open(next)
    #expect(next.runs.isEmpty)
    let picture = next.picture.joined(separator: "\n")
    #expect(picture.contains("see all processes") && !picture.contains("use the network"))
    #expect(!picture.contains("content"))
    try answer(.deny, in: next)
  }

  @Test func `an answer that another program stores is taken over`() throws {
    let world = try world()
    open(world)
    let bundle = try #require(world.center.page.catalog.widgets.first)
    let configuration = world.center.configuration
    let book = PermissionBook(configuration.searchPaths, environment: configuration.environment)
    try book.set(true, [EntitlementRequest(.network)], of: bundle)
    world.center.permissions.recordsMayHaveChanged([])
    world.settle()
    #expect(world.runs.count == 1)
    #expect(try !world.card.asksForPermission)
    try book.set(false, [EntitlementRequest(.network)], of: bundle)
    world.center.permissions.recordsMayHaveChanged([])
    world.pass(.seconds(3))
    #expect(world.runs.count == 2)
  }

  @Test func `a locked page never asks, nor says what it denied; unlocked it asks`() throws {
    let world = try world { $0.isLocked = true }
    open(world)
    #expect(world.runs.count == 1)
    #expect(world.center.notices.problems.isEmpty)
    world.center.setLocked(false)
    world.pass(.seconds(3))
    #expect(try world.card.asksForPermission)
    #expect(world.center.notices.problems.isEmpty)
    world.center.setLocked(true)
    world.pass(.seconds(3))
    #expect(try !world.card.asksForPermission)
    #expect(world.runs.count == 2)
  }

  @Test func `a run without a person never asks`() throws {
    let world = try world { $0.schedulesUpdates = false }
    open(world)
    #expect(world.runs.count == 1)
    #expect(world.center.notices.problems.count == 1)
  }

  @Test func `an answer that cannot be stored is said, and the question stays`() throws {
    let world = try world()
    open(world)
    let folder = world.center.folders.permissions
    try FileManager.default.createDirectory(
      atPath: OwnPath.split(folder).folder,
      withIntermediateDirectories: true
    )
    try? FileManager.default.removeItem(atPath: folder)
    try Data().write(to: URL(filePath: folder))
    try answer(.grant, in: world)
    #expect(world.runs.isEmpty)
    #expect(world.center.notices.current?.string.contains("not answered") == true)
    #expect(try world.card.asksForPermission)
  }

  @Test(arguments: [0, 1, 5, 20, 33, 34, 80, 120])
  func `the buttons are whole at every width that has room for one of them`(columns: Int) {
    let question = PermissionQuestion(
      [
        EntitlementRequest(.network),
        EntitlementRequest(.homeFiles, items: ["Documents", "a/rather/long/path/below/the/home"]),
      ],
      name: "A",
      app: nil
    )
    let view = ViewLayout.layOut(
      question.view(columns: columns),
      width: columns,
      height: nil,
      in: LayoutEnvironment(now: Date(timeIntervalSince1970: 0))
    )
    #expect(view.size.columns == columns)
    guard columns >= 14 else { return }
    #expect(view.targets.compactMap { question.answer(of: $0) } == [.grant, .once, .deny])
    #expect(view.targets.map(\.frame.size.columns) == [9, 14, 8])
    #expect(view.targets.allSatisfy { $0.frame.maxColumn <= columns })
  }

  @Test(arguments: [["The sandbox is a partial one."], []] as [[SafeText]])
  func `a question says what is to be said about the sandbox`(remarks: [SafeText]) {
    let question = PermissionQuestion(
      [EntitlementRequest(.network)],
      name: "A",
      app: nil,
      remarks: remarks
    )
    #expect("\(question.view(columns: 80))".contains("partial one") != remarks.isEmpty)
    let other = PermissionQuestion([EntitlementRequest(.network)], name: "A", app: nil)
    #expect(question.isSame(as: other) == remarks.isEmpty)
  }

  @Test func `another question has other actions`() {
    let questions = (0..<2).map { _ in
      PermissionQuestion([EntitlementRequest(.network)], name: "A", app: nil)
    }
    let targets = questions.map { question in
      ViewLayout.layOut(
        question.view(columns: 40),
        width: 40,
        height: nil,
        in: LayoutEnvironment(now: Date(timeIntervalSince1970: 0))
      ).targets
    }
    #expect(targets[0].compactMap { questions[1].answer(of: $0) }.isEmpty)
    #expect(questions[0].isSame(as: questions[1]))
  }
}
