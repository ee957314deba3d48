import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// After a quit, a widget with a granted activity has what it needs to finish.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct FinishingTests {
  private static let group = "group.com.example.finishing"

  /// A world with an app and its widget, which share a group.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    let bundle = "\(world.widgets)/Finishing.app"
    try world.add(fixture: "Finishing", below: "\(bundle)/PlugIns")
    try world.write(
      "{ CFBundleIdentifier = \"com.example.finishing\"; CFBundleExecutable = run; }",
      to: "\(bundle)/Info.plist"
    )
    try world.write(
      "{ \"com.apple.security.application-groups\" = (\"\(Self.group)\"); }",
      to: "\(bundle)/Entitlements.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(bundle)/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(bundle)/run"
    )
    return world
  }

  private func text(_ path: String, _ world: TestWorld) -> String {
    let bytes = FileManager.default.contents(atPath: "\(world.path)/data/today/\(path)")
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  private func count(_ world: TestWorld) -> String { text("groups/\(Self.group)/count", world) }

  private func story(_ world: TestWorld) -> [String] {
    text("containers/com.example.finishing.today/story", world)
      .split(separator: "\n").map(String.init)
  }

  private func coordinate(_ arguments: [String], _ world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["--widgets", world.widgets, "coordinate"] + arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  private func quit(_ world: TestWorld, _ kind: String) throws -> ContinuousClock.Instant {
    let terminal = try world.openDashboard(variables: ["TODAY_TEST_FINISH": kind])
    try terminal.waitForText("ready")
    try terminal.settle()
    let start = ContinuousClock.now
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(start.duration(to: .now) < .seconds(2))
    return start
  }

  @Test(arguments: ["", "waits"])
  func `a coordinated write and a change of defaults are finished after a quit`(kind: String) throws
  {
    let world = try world()
    _ = try quit(world, kind)
    #expect(world.processesLeft() == [])
    #expect(count(world) == "first second")
    #expect(story(world).suffix(3) == ["finished", "shutdown", "exits"])
    #expect(try world.run(["defaults", "read", Self.group, "count"]).outputText.contains("1"))
  }

  @Test func `a coordinated access after a quit keeps others out until it ends`() throws {
    let world = try world()
    _ = try quit(world, "")
    let file = "\(world.path)/data/today/groups/\(Self.group)/count"
    let other = try coordinate(["read", file, "--", "cat", file], world)
    #expect(other.outputText == "first second", "\(other.errorText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `an access that is not ended after a quit ends with its widget after 10 s`() throws {
    let world = try world()
    let start = try quit(world, "keeps")
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) > .seconds(9))
    // Before it is killed it may see that its messages have ended.
    #expect(story(world).filter { $0 != "end of file" } == ["keeps", "expired"])
    let file = "\(world.path)/data/today/groups/\(Self.group)/count"
    let next = try coordinate(["write", file, "--timeout", "1", "--", "true"], world)
    #expect(next.status == .exited(code: 0), "\(next.errorText)")
  }

  @Test func `kill -9 of the process that serves a widget after a quit leaves nothing`() throws {
    let world = try world()
    let start = try quit(world, "keeps")
    let server = {
      ProcessList.entries(withVariablesNaming: world.path)
        .filter { $0.commandLine.contains("serve-leaving") }.map(\.pid)
    }
    let deadline = TestDeadline.next
    while server().isEmpty, ContinuousClock.now < deadline { sched_yield() }
    for process in server() { kill(process, SIGKILL) }
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) < .seconds(6))
  }
}
