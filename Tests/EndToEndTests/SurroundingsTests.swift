import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// The program where a terminal is absurd, or something that every system has is missing.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SurroundingsTests {
  @Test(arguments: [(40_000, 5), (65_535, 1), (3, 65_535), (1, 1), (0, 0), (65_535, 65_535)])
  func `a terminal of any size is drawn on, and given back`(columns: Int, rows: Int) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.claim(columns: columns, rows: rows)
    try terminal.settle(calm: .milliseconds(400))
    #expect(terminal.status == .running)
    try terminal.claim(columns: 80, rows: 24)
    try terminal.wait(for: "the page", patience: 2) { $0.contains("updates: 1") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
  }

  /// Runs a command of the program in a shell that prepares something, as root of its own namespaces.
  private func run(_ world: TestWorld, _ preparation: String, _ arguments: [String]) throws
    -> ProgramRun
  {
    let program = world.today(arguments, term: nil)
    return try ProgramRun(
      ProgramDescription(
        "/usr/bin/unshare",
        ["-Urm", "/bin/sh", "-c", "\(preparation) && exec \"$@\"", "sh", program.path]
          + program.arguments,
        environment: program.environment,
        directory: program.directory
      )
    )
  }

  @Test(.enabled(if: geteuid() == 0, "only root can hide /proc everywhere"))
  func `arguments are read without proc`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today(["list"], term: nil)
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/unshare",
        ["-m", "/bin/sh", "-c", "umount -l /proc && exec \"$@\"", "sh", program.path]
          + program.arguments,
        environment: program.environment,
        directory: program.directory
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("Good"))
  }

  @Test func `the diagnosis says why changes of files are not noticed`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let setting = "/proc/sys/user/max_inotify_instances"
    let run = try run(world, "echo 0 > \(setting)", ["doctor"])
    #expect(run.outputText.contains("changes of files are not noticed: too many programs"))
    #expect(run.outputText.contains("fs.inotify.max_user_instances"))
    let usual = try world.run(["doctor"])
    #expect(usual.outputText.contains("changes of files are noticed at once"))
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can run it as another user"),
    arguments: [false, true]
  )
  func `the diagnosis of an ordinary user finds that changes of files are noticed`(
    hasFolders: Bool
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today(["doctor"], term: nil)
    // Its folders exist, or are missing, and the current one is out of reach.
    let home = "\(world.path)/of-nobody"
    var script = "mkdir -p '\(home)' && chmod a+x '\(world.path)' && "
    if hasFolders { script += "mkdir -p '\(home)/config/today' '\(home)/state/today' && " }
    script += "chown -R 65534:65534 '\(home)' && cd /root && exec \"$@\""
    var environment = program.environment
    for (name, folder) in [
      ("HOME", ""), ("XDG_CONFIG_HOME", "/config"), ("XDG_STATE_HOME", "/state"),
      ("XDG_CACHE_HOME", "/cache"), ("XDG_DATA_HOME", "/data"), ("XDG_RUNTIME_DIR", "/run"),
    ] { environment[name] = home + folder }
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        [
          "-c", script, "sh", "/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
          "--clear-groups", program.path,
        ] + program.arguments,
        environment: environment,
        directory: program.directory
      )
    )
    #expect(run.outputText.contains("changes of files are noticed at once"), "\(run.outputText)")
  }

  @Test(arguments: [nil, "", "relative", "./here"])
  func `without a home that of the user is taken`(home: String?) throws {
    let world = try TestWorld(fixtures: ["Good"])
    var program = world.today(["doctor"], term: nil)
    program.environment["HOME"] = home
    program.environment["XDG_CONFIG_HOME"] = nil
    let run = try ProgramRun(program)
    let entry = try #require(unsafe getpwuid(getuid()))
    let known = unsafe String(cString: entry.pointee.pw_dir)
    #expect(run.outputText.contains(" \(known)/.config/today"), "\(run.outputText)")
    let names = try FileManager.default.contentsOfDirectory(atPath: world.path)
    #expect(Set(names) == ["home", "config", "state", "cache", "data", "run", "widgets"])
  }

  @Test(arguments: ["", ":", "Nowhere/City"])
  func `a TZ that is empty or names no zone is UTC, for widgets too`(zone: String) throws {
    let world = try TestWorld()
    var program = world.installedProgram(["snapshot", "org.today.Clock"])
    program.environment["TZ"] = zone
    let run = try ProgramRun(program)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    // The place of the user is UTC, and London is as far from it as from Greenwich.
    #expect(run.outputText.contains(" UTC "), "\(run.outputText)")
  }

  @Test(arguments: [
    ("xterm-kitty", "kitty-terminfo"), ("xterm-ghostty", "TERM=xterm-256color"),
    ("wezterm", "TERM=xterm-256color"), ("foot", "foot-terminfo"),
  ])
  func `an unknown terminal is told what works`(term: String, words: String) throws {
    let world = try TestWorld(fixtures: ["Good"])
    // A folder of descriptions that has none of them, whatever the machine has installed.
    var program = world.today(term: term)
    program.environment["TERM"] = term + "-of-nowhere"
    let terminal = try PseudoTerminal(program, columns: 200)
    #expect(try terminal.waitForEnd() == .exited(code: 69))
    #expect(terminal.screen.contains(words))
    let works = try world.openDashboard(term: "xterm-256color")
    try works.waitForText("updates: 1")
    try works.type("q")
    #expect(try works.waitForEnd() == .exited(code: 0))
  }
}
