import FoundationEssentials
import Testing
import WidgetTestSupport

/// Due updates of several programs at once, and the timer of the user.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ScheduleTests {
  private let counting = "com.example.fixture.counting"

  private func reasons(_ world: TestWorld) -> [Substring] {
    let file = "\(world.path)/data/today/containers/\(counting)/updates"
    let text = FileManager.default.contents(atPath: file).map {
      String(decoding: $0, as: UTF8.self)
    }
    return text?.split(separator: "\n") ?? []
  }

  @Test("several concurrent refresh --due make one update for each interval")
  func refreshesOnce() async throws {
    let world = try TestWorld(fixtures: ["Counting"])
    try await withThrowingTaskGroup(of: ProgramRun.self) { group in
      let program = world.today(["refresh", "--due"], term: nil)
      for _ in 0..<4 { group.addTask { try ProgramRun(program) } }
      for try await run in group {
        #expect(run.status == .exited(code: 0), "\(run.errorText)")
      }
    }
    #expect(reasons(world) == ["schedule"])
    let again = try world.run(["refresh", "--due"])
    #expect(again.status == .exited(code: 0) && again.output.isEmpty)
    #expect(reasons(world) == ["schedule"])
    _ = try world.run(["refresh"])
    #expect(reasons(world) == ["schedule", "user"])
    #expect(world.processesLeft() == [])
  }

  @Test("two dashboards and refresh --due together make one update for each interval")
  func asksOnceForAll() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    let pages = try (0..<2).map { _ in try world.openDashboard(columns: 60, rows: 30) }
    for page in pages { try page.waitForText("started ") }
    try pages[0].wait(for: "the update on appearing", until: { _ in !reasons(world).isEmpty })
    for _ in 0..<3 {
      let run = try world.run(["refresh", "--due"])
      #expect(run.status == .exited(code: 0), "\(run.errorText)")
    }
    for page in pages { try page.settle(calm: .milliseconds(300)) }
    #expect(reasons(world).count == 1, "\(reasons(world))")
    for page in pages {
      try page.type("q")
      #expect(try page.waitForEnd() == .exited(code: 0))
    }
    #expect(world.processesLeft() == [])
  }

  @Test("reload updates an open dashboard at once; without one the update is due")
  func reloads() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    #expect(try world.run(["reload", counting]).outputText == "1\n")
    #expect(try world.run(["reload", "com.example.nobody"]).outputText == "0\n")
    #expect(try world.run(["refresh", "--due"]).outputText.contains("\(counting) newData"))
    #expect(reasons(world) == ["event"])

    let terminal = try world.openDashboard(columns: 60, rows: 30)
    try terminal.waitForText("started 2 times")
    try terminal.wait(
      for: "the update on appearing",
      until: { _ in reasons(world).last == "appear" }
    )
    #expect(try world.run(["reload", counting, counting]).status == .exited(code: 0))
    try terminal.settle(calm: .milliseconds(300))
    #expect(reasons(world) == ["event", "appear", "event"])
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test("a widget that has nothing to show is not asked")
  func leavesHiddenOnesAlone() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    _ = try world.run(["has-content", counting, "off"])
    let run = try world.run(["refresh", "--due"])
    #expect(run.status == .exited(code: 0) && run.output.isEmpty, "\(run.errorText)")
    #expect(try world.run(["refresh", counting]).status == .exited(code: 1))
    #expect(world.notes("starts") == 0)
  }

  @Test("schedule on, status and off go through the user's systemd")
  func usesSystemd() throws {
    let world = try TestWorld()
    let log = "\(world.path)/systemctl.log"
    try world.write(
      """
      #!/bin/sh
      echo "$@" >> \(log)
      case "$*" in *is-active*) test -e \(world.path)/config/systemd/user/today-refresh.timer;; esac
      """,
      to: "\(world.path)/systemctl"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(world.path)/systemctl"
    )
    func schedule(_ action: String) throws -> ProgramRun {
      var program = world.today(["schedule", action], term: nil)
      program.environment["PATH"] = "\(world.path):/usr/bin:/bin"
      return try ProgramRun(program)
    }
    #expect(try schedule("status").outputText == "off\n")
    #expect(try schedule("on").status == .exited(code: 0))
    let unit = "\(world.path)/config/systemd/user/today-refresh.service"
    let text = try String(decoding: Data(contentsOf: URL(filePath: unit)), as: UTF8.self)
    #expect(text.contains("refresh --due"))
    #expect(try schedule("status").outputText == "on: every 5 minutes\n")
    #expect(try schedule("off").outputText == "off\n")
    #expect(!FileManager.default.fileExists(atPath: unit))
    let calls = try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    #expect(calls.contains("--user enable --now today-refresh.timer"))
    #expect(calls.contains("--user disable --now today-refresh.timer"))
  }

  @Test("without systemd the line for cron is printed, with exit status 69")
  func printsTheCronLine() throws {
    let world = try TestWorld()
    var program = world.today(["schedule", "on"], term: nil)
    program.environment["PATH"] = world.path
    let run = try ProgramRun(program)
    #expect(run.status == .exited(code: 69))
    #expect(run.outputText.hasPrefix("*/5 * * * * /"))
    #expect(run.outputText.contains("refresh --due"))
    #expect(run.errorText.contains("crontab -e"))
  }

  @Test(arguments: [["schedule"], ["schedule", "maybe"], ["refresh", "--timeout", "0"]])
  func `a usage error has its own exit status`(arguments: [String]) throws {
    let world = try TestWorld()
    #expect(try world.run(arguments).status == .exited(code: 64))
  }
}
