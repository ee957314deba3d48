import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// A page with the real processes of one fixture widget, in a new world.
final class RealPage {
  let world: TestWorld
  let center: WidgetCenter

  /// Creates the page with a visible card.
  init(
    _ fixture: String,
    environment more: [String: String] = [:],
    sharesGroup: Bool = false,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws {
    world = try sharesGroup ? Self.worldWithGroup(fixture) : Self.world(fixture)
    var configuration = CenterConfiguration(
      environment: world.environment().merging(more) { $1 },
      executablePath: "\(world.path)/bin/today"
    )
    configuration.widgetFolders = [world.widgets]
    configure(&configuration)
    center = try WidgetCenter(configuration)
    center.screen.setWidth(40)
    center.load()
    center.screen.setVisible(Set(center.page.all.map(\.id)))
  }

  /// A world with a fixture in an app, with which it shares the group `group.example`.
  private static func worldWithGroup(_ fixture: String) throws -> TestWorld {
    let world = try TestWorld()
    let app = "\(world.widgets)/Fixture.app"
    let groups = #"{ "com.apple.security.application-groups" = ("group.example"); }"#
    let bundle = try world.add(fixture: fixture, below: "\(app)/PlugIns")
    try world.write(groups, to: "\(bundle)/Entitlements.plist")
    try world.write(groups, to: "\(app)/Entitlements.plist")
    try world.write(
      #"{ CFBundleIdentifier = "com.example.fixture"; CFBundleExecutable = run; }"#,
      to: "\(app)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(app)/run")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(app)/run")
    return world
  }

  /// A world with a fixture in it; one in Swift is a program that was built along with the tests.
  private static func world(_ fixture: String) throws -> TestWorld {
    guard fixture.hasSuffix("Fixture") else { return try TestWorld(fixtures: [fixture]) }
    let world = try TestWorld(fixtures: ["Good"])
    let tests = try #require(SymbolicLink.target("/proc/self/exe"))
    let folder = URL(filePath: tests).deletingLastPathComponent()
    let program = "\(world.widgets)/Good.widget/good"
    try FileManager.default.removeItem(atPath: program)
    try FileManager.default.copyItem(
      atPath: folder.appending(path: fixture).path(percentEncoded: false),
      toPath: program
    )
    return world
  }

  var controller: CardRuntime { get throws { try #require(center.page.controllers.first) } }
  var session: WidgetSession { get throws { try #require(try controller.session) } }
  var card: Card { get throws { try controller.card } }

  /// The text of the card's view, if it is one text.
  var text: String? {
    guard case .text(let content)? = center.page.controllers.first?.card.view?.content else {
      return nil
    }
    return content.spans.map(\.text.string).joined()
  }

  /// Waits until the live view is there.
  func appear() async throws {
    try await eventually("a live card") { try self.card.state == .live }
  }

  /// Hides the card, without the delay of the page.
  func disappear() throws {
    try session.handle(.disappear)
  }

  /// Waits until the widget is suspended, and returns its processes.
  func suspended() async throws -> [Int32] {
    try await eventually("a suspended widget") { try self.session.state.rest == .suspended }
    return try members
  }

  /// All processes of the widget, also those that have left its group.
  var members: [Int32] {
    get throws {
      let run = try #require(try session.processRun)
      return (ProcessGroups.members(of: [run])[run] ?? []).sorted()
    }
  }

  /// The number of the widget's processes.
  var processCount: Int? {
    get throws {
      ProcessGroups.present(try #require(try session.processRun))?.use.processes
    }
  }

  /// The text of the log.
  var log: String { get throws { center.folders.readLog(of: try card.id) ?? "" } }

  /// Ends the page, and checks that no process is left.
  func end() async {
    var isDone = false
    center.shutdown { isDone = true }
    await eventually("the end") { isDone }
    #expect(world.processesLeft().isEmpty)
  }
}

/// The state of a process (proc_pid_stat(5)).
struct ProcessState: Equatable {
  /// `R` running, `S` asleep, `T` stopped, `Z` dead.
  var letter: String
  /// utime and stime together, in clock ticks.
  var ticks: Int

  init?(_ pid: Int32) {
    // The name in parentheses may hold anything; the fields begin behind its last `)`.
    guard let text = ProcFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return nil
    }
    letter = String(fields[0])
    ticks = user + system
  }
}
