import Glibc
import Testing
import WidgetTestSupport

/// A blocked or slow terminal delays pictures, but never keys.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct BlockedTerminalTests {
  /// A page on a terminal that no longer accepts output.
  private func openBlockedPage(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: 200, rows: 50)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("tick 1")
    try terminal.block(columns: 200, rows: 50)
    return terminal
  }

  private func expectEnd(
    _ terminal: PseudoTerminal,
    _ world: TestWorld,
    after start: ContinuousClock.Instant,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try terminal.waitForEnd()
    #expect(start.duration(to: .now) < .seconds(2), sourceLocation: sourceLocation)
    #expect(terminal.attributes == terminal.originalAttributes, sourceLocation: sourceLocation)
    #expect(world.processesLeft() == [], sourceLocation: sourceLocation)
    // What it gets when it goes on undoes the screen, also after half a sequence.
    try expectShellScreen(terminal, sourceLocation: sourceLocation)
  }

  private func expectShellScreen(
    _ terminal: PseudoTerminal,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    terminal.readLimit = nil
    try terminal.settle()
    #expect(!terminal.screen.isAlternate, sourceLocation: sourceLocation)
    #expect(terminal.screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(!terminal.screen.reportsMouse, sourceLocation: sourceLocation)
  }

  @Test func `q quits on a blocked terminal`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    let start = ContinuousClock.now
    try terminal.type("q")
    try expectEnd(terminal, world, after: start)
    #expect(terminal.status == .exited(code: 0))
  }

  @Test(arguments: [nil, SIGTERM, SIGHUP])
  func `a terminal whose output another program has stopped is given back`(number: Int32?) throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking"])
    let terminal = try world.openDashboard(columns: 100, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("tick 1")
    try terminal.stopOutput()
    let start = ContinuousClock.now
    if let number { terminal.signal(number) } else { try terminal.type("q") }
    try expectEnd(terminal, world, after: start)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal ends the program on a blocked terminal`(number: Int32) throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    let start = ContinuousClock.now
    terminal.signal(number)
    try expectEnd(terminal, world, after: start)
    #expect(terminal.status == .exited(code: 0))
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGKILL])
  func `a crash restores a blocked terminal`(number: Int32) throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    let start = ContinuousClock.now
    terminal.signal(number)
    try terminal.waitForEnd()
    #expect(terminal.status == .killed(signal: number))
    try terminal.wait(for: "the settings") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes
    }
    #expect(world.processesLeft() == [])
    #expect(start.duration(to: .now) < .seconds(2))
    terminal.readLimit = nil
    try terminal.wait(for: "the shell's screen") { (_: ProgramStatus) in
      !terminal.screen.isAlternate
    }
    try expectShellScreen(terminal)
  }

  @Test func `a blocked terminal that is closed ends the program`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    let start = ContinuousClock.now
    terminal.hangUp()
    try terminal.waitForEnd()
    #expect(start.duration(to: .now) < .seconds(2))
    #expect(world.processesLeft() == [])
  }

  @Test func `Ctrl-Z suspends on a blocked terminal, and fg continues`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    let start = ContinuousClock.now
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { status in
        if case .stopped = status { true } else { false }
      }
    )
    #expect(start.duration(to: .now) < .seconds(2))
    #expect(terminal.attributes == terminal.originalAttributes)
    try expectShellScreen(terminal)
    terminal.foreground()
    try terminal.wait(for: "the page again") { $0.isAlternate && $0.contains("All is well") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a terminal that is unblocked shows the newest picture`() throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try openBlockedPage(world)
    try terminal.resize(columns: 120, rows: 40)
    try terminal.type("?")
    let next = ContinuousClock.now + .milliseconds(200)
    while .now < next { try terminal.pump(until: next) }
    terminal.readLimit = nil
    try terminal.waitForText("next, previous card")
    try expectUnbroken(terminal)
    // The first one closes the list of keys.
    try terminal.type("q")
    try terminal.wait(for: "the page") { !$0.contains("next, previous card") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a slow terminal shows the newest picture in the end`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 80, rows: 24)
    try terminal.waitForText("updates: 1")
    for step in 0..<100 {
      terminal.readLimit = 200
      if step < 50 { try terminal.resize(columns: 60 + step % 21, rows: 24) }
      if step == 60 { try terminal.type("?") }
      let next = ContinuousClock.now + .milliseconds(10)
      while .now < next { try terminal.pump(until: next) }
    }
    terminal.readLimit = nil
    try terminal.waitForText("next, previous card")
    try expectUnbroken(terminal)
    // The first one closes the list of keys.
    try terminal.type("q")
    try terminal.wait(for: "the page") { !$0.contains("next, previous card") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  /// Checks that the screen equals a repaint: no byte was lost or duplicated.
  private func expectUnbroken(_ terminal: PseudoTerminal) throws {
    try terminal.settle(calm: .milliseconds(100))
    let seen = terminal.screen.rows.filter { !$0.contains("tick ") }
    let count = terminal.screen.bytes.count
    try terminal.type([0x0C])
    try terminal.wait(for: "a repaint") { $0.bytes.count > count + 500 }
    try terminal.settle(calm: .milliseconds(100))
    #expect(terminal.screen.rows.filter { !$0.contains("tick ") } == seen)
  }
}

extension PseudoTerminal {
  /// Stops reading, and has the program fill the terminal with pictures of these sizes.
  func block(columns: Int, rows: Int) throws {
    readLimit = 0
    // Each size is a whole picture, and the terminal has room for a few.
    for step in 0..<100 {
      try resize(columns: columns - step % 2, rows: rows)
      let next = ContinuousClock.now + .milliseconds(12)
      while .now < next { try pump(until: next) }
    }
  }
}
