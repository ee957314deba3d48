import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// A process in a sandbox starts, is suspended and ends like one without.
@Suite(.timeLimit(.minutes(5))) struct SandboxedProcessTests {
  private func run(_ what: String, isPartial: Bool = false) throws -> FixtureRun {
    try FixtureRun(
      "Hostile",
      environment: ["TODAY_TEST_HOSTILE": what],
      sandbox: isPartial ? .automatic : .required,
      isPartial: isPartial
    )
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `in a partial sandbox a widget starts, is suspended and ends in the same way`() async throws
  {
    let crashing = try run("crash", isPartial: true)
    await eventually("its end") { crashing.status != nil }
    #expect(crashing.status == .signaled(SIGSEGV))
    #expect(crashing.log.contains("last words"))
    let polite = try run("term", isPartial: true)
    await eventually("its handler") { polite.lines == ["ready"] }
    polite.process?.signal(.terminate)
    await eventually("its end") { polite.status != nil }
    #expect(polite.status == .exited(0))
    #expect(polite.lines == ["ready", "politely"])
    let daemon = try run("daemon", isPartial: true)
    await eventually("it to be ready") { daemon.lines == ["ready"] }
    let process = try #require(daemon.process)
    let group = try #require(process.processRun)
    let processes = { ProcessGroups.members(of: [group])[group] ?? [] }
    await eventually("the daemon") { processes().count == 2 }
    #expect(process.suspend() == nil)
    await eventually("all to stop") {
      processes().allSatisfy { ProcessList.state(of: $0) == "T" }
    }
    process.signal(.resume)
    await daemon.kill()
    #expect(daemon.world.processesLeft() == [])
  }

  @Test(arguments: [
    ("exit", TerminationStatus.exited(3)), ("crash", .signaled(SIGSEGV)), ("spin", .exited(0)),
  ])
  func `its exit code or signal is reported`(what: String, status: TerminationStatus) async throws {
    let run = try run(what)
    await eventually("its end") { run.status != nil }
    #expect(run.status == status)
    if what == "crash" { #expect(run.log.contains("last words")) }
    if what == "spin" { #expect(try #require(run.process).cpu > .milliseconds(400)) }
    #expect(run.world.processesLeft() == [])
  }

  @Test func `SIGTERM gives it time to end`() async throws {
    let run = try run("term")
    await eventually("its handler") { run.lines == ["ready"] }
    run.process?.signal(.terminate)
    await eventually("its end") { run.status != nil }
    #expect(run.lines == ["ready", "politely"])
    #expect(run.status == .exited(0))
  }

  @Test func `a widget without a handler ends by SIGTERM`() async throws {
    let run = try FixtureRun("Stubborn", sandbox: .required)
    await run.greet()
    run.process?.signal(.kill)
    await eventually("its end") { run.status != nil }
    #expect(run.status == .signaled(SIGKILL))
    let daemon = try self.run("daemon")
    await eventually("it to be ready") { daemon.lines == ["ready"] }
    daemon.process?.signal(.terminate)
    await eventually("its end") { daemon.status != nil }
    #expect(daemon.status == .signaled(SIGTERM))
    #expect(daemon.world.processesLeft() == [])
  }

  @Test func `its daemons are suspended, counted and killed with it`() async throws {
    let run = try run("daemon")
    await eventually("it to be ready") { run.lines == ["ready"] }
    let process = try #require(run.process)
    let group = try #require(process.processRun)
    let processes = { ProcessGroups.members(of: [group])[group] ?? [] }
    await eventually("the daemon") { processes().count >= 4 }
    #expect(process.suspend() == nil)
    await eventually("all to stop") {
      processes().allSatisfy { ProcessList.state(of: $0) == "T" }
    }
    process.signal(.resume)
    await eventually("all to continue") {
      processes().allSatisfy { ProcessList.state(of: $0) != "T" }
    }
    await run.kill()
    #expect(run.world.processesLeft() == [])
  }

  @Test func `an end right after the start leaves nothing`() async throws {
    for delay in 0..<20 {
      let run = try run("daemon")
      usleep(UInt32(delay * 500))
      await run.kill()
      #expect(run.world.processesLeft() == [])
    }
  }

  @Test func `a fixture of the protocol works as without a sandbox`() async throws {
    let run = try FixtureRun("Good", sandbox: .required)
    await run.greet()
    #expect(run.lines.first?.contains("All is well") == true)
    run.process?.closeInput()
    await eventually("its end") { run.status != nil }
    #expect(run.status == .exited(0))
  }
}
