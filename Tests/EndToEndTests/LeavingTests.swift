import Glibc
import Testing
import WidgetTestSupport

/// However the program ends, the terminal is restored and no process is left.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct LeavingTests {
  /// Widgets that exit on request, that ignore it, and that leave processes.
  static let fixtures = ["Good", "Silent", "Forking", "Stubborn", "Daemonising"]

  private func openPage(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: 100, rows: 40)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("two left behind")
    try terminal.waitForText("two daemons")
    try terminal.waitForText("not leaving")
    return terminal
  }

  @Test func `after q no process is left and the terminal is restored`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `after a terminating signal no process is left and the terminal is restored`(number: Int32)
    throws
  {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    terminal.signal(number)
    try terminal.waitForEnd()
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `a closed terminal ends the program and its widgets`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    terminal.hangUp()
    try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: [SIGSEGV, SIGILL, SIGABRT])
  func `a crash of the program restores the terminal`(number: Int32) throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    terminal.signal(number)
    #expect(try terminal.waitForEnd() == .killed(signal: number))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `kill -9 of the program restores the terminal and leaves no process`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    #expect(terminal.attributes != terminal.originalAttributes)
    let start = ContinuousClock.now
    terminal.signal(SIGKILL)
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes && !terminal.screen.isAlternate
    }
    #expect(try terminal.waitForEnd() == .killed(signal: SIGKILL))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) < .seconds(2))
  }

  @Test func `kill -9 of the guardian first, and then of the program, changes nothing`()
    throws
  {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    let program = try #require(terminal.pid)
    let guardians = { ProcessList.children(of: program, named: "widget-guardian") }
    let first = try #require(guardians().first)
    kill(first, SIGKILL)
    try terminal.wait(for: "another guardian") { (_: TestScreen) in
      guardians().count == 1 && guardians() != [first]
    }
    terminal.signal(SIGKILL)
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes && !terminal.screen.isAlternate
    }
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `kill -9 of the guardian and of the program at once leaves nothing`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    let program = try #require(terminal.pid)
    let guardian = try #require(try guardians(terminal).first)
    // Stopped first, so that neither can react to the end of the other.
    kill(guardian, SIGSTOP)
    kill(program, SIGSTOP)
    kill(guardian, SIGKILL)
    kill(program, SIGKILL)
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes && !terminal.screen.isAlternate
    }
    #expect(try terminal.waitForEnd() == .killed(signal: SIGKILL))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `a warden that is killed is replaced, and one of a quit does not stay`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    let guardian = try #require(try guardians(terminal).first)
    let wardens = { ProcessList.descendants(of: guardian, named: "widget-warden") }
    try terminal.wait(for: "a warden") { (_: TestScreen) in wardens().count == 1 }
    let first = try #require(wardens().first)
    kill(first, SIGKILL)
    try terminal.wait(for: "another warden") { (_: TestScreen) in
      wardens().count == 1 && wardens() != [first]
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// The guardians of the program, which are its children while it runs.
  private func guardians(_ terminal: PseudoTerminal) throws -> [Int32] {
    ProcessList.children(of: try #require(terminal.pid), named: "widget-guardian")
  }

  @Test func `a stopped guardian is replaced, and a quit leaves no guardian`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    let first = try #require(try guardians(terminal).first)
    kill(first, SIGSTOP)
    try terminal.wait(for: "another guardian") { (_: TestScreen) in
      let now = (try? guardians(terminal)) ?? []
      return now.count == 1 && now != [first]
    }
    let second = try #require(try guardians(terminal).first)
    // Stopped in the moment of the quit: it does not matter whether it was noticed.
    kill(second, SIGSTOP)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(ProcessList.state(of: first) == nil)
    #expect(ProcessList.state(of: second) == nil)
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `the guardian ends with the program`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    let guardian = try #require(try guardians(terminal).first)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(ProcessList.state(of: guardian) == nil)
  }

  @Test func `kill -9 right after the guardian was stopped leaves nothing`() throws {
    let world = try TestWorld(fixtures: Self.fixtures)
    let terminal = try openPage(world)
    let guardian = try #require(try guardians(terminal).first)
    kill(guardian, SIGSTOP)
    terminal.signal(SIGKILL)
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes && !terminal.screen.isAlternate
    }
    #expect(try terminal.waitForEnd() == .killed(signal: SIGKILL))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `widgets are suspended and continued with the program`() throws {
    let world = try TestWorld(fixtures: ["Ticking"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("tick 1")
    let widgets = ProcessList.entries(naming: world.widgets)
      .filter { $0.commandLine.contains("Ticking.widget/ticking") }.map(\.pid)
    #expect(!widgets.isEmpty)
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { status in
        if case .stopped = status { true } else { false }
      }
    )
    // A signal to a process that waits for a processor arrives when it has one.
    let stand = { widgets.map { ProcessList.state(of: $0) }.allSatisfy { $0 == "T" } }
    for _ in 0..<200 where !stand() { try terminal.settle() }
    #expect(stand())
    terminal.foreground()
    try terminal.wait(for: "the page again") { $0.isAlternate && $0.contains("tick 2") }
    #expect(widgets.map { ProcessList.state(of: $0) }.allSatisfy { $0 != "T" })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `Ctrl-Z returns to the shell, and fg redraws the page`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    for _ in 0..<2 {
      try terminal.settle()
      try terminal.press(.controlZ)
      try terminal.wait(
        for: "the stop",
        status: { status in
          if case .stopped = status { true } else { false }
        }
      )
      try terminal.settle()
      try expectShellTerminal(terminal)
      terminal.foreground()
      try terminal.wait(for: "the page again") {
        $0.isAlternate && !$0.isCursorVisible && $0.contains("All is well")
      }
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
  }

  // MARK: - Expiring activities

  /// A page with a widget that begins an activity when its view disappears, or at its start.
  private func openActivity(_ world: TestWorld, _ kind: String) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(variables: ["TODAY_TEST_ACTIVITY": kind])
    try terminal.waitForText(kind == "early" ? "answered" : "expiring")
    return terminal
  }

  @Test(arguments: ["deaf", "flood", "early"])
  func `the prompt is back while an activity continues, which ends after 10 s`(kind: String)
    throws
  {
    let world = try TestWorld(fixtures: ["Expiring"])
    let terminal = try openActivity(world, kind)
    let start = ContinuousClock.now
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(start.duration(to: .now) < .seconds(4))
    try expectShellTerminal(terminal)
    #expect(!ProcessList.entries(naming: world.widgets).isEmpty)
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) > .seconds(9))
  }

  @Test func `neither signals nor the end of the terminal disturb what continues after a quit`()
    throws
  {
    let world = try TestWorld(fixtures: ["Expiring"])
    let terminal = try openActivity(world, "deaf")
    let start = ContinuousClock.now
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let leaving = ProcessList.all(named: "widget-leaving")
    #expect(!leaving.isEmpty)
    for number in [SIGTERM, SIGHUP, SIGINT] {
      for process in leaving { kill(process, number) }
    }
    terminal.hangUp()
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) > .seconds(9))
  }

  @Test func `what continues after a quit does not disturb the next page`() throws {
    let world = try TestWorld(fixtures: ["Expiring"])
    let first = try openActivity(world, "deaf")
    try first.type("q")
    #expect(try first.waitForEnd() == .exited(code: 0))
    let left = ProcessList.entries(naming: world.widgets).map(\.pid)
    #expect(!left.isEmpty)
    let second = try openActivity(world, "early")
    let isGone = { left.allSatisfy { ProcessList.state(of: $0).map { $0 == "Z" } ?? true } }
    try second.wait(for: "the end of the first widget") { (_: ProgramStatus) in isGone() }
    try second.settle()
    #expect(second.screen.contains("answered"))
    second.signal(SIGKILL)
    #expect(world.processesLeft() == [])
  }

  @Test func `kill -9 of the program ends widgets with open activities at once`() throws {
    let world = try TestWorld(fixtures: ["Expiring"])
    let terminal = try openActivity(world, "early")
    let start = ContinuousClock.now
    terminal.signal(SIGKILL)
    #expect(try terminal.waitForEnd() == .killed(signal: SIGKILL))
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) < .seconds(4))
  }
}
