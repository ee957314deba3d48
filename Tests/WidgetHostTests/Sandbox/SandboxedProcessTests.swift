import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

/// A process in a sandbox starts, is suspended and ends like one without.
@Suite(.timeLimit(.minutes(1))) struct SandboxedProcessTests {
  private func run(_ what: String, limits: HostLimits = HostLimits()) throws -> ChildRun {
    try ChildRun(
      "Hostile",
      environment: ["TODAY_TEST_HOSTILE": what],
      limits: limits,
      sandbox: .required
    )
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
    let run = try ChildRun("Stubborn", sandbox: .required)
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
    let run = try ChildRun("Good", sandbox: .required)
    await run.greet()
    #expect(run.lines.first?.contains("All is well") == true)
    run.process?.closeInput()
    await eventually("its end") { run.status != nil }
    #expect(run.status == .exited(0))
  }
}
