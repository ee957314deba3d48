import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The page of a user who may have few processes or descriptors: root has no such limits, so another user
/// runs the program here.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: geteuid() == 0, "only root can run the program as another user"),
  .timeLimit(.minutes(5))
)
struct OrdinaryUserTests {
  /// Opens the dashboard as a user without other processes, under a limit of prlimit(1).
  private func open(_ world: TestWorld, limit: String, user: Int) throws -> PseudoTerminal {
    let owner: [FileAttributeKey: Any] = [.ownerAccountID: user, .groupOwnerAccountID: user]
    let files = FileManager.default
    for path in try [""] + files.subpathsOfDirectory(atPath: world.path) {
      try files.setAttributes(owner, ofItemAtPath: "\(world.path)/\(path)")
    }
    let program = world.today()
    return try PseudoTerminal(
      ProgramDescription(
        "/usr/bin/prlimit",
        [
          limit, "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups",
          program.path,
        ] + program.arguments,
        environment: program.environment,
        directory: program.directory
      ),
      columns: 80,
      rows: 40
    )
  }

  private func count(_ screen: TestScreen) -> Int? {
    guard let line = screen.rows.first(where: { $0.contains("tick ") }),
      let start = line.firstRange(of: "tick ")?.upperBound
    else { return nil }
    return Int(line[start...].prefix { $0.isNumber })
  }

  /// The processes of a user (proc_pid_status(5)).
  private func processes(of user: Int) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return numbers.filter { Int($0) != nil }.count { number in
      let status = FileManager.default.contents(atPath: "/proc/\(number)/status") ?? Data()
      return String(decoding: status, as: UTF8.self).contains("\nUid:\t\(user)\t")
    }
  }

  @Test(arguments: ["q", "SIGTERM"])
  func `it ends while the user may have neither a process nor a thread more`(how: String) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let user = how == "q" ? 61_236 : 61_237
    let terminal = try open(world, limit: "--nproc=200:200", user: user)
    try terminal.waitForText("updates: 1")
    // Threads of the system's pool that have nothing to do end after five seconds.
    try terminal.pass(.seconds(7))
    let process = try #require(terminal.pid)
    let limited = try ProgramRun(
      ProgramDescription(
        "/usr/bin/setpriv",
        [
          "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/prlimit", "--pid",
          "\(process)", "--nproc=1:1",
        ]
      )
    )
    #expect(limited.status == .exited(code: 0), "\(limited.errorText)")
    let start = ContinuousClock.now
    if how == "q" { try terminal.type("q") } else { terminal.signal(SIGTERM) }
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(start.duration(to: .now) < .seconds(5))
    try expectShellTerminal(terminal)
  }

  @Test func `a widget that uses up all processes of the user is ended, and keys work`() throws {
    let user = 61_234
    let world = try TestWorld(fixtures: ["Bursting", "Ticking"])
    try world.saveConfiguration(#"{ sandbox: "off" }"#)
    let terminal = try open(world, limit: "--nproc=200:200", user: user)
    try terminal.waitForText("tick 1")
    try terminal.click("burst")
    try terminal.wait(for: "no process to be left") { (_: TestScreen) in processes(of: user) > 190 }
    // Keys and the other card work while nothing can be started.
    try terminal.type("?")
    try terminal.waitForText("Keys")
    try terminal.type("x")
    let now = count(terminal.screen) ?? 0
    try terminal.wait(for: "a card that goes on") { (count($0) ?? 0) >= now + 2 }
    try terminal.wait(for: "the end of the processes") { (_: TestScreen) in processes(of: user) < 20
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    // `today log` would refuse another user's file.
    let file = "\(world.path)/state/today/logs/com.example.fixture.bursting.log"
    let log = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    #expect(log.contains("processes"), "\(log)")
  }

  @Test func `in its sandbox a widget cannot use up the processes of the user`() throws {
    let user = 61_238
    let world = try TestWorld(fixtures: ["Bursting", "Ticking"])
    let terminal = try open(world, limit: "--nproc=200:200", user: user)
    try terminal.waitForText("tick 1")
    try terminal.click("burst")
    var most = 0
    try terminal.wait(for: "the end of the processes") { screen in
      most = max(most, processes(of: user))
      return most > 40 && processes(of: user) < 20 && (count(screen) ?? 0) > 2
    }
    #expect(most < 100)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `without descriptors cards say so, and keys work`() throws {
    let fixtures = ["Bursting", "Counting", "Good", "Numbering", "Slow", "Ticking"]
    let world = try TestWorld(fixtures: fixtures)
    let terminal = try open(world, limit: "--nofile=24:24", user: 61_235)
    // The rest of the message may be on the next row of the card.
    try terminal.waitForText("Too many")
    try terminal.wait(for: "a count of them") { screen in
      screen.rows.first?.contains("failed") == true
    }
    try terminal.type("?")
    try terminal.waitForText("Keys")
    try terminal.type("x")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
