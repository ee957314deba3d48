import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// No process of a widget is left, whatever it does.
@Suite(.timeLimit(.minutes(2))) struct ContainmentTests {
  private func daemons(of run: FixtureRun) -> [ProcessList.Entry] {
    ProcessList.entries(naming: run.world.path).filter { $0.commandLine.contains("daemon ") }
  }

  /// Descriptors on processes that were collected: `Pid:	-1` in their fdinfo (pidfd_open(2)).
  private func deadProcessDescriptors() -> Int {
    let folder = "/proc/self/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { ProcFile.text("\(folder)/\($0)")?.contains("Pid:\t-1") == true }
  }

  @Test(
    "fifty runs of a widget that daemonises leave no process, zombie or descriptor",
    arguments: ["exit", "crash", "hang", "closed input", "kill"]
  )
  func fiftyEnds(how: String) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<10 { group.addTask { try await self.daemonise(andThen: how) } }
    }
    await eventually("no descriptor on a dead process") { deadProcessDescriptors() == 0 }
  }

  private func daemonise(andThen how: String) async throws {
    let run = try FixtureRun("Daemonising")
    await run.greet()
    await eventually("both daemons") { daemons(of: run).count == 2 }
    let left = daemons(of: run).map(\.pid)
    let pipes = Set(try run.descriptors().values)
    switch how {
    case "closed input": run.process?.closeInput()
    case "kill": run.process?.signal(.kill)
    default: run.request(PerformActionRequest(action: how))
    }
    if how == "hang" { run.process?.signal(.kill) }
    await eventually("its end") { run.status != nil }
    #expect(run.status != .unknown)
    #expect(run.world.processesLeft() == [])
    #expect(ProcessList.state(of: run.pid) == nil)
    await eventually("the daemons to be collected") {
      left.allSatisfy { ProcessList.state(of: $0) == nil }
    }
    try await eventually("the pipes to be closed") {
      try FixtureRun.descriptors(of: "self").values.allSatisfy { !pipes.contains($0) }
    }
  }

  @Test("processes left by one run are killed, those of another run are not")
  func oneRunOnly() async throws {
    let going = try FixtureRun("Daemonising")
    let staying = try FixtureRun("Daemonising")
    await going.greet()
    await staying.greet()
    await eventually("all daemons") { daemons(of: going).count + daemons(of: staying).count == 4 }
    await going.kill()
    #expect(going.world.processesLeft() == [])
    #expect(daemons(of: staying).count == 2)
    #expect(staying.status == nil)
    await staying.kill()
    #expect(staying.world.processesLeft() == [])
  }

  @Test("a guardian that is killed is collected and replaced")
  func guardianIsReplaced() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    let guardians = { ProcessList.children(of: getpid(), named: "widget-guardian") }
    await eventually("the guardian") { guardians().count == 1 }
    let first = try #require(guardians().first)
    kill(first, SIGKILL)
    await eventually("another") {
      let present = guardians()
      return present.count == 1 && present != [first]
    }
    #expect(ProcessList.state(of: first) == nil)
    #expect(run.status == nil)
    await run.kill()
  }

  @Test("a guardian that is stopped is replaced without a delay")
  func stoppedGuardianIsReplaced() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    let guardians = { ProcessList.children(of: getpid(), named: "widget-guardian") }
    await eventually("the guardian") { guardians().count == 1 }
    for _ in 0..<3 {
      let first = try #require(guardians().first)
      kill(first, SIGSTOP)
      await eventually("another") {
        let present = guardians()
        return present.count == 1 && present != [first]
      }
      #expect(ProcessList.state(of: first) == nil)
    }
    await run.kill()
  }

  @Test("a process left by the handler of a link continues when widgets end")
  func handlersMayDaemonise() async throws {
    let run = try FixtureRun("Daemonising")
    await run.greet()
    let handler = "\(run.world.path)/xdg-open"
    // One stays in the handler's group, as a browser does that xdg-open starts; one leaves it.
    try run.world.write(
      """
      #!/bin/sh
      cd '\(run.world.path)/home'
      sleep 3600 &
      setsid sleep 3600 &
      exit 0

      """,
      to: handler
    )
    // The machine may have a browser, which would be asked for.
    try run.world.write("#!/bin/sh\nexit 1\n", to: "\(run.world.path)/xdg-mime")
    for program in [handler, "\(run.world.path)/xdg-mime"] { chmod(program, 0o755) }
    let router = URLRouter(
      environment: ["PATH": "\(run.world.path):/usr/bin:/bin"],
      clock: SystemClock()
    )
    router.handover = { _ in }
    var answers: [URLRefusal?] = []
    router.open("https://example.com/") { answers.append($0) }
    await eventually("the handler's end") { !answers.isEmpty }
    #expect(answers == [nil])
    await run.kill()
    await eventually("the end of the daemons") { daemons(of: run).isEmpty }
    let left = {
      ProcessList.entries(naming: run.world.path).filter { $0.commandLine.hasPrefix("sleep") }
    }
    await eventually("both of the handler's") { left().count == 2 }
  }

  @Test("a child that was collected elsewhere has an unknown status, not success")
  func stolenEnd() async throws {
    var status: TerminationStatus?
    let launch = LaunchDescription(
      program: "/bin/sh",
      arguments: ["-c", "exit 0"],
      environment: [:]
    )
    let child = try ChildProcess(launch, .detached) { status = $0 }
    var code: Int32 = 0
    #expect(unsafe waitpid(child.pid, &code, 0) == child.pid)
    await eventually("its end") { status != nil }
    #expect(status == .unknown)
  }
}
