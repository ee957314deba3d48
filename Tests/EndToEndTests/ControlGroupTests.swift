import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The dashboard in a control group of its own, as in a service of systemd.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: OwnControlGroup.canBeMade),
  .timeLimit(.minutes(2))
)
struct ControlGroupTests {
  private func open(_ world: TestWorld, _ group: OwnControlGroup) throws -> PseudoTerminal {
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
    let group = try OwnControlGroup()
    let terminal = try open(world, group)
    try terminal.wait(for: "the daemon") { (_: TestScreen) in group.processes.count >= 2 }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a daemon without a mark ends with a page that is killed`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try OwnControlGroup()
    let terminal = try open(world, group)
    try terminal.wait(for: "the daemon") { (_: TestScreen) in group.processes.count >= 2 }
    terminal.signal(SIGKILL)
    try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
  }

  @Test func `a daemon without a mark is suspended with its widget`() throws {
    let world = try TestWorld(fixtures: ["Escaped"])
    let group = try OwnControlGroup()
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
    let group = try OwnControlGroup()
    let terminal = try open(world, group)
    try terminal.type("i")
    try terminal.waitForText("control group for")
    try terminal.type("qq")
    #expect(try world.run(["doctor"]).outputText.contains("control groups of widgets: none, as "))
    try world.saveConfiguration("{ controlGroups: false }")
    #expect(try world.run(["doctor"]).outputText.contains("the setting “controlGroups” is false"))
  }
}

/// A control group for a program, which is removed with all that is in it.
private final class OwnControlGroup {
  let folder: String

  private static let root = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
    unsafe access($0 + "/cgroup.procs", W_OK) == 0
  }

  static var canBeMade: Bool { root != nil && geteuid() == 0 }

  init() throws {
    let name = "today-page-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    folder = (Self.root ?? "") + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? Data("1".utf8).write(to: URL(filePath: folder + "/cgroup.kill"))
    for _ in 0..<1_000 where !isRemoved { sched_yield() }
  }

  private var groups: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/widgets")) ?? []
    return names.filter { Int($0) != nil }.map { "\(folder)/widgets/\($0)" }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
  }

  /// The processes of all widgets.
  var processes: [Substring] {
    groups.flatMap { Self.text($0 + "/cgroup.procs").split(separator: "\n") }
  }

  /// Whether there are groups of widgets, and all are frozen.
  var isFrozen: Bool {
    !groups.isEmpty && groups.allSatisfy { Self.text($0 + "/cgroup.events").contains("frozen 1") }
  }

  private var isRemoved: Bool {
    for path in groups + [folder + "/widgets", folder + "/host"] { unsafe rmdir(path) }
    return unsafe rmdir(folder) == 0
  }
}
