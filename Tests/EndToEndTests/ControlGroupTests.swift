import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The dashboard in a control group of its own, as in a service of systemd.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: TestControlGroup.canBeMade),
  .timeLimit(.minutes(5))
)
struct ControlGroupTests {
  private func open(_ world: TestWorld, _ group: TestControlGroup) throws -> PseudoTerminal {
    try world.saveConfiguration(#"{ sandbox: "off" }"#)
    let today = world.today()
    let program = ProgramDescription(
      "/bin/sh",
      ["-c", #"echo $$ > "$0/cgroup.procs"; exec "$@""#, group.folder, today.path]
        + today.arguments,
      environment: today.environment,
      directory: world.path
    )
    let terminal = try PseudoTerminal(program, columns: 80, rows: 24)
    try terminal.waitForText("one escaped")
    return terminal
  }

  @Test func `a daemon without a mark ends with the page`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try TestControlGroup()
    let terminal = try open(world, group)
    try terminal.wait(for: "the daemon") { (_: TestScreen) in group.processes.count >= 2 }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a daemon without a mark ends with a page that is killed`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try TestControlGroup()
    let terminal = try open(world, group)
    try terminal.wait(for: "the daemon") { (_: TestScreen) in group.processes.count >= 2 }
    terminal.signal(SIGKILL)
    try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
  }

  @Test func `a daemon without a mark is suspended with its widget`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try TestControlGroup()
    let terminal = try open(world, group)
    try terminal.type("H")
    try terminal.wait(for: "a frozen group") { (_: TestScreen) in group.isFrozen }
    try terminal.type("H")
    try terminal.wait(for: "a group that works") { (_: TestScreen) in !group.isFrozen }
    try terminal.waitForText("one escaped")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `the inspector and doctor say what the kernel does`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try TestControlGroup()
    let terminal = try open(world, group)
    try terminal.type("i")
    try terminal.waitForText("control group for")
    try terminal.type("qq")
    #expect(try world.run(["doctor"]).outputText.contains("control groups of widgets: none, as "))
    try world.saveConfiguration("{ controlGroups: false }")
    #expect(try world.run(["doctor"]).outputText.contains("the setting “controlGroups” is false"))
  }
}
