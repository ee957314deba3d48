import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// A misbehaving widget affects neither the terminal nor the keys nor other cards.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TroubleTests {
  /// Waits until the Ticking card has changed.
  private func expectTicking(_ terminal: PseudoTerminal, seconds: Int = 2) throws {
    let now = count(terminal.screen) ?? 0
    try terminal.wait(for: "a card that counts on from \(now)") {
      (count($0) ?? 0) >= now + seconds
    }
  }

  private func count(_ screen: TestScreen) -> Int? {
    guard let line = screen.rows.first(where: { $0.contains("tick ") }),
      let words = line.components(after: "tick ")
    else { return nil }
    return Int(words.prefix { $0.isNumber })
  }

  @Test(arguments: [
    ("screen", "\u{1B}[M\"++\u{1B}[M#++"),
    ("xterm-256color", "\u{1B}[<2;10;10M\u{1B}[<2;10;10m"),
  ])
  func `an unhandled mouse button does not block the page`(term: String, click: String) throws {
    let world = try TestWorld(fixtures: ["Ticking"])
    let terminal = try world.openDashboard(term: term)
    try terminal.waitForText("tick 1")
    try terminal.type(click)
    try expectTicking(terminal)
  }

  @Test func `with silent and flooding widgets, keys work and other cards tick`() throws {
    let world = try TestWorld(fixtures: ["Silent", "Flooding", "Ticking", "Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("tick 1")
    try terminal.waitForText("flood ")
    try terminal.click("More")
    try terminal.waitForText("extra row 8")
    try expectTicking(terminal)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: [
    "Crashing", "Garbled", "Slow", "Flooding", "Huge", "Deaf", "Silent", "Escaping", "Forking",
    "Babbling", "Endless", "Asking",
  ])
  func `a card beside a broken one keeps ticking`(fixture: String) throws {
    let world = try TestWorld(fixtures: [fixture, "Ticking"])
    let terminal = try world.openDashboard(columns: 60, rows: 60)
    try terminal.waitForText("tick 1")
    try expectTicking(terminal)
    #expect(terminal.screen.bellCount == 0)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// The private memory of a process in KiB (proc_pid_smaps(5)).
  private func memory(_ pid: Int32) -> Int {
    let file = FileManager.default.contents(atPath: "/proc/\(pid)/smaps_rollup") ?? Data()
    let line = String(decoding: file, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("Pss_Anon:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  @Test("with four flooding widgets, keys work, other cards tick, and memory is bounded")
  func allFloods() throws {
    let floods = ["Flooding", "Babbling", "Endless", "Asking"]
    let world = try TestWorld(fixtures: floods + ["Ticking", "Good"])
    let terminal = try world.openDashboard(columns: 120, rows: 60)
    try terminal.waitForText("tick 1")
    let before = memory(try #require(terminal.pid))
    #expect(before > 0)
    try terminal.waitForText("flood ")
    try terminal.click("More")
    try terminal.waitForText("extra row 8")
    for _ in 0..<5 { try expectTicking(terminal) }
    // What passes its limits is named; the others go on.
    try terminal.wait(for: "two that are stopped") { screen in
      screen.rows.contains { $0.contains("2 failed") }
    }
    #expect(memory(try #require(terminal.pid)) - before < 32 * 1024)
    try terminal.type("?")
    try terminal.waitForText("Keys")
    try terminal.type("x")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    let log = try world.run(["log", "com.example.fixture.endless"]).outputText
    #expect(log.contains("too large: a line of "), "\(log)")
  }

  @Test("a widget that never reads the answers to its requests is ended with the reason")
  func unreadAnswers() throws {
    let world = try TestWorld(fixtures: ["Asking"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("not responding")
    #expect(terminal.screen.contains("asking"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let log = try world.run(["log", "com.example.fixture.asking"]).outputText
    #expect(log.contains("bytes wait for it; the limits are 64 and 262144"), "\(log)")
  }

  @Test func `a crashed widget keeps its content, and the heading reports the crash`() throws {
    let world = try TestWorld(fixtures: ["Crashing"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("seen before the crash")
    try terminal.wait(for: "a heading that names the trouble") { screen in
      guard let body = screen.row(of: "seen before the crash"), body > 0 else { return false }
      let heading = screen.rows[body - 1].lowercased()
      return ["crash", "exit", "ended", "fail", "stopped"].contains {
        heading.replacing("crashing", with: "").contains($0)
      }
    }
  }

  @Test func `a press that crashes the widget leaves the page intact`() throws {
    let world = try TestWorld(fixtures: ["CrashingOnPress", "Ticking"])
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("do not press")
    try terminal.settle(calm: .milliseconds(100))
    try terminal.press(.tab)
    try terminal.press(.enter)
    try expectTicking(terminal)
    #expect(terminal.screen.contains("do not press"))
  }

  /// Fills the pipe to a stopped guardian with meaningless bytes.
  ///
  /// - Returns: Whether it was stopped all the time, so that its pipe is full.
  private func fillPipe(ofGuardian guardian: Int32) -> Bool {
    // A second way into the pipe that it reads.
    let pipe = unsafe open("/proc/\(guardian)/fd/0", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { return false }
    defer { close(pipe) }
    let nothing = [UInt8](repeating: 0, count: 4_096)
    while unsafe write(pipe, nothing, nothing.count) > 0 {}
    return errno == EAGAIN && ProcessList.state(of: guardian) == "T"
  }

  @Test func `a guardian that does not read delays nothing, even if its pipe is full`() throws {
    let world = try TestWorld(fixtures: ["CrashingOnPress", "Ticking"])
    let terminal = try world.openDashboard(columns: 80, rows: 30)
    try terminal.waitForText("do not press")
    try terminal.waitForText("tick 1")
    let host = try #require(terminal.pid)
    func widget() -> Int32? {
      ProcessList.entries(naming: world.path)
        .first { $0.commandLine.contains("crashing-on-press") }?.pid
    }
    let first = try #require(widget())
    // Each one that is stopped is replaced at once; after eight the host waits for a second.
    var stopped: Set<Int32> = []
    var isFull = false
    let deadline = TestDeadline.next
    while !isFull, .now < deadline {
      let guardians = ProcessList.children(of: host, named: "widget-guardian")
      if let next = guardians.first(where: { !stopped.contains($0) }) {
        kill(next, SIGSTOP)
        stopped.insert(next)
        isFull = stopped.count > 8 && fillPipe(ofGuardian: next)
      }
      try terminal.pump(until: .now + .milliseconds(1))
    }
    #expect(isFull)
    // A process that ends and one that starts are both told to the guardian.
    try terminal.click("[ Crash ]")
    try terminal.wait(for: "the widget's next start") { (_: TestScreen) in
      widget().map { $0 != first } ?? false
    }
    try terminal.type("?")
    try terminal.waitForText("next, previous card")
    try terminal.press(.escape)
    try expectTicking(terminal)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(world.processesLeft() == [])
  }

  @Test func `a view with too many nodes is refused and the content stays`() throws {
    let world = try TestWorld()
    let bundle = try world.add(fixture: "Huge")
    try world.write("5000", to: "\(bundle)/nodes")
    try world.add(fixture: "Ticking")
    let terminal = try world.openDashboard(columns: 60, rows: 40)
    try terminal.waitForText("tick 1")
    try expectTicking(terminal)
    #expect(terminal.screen.contains("small at first"))
  }

  @Test func `no output of a widget acts on the terminal`() throws {
    let world = try TestWorld(fixtures: ["Escaping", "Ticking"])
    let terminal = try world.openDashboard(columns: 100, rows: 60)
    try terminal.waitForText("harmless title")
    try terminal.waitForText("harmless nested")
    try expectTicking(terminal)
    #expect(terminal.screen.bellCount == 0)
    #expect(terminal.screen.titleChangeCount == 0)
    #expect(terminal.screen.isAlternate)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(CursesOutput.strangers(in: terminal.screen.bytes) == [])
  }
}

extension String {
  /// The rest after the first occurrence of these words.
  fileprivate func components(after words: String) -> Substring? {
    firstRange(of: words).map { self[$0.upperBound...] }
  }
}
