import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Without a writable disk the page works, and only stored data is lost.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DiskTroubleTests {
  private let words = "Snapshots cannot be written"

  private func expectUse(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.waitForText("updates: 1")
    try terminal.waitForText(words)
    #expect(terminal.screen.rows.count { $0.contains(words) } == 1)
    try terminal.settle()
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("extra row 8")
    // In one place, however often it fails.
    #expect(terminal.screen.rows.count { $0.contains(words) } <= 1)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test("without disk space the page works from memory")
  func noBytesLeft() throws {
    let world = try TestWorld(fixtures: ["Good"])
    var program = world.today()
    // RLIMIT_FSIZE of nothing: each write fails as on a disk that is full.
    let command = (["exec", program.path] + program.arguments).joined(separator: " ")
    program = ProgramDescription(
      "/bin/sh",
      ["-c", "ulimit -f 0; \(command)"],
      environment: program.environment,
      directory: program.directory
    )
    try expectUse(PseudoTerminal(program, columns: 80, rows: 30), world)
    let folder = "\(world.path)/cache/today/snapshots"
    let left = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    #expect(left.filter { $0.hasSuffix(".tmp") } == [])
  }

  @Test("without a state folder the page works from memory")
  func noFolder() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try FileManager.default.removeItem(atPath: "\(world.path)/cache")
    try world.write("a file where a folder should be", to: "\(world.path)/cache")
    try expectUse(world.openDashboard(columns: 80, rows: 30), world)
  }

  private let stateWords = "The page cannot be written"

  private func expectPageWithoutState(_ world: TestWorld) throws {
    let terminal = try world.openDashboard(columns: 80, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText(stateWords)
    #expect(terminal.screen.rows.count { $0.contains(stateWords) } == 1)
    #expect(terminal.screen.rows.first?.contains("problem") == true)
    // Nothing else is different: presses, updates, the end.
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("extra row 8")
    try terminal.type("r")
    try terminal.settle(calm: .milliseconds(200))
    #expect(terminal.screen.contains("extra row 8"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(world.processesLeft() == [])
  }

  @Test func `without a state folder the page is shown with a problem`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try FileManager.default.removeItem(atPath: "\(world.path)/state")
    try world.write("a file where a folder should be", to: "\(world.path)/state")
    try expectPageWithoutState(world)
    // Commands say that what was asked for is not kept.
    let run = try world.run(["remove", "Good"])
    #expect(run.status == .exited(code: 1))
    #expect(run.errorText.contains("\(world.path)/state"), "\(run.errorText)")
  }

  @Test(.disabled(if: geteuid() == 0, "root may write everywhere"))
  func `with a read-only state folder the page is shown with a problem`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    chmod("\(world.path)/state", 0o500)
    defer { chmod("\(world.path)/state", 0o700) }
    try expectPageWithoutState(world)
  }

  @Test("stored content stays readable when the disk is full")
  func oldPictureStays() throws {
    let world = try TestWorld(fixtures: ["Good"])
    _ = try world.run(["snapshot"])
    let program = world.today(["snapshot"], term: nil)
    let command = (["exec", program.path] + program.arguments).joined(separator: " ")
    _ = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "ulimit -f 0; \(command) | cat"],
        environment: program.environment,
        directory: program.directory
      )
    )
    #expect(try world.run(["snapshot", "--cached"]).outputText.contains("updates: 1"))
  }
}
