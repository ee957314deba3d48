import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// A bundle that is changed while the card is on the page.
@Suite struct ChangedBundleTests {
  private func openWorld() throws -> EngineWorld {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":"old"}"#],
      first: #","view":"old""#
    )
    try world.open()
    #expect(world.picture == ["old"])
    return world
  }

  private func change(_ world: EngineWorld) throws {
    let program = "\(world.folder.path)/widgets/A.widget/run"
    try Data("#!/bin/sh\nexit 0\n".utf8).write(to: URL(filePath: program))
  }

  @Test func `r starts the program that has changed`() throws {
    let world = try openWorld()
    let old = try world.widget
    try change(world)
    world.answers["widgetPerformUpdate"] = #"{"result":"newData","view":"new"}"#
    world.center.updates.refresh(EngineWorld.id)
    #expect(world.picture == ["old"])
    world.settle()
    #expect(old.methods.last == "shutdown")
    #expect(old.isInputClosed)
    #expect(old.signals.isEmpty)
    #expect(world.runs.count == 2)
    world.pass(.seconds(1))
    #expect(world.picture == ["new"])
    #expect(try world.card.state == .live)
    // And the one that runs now is the one on the disk.
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == 2)
  }

  @Test func `r starts a program whose entitlements have changed, or have gone`() throws {
    let world = try openWorld()
    let entitlements = "\(world.folder.path)/widgets/A.widget/Entitlements.plist"
    try Data("{ \"org.today.process-info\" = YES; }".utf8).write(to: URL(filePath: entitlements))
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == 2)
    let inspection = try #require(world.center.inspection(of: EngineWorld.id))
    let permissions = inspection.confinement.string
    #expect(permissions.contains("see all processes of this machine"), "\(permissions)")
    try FileManager.default.removeItem(atPath: entitlements)
    world.center.updates.refresh(nil)
    world.settle()
    #expect(world.runs.count == 3)
  }

  @Test func `r without a change updates the running process`() throws {
    let world = try openWorld()
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == 1)
    #expect(try !world.widget.isInputClosed)
  }

  @Test func `an old process that does not exit is killed, and the new one starts`() throws {
    let world = try openWorld()
    let old = try world.widget
    old.isDeaf = true
    try change(world)
    world.center.updates.refresh(EngineWorld.id)
    world.pass(.seconds(1), step: .milliseconds(100))
    #expect(world.runs.count == 1)
    world.pass(.seconds(6), step: .milliseconds(100))
    #expect(old.signals == [.terminate, .kill])
    #expect(world.runs.count == 2)
  }

  @Test func `r applies the name and the interval of a changed manifest`() throws {
    let world = try openWorld()
    try world.folder.widget(
      "widgets/A.widget",
      EngineWorld.id.bundleIdentifier,
      attributes: "TodayRefreshInterval = 77;",
      name: "Another name"
    )
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(try world.card.name == "Another name")
    #expect(world.runs.count == 2)
    let session = try #require(world.center.page.controllers.first?.session)
    #expect(session.bundle.infoPlist.widgetExtension?.refreshInterval == 77)
  }

  @Test func `r starts the executable of a changed manifest`() throws {
    let world = try openWorld()
    let old = try world.widget
    let bundle = "\(world.folder.path)/widgets/A.widget"
    try FileManager.default.copyItem(atPath: "\(bundle)/run", toPath: "\(bundle)/another")
    try world.folder.widget(
      "widgets/A.widget",
      EngineWorld.id.bundleIdentifier,
      executable: "another"
    )
    world.answers["widgetPerformUpdate"] = #"{"result":"newData","view":"new"}"#
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(old.methods.last == "shutdown")
    #expect(world.programs == ["\(bundle)/run", "\(bundle)/another"])
    #expect(world.center.notices.problems.isEmpty)
    world.pass(.seconds(1))
    #expect(world.picture == ["new"])
    // The old program may go now: it is not the one that a next start needs.
    try FileManager.default.removeItem(atPath: "\(bundle)/run")
    try world.widget.crash()
    world.pass(.seconds(2))
    #expect(world.programs.last == "\(bundle)/another")
    #expect(world.runs.count == 3)
  }

  @Test func `a broken manifest is reported and the running widget stays`() throws {
    let world = try openWorld()
    let manifest = URL(filePath: "\(world.folder.path)/widgets/A.widget/Info.plist")
    try Data("no list".utf8).write(to: manifest)
    for _ in 0..<3 {
      world.center.updates.refresh(EngineWorld.id)
      world.settle()
    }
    #expect(world.runs.count == 1)
    #expect(world.center.notices.problems.count { $0.string.contains("A.widget") } == 1)
    try world.folder.widget("widgets/A.widget", EngineWorld.id.bundleIdentifier, name: "Well")
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.center.notices.problems.isEmpty)
    #expect(try world.card.name == "Well")
  }

  @Test func `another identifier is another widget`() throws {
    let world = try openWorld()
    try world.folder.widget("widgets/A.widget", "com.example.Other")
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == 1)
    #expect(world.center.notices.problems.contains { $0.string.contains("com.example.Other") })
  }

  @Test func `a changed widget starts at once, without the pause after failures`() throws {
    let world = try openWorld()
    for _ in 0..<2 {
      try world.widget.crash()
      world.clock.advance(by: .zero)
    }
    let session = try #require(world.center.page.controllers.first?.session)
    #expect(session.state.phase == .pausing)
    let count = world.runs.count
    try change(world)
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == count + 1)
  }
}
