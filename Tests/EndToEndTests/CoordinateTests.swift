import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today coordinate` in the real program, and its access and that of a widget.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct CoordinateTests {
  private static let group = "group.com.example.fetching"

  /// A world with an app and its widget, which share a group.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    let bundle = "\(world.widgets)/Fetching.app"
    try world.add(fixture: "Fetching", below: "\(bundle)/PlugIns")
    try world.write(
      "{ CFBundleIdentifier = \"com.example.fetching\"; CFBundleExecutable = run; }",
      to: "\(bundle)/Info.plist"
    )
    try world.write(
      "{ \"com.apple.security.application-groups\" = (\"\(Self.group)\"); }",
      to: "\(bundle)/Entitlements.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(bundle)/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(bundle)/run"
    )
    return world
  }

  private func file(_ world: TestWorld) -> String {
    "\(world.path)/data/today/groups/\(Self.group)/count"
  }

  private func coordinate(_ arguments: [String], _ world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["--widgets", world.widgets, "coordinate"] + arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  @Test(arguments: [
    ("exit 0", ProgramStatus.exited(code: 0)), ("exit 7", .exited(code: 7)),
    ("kill -TERM $$", .killed(signal: SIGTERM)), ("kill -KILL $$", .killed(signal: SIGKILL)),
  ])
  func `the command ends as the program that it runs, and the access with it`(
    script: String,
    status: ProgramStatus
  ) throws {
    let world = try world()
    let file = file(world)
    let run = try coordinate(["write", file, "--", "/bin/sh", "-c", script], world)
    #expect(run.status == status, "\(run.errorText)")
    let next = try coordinate(
      ["write", file, "--timeout", "0", "--", "/bin/sh", "-c", "echo $0", "--help"],
      world
    )
    #expect(next.outputText == "--help\n", "\(next.errorText)")
  }

  @Test func `readers run together, a writer waits for its time and exits with 75`() throws {
    let world = try world()
    let file = file(world)
    let program = BuiltProgram.path ?? ""
    func nested(_ outer: String, _ inner: String) throws -> ProgramRun {
      try coordinate(
        [outer, file, "--", program, "--widgets", world.widgets, "coordinate", inner, file]
          + ["--timeout", "0.1", "--", "echo", "both"],
        world
      )
    }
    #expect(try nested("read", "read").outputText == "both\n")
    for (outer, inner) in [("read", "write"), ("write", "read"), ("write", "write")] {
      let run = try nested(outer, inner)
      #expect(run.status == .exited(code: 75) && run.outputText.isEmpty)
      #expect(run.errorText.contains("\(file): another program is "))
      #expect(run.errorText.contains("has not ended within 0.1 s; try again"))
    }
  }

  @Test func `no change of several writers is lost`() throws {
    let world = try world()
    let file = file(world)
    let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("0", to: file)
    let add = #"read n < "$0"; echo $((n + 1)) > "$0""#
    let script = """
      for writer in 1 2 3 4; do
        for number in 1 2 3 4 5 6 7 8 9 10; do
          "$1" --widgets "$2" coordinate write "$3" --timeout 60 -- /bin/sh -c '\(add)' "$3" || exit 1
        done &
      done
      wait
      """
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", script, "sh", BuiltProgram.path ?? "", world.widgets, file],
        environment: world.environment(term: nil),
        directory: world.path
      ),
      patience: 6
    )
    #expect(run.status == .exited(code: 0) && run.errorText.isEmpty, "\(run.errorText)")
    let count = FileManager.default.contents(atPath: file)
    #expect(count.map { String(decoding: $0, as: UTF8.self) } == "40\n")
  }

  @Test(arguments: ["end", "widget", "dashboard"])
  func `a command waits for a widget, until that ends its access or is killed`(
    killed: String
  ) throws {
    let world = try world()
    let file = file(world)
    let terminal = try world.openDashboard(
      columns: 100,
      rows: 40,
      variables: [
        "TODAY_TEST_REQUESTS": """
        [["Lock", "coordinateBegin", {"path": "\(file)", "intent": "write"}],
         ["Unlock", "coordinateEnd", {"token": "$token"}]]
        """
      ]
    )
    try terminal.waitForText("[ Lock ]")
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("[ Lock ]")
    try terminal.waitForText("accepted")
    let refused = try coordinate(["read", file, "--timeout", "0", "--", "true"], world)
    #expect(refused.status == .exited(code: 75))
    switch killed {
    case "widget":
      let programs = ProcessList.entries(naming: world.path).filter {
        $0.commandLine.contains("Fetching.widget/fetching")
      }
      #expect(!programs.isEmpty)
      for program in programs { kill(program.pid, SIGKILL) }
    case "dashboard": terminal.signal(SIGKILL)
    default: try terminal.click("[ Unlock ]")
    }
    let run = try coordinate(["write", file, "--", "echo", "mine"], world)
    #expect(run.outputText == "mine\n", "\(run.errorText)")
    if killed == "dashboard" {
      try terminal.waitForEnd()
    } else {
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
  }

  @Test func `a widget waits for a command that is killed`() throws {
    let world = try world()
    let file = file(world)
    let holder = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["--widgets", world.widgets, "coordinate", "write", file, "--", "/bin/sh", "-c"]
          + ["echo held; read line"],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 40,
      rows: 4
    )
    try holder.waitForText("held")
    let terminal = try world.openDashboard(
      columns: 100,
      rows: 40,
      variables: [
        "TODAY_TEST_REQUESTS":
          #"[["Lock", "coordinateBegin", {"path": "\#(file)", "intent": "read"}]]"#
      ]
    )
    try terminal.waitForText("[ Lock ]")
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("[ Lock ]")
    try terminal.settle(calm: .milliseconds(300))
    #expect(!terminal.screen.text.contains("accepted"))
    holder.signal(SIGKILL)
    try holder.waitForEnd()
    try terminal.waitForText("accepted")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  private static let wrong: [([String], Int)] = [
    ([], 64), (["read"], 64), (["write", "$"], 64), (["write", "$", "--"], 64),
    (["change", "$", "--", "true"], 64), (["read", "$", "--timeout", "1e300", "--", "true"], 64),
    (["read", "$", "--timeout", "-1", "--", "true"], 64), (["read", "", "--", "true"], 64),
    (["read", "$", "--fast", "--", "true"], 64), (["read", "$", "--", "/nowhere/program"], 66),
    (["read", "/etc/passwd", "--", "true"], 66), (["read", "passwd", "--", "true"], 66),
    (["read", "$/none/file", "--", "true"], 64), (["read", "$", "--", ""], 64),
  ]

  @Test(arguments: wrong)
  func `wrong arguments are refused`(arguments: [String], code: Int) throws {
    let world = try world()
    let file = file(world)
    let run = try coordinate(arguments.map { $0.replacing("$", with: file) }, world)
    #expect(run.status == .exited(code: Int32(code)), "\(run.errorText)")
    #expect(run.errorText.hasPrefix("today: ") && run.outputText.isEmpty)
  }
}
