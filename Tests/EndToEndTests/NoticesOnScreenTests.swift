import FoundationEssentials
import Testing
import WidgetTestSupport

/// The card of the notices on the page of a user, by keys alone.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct NoticesOnScreenTests {
  private func post(_ world: TestWorld, _ arguments: [String]) throws {
    let run = try world.installed(["post"] + arguments)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
  }

  private func notices(_ world: TestWorld, _ arguments: [String] = []) throws -> String {
    try world.installed(["notices"] + arguments).outputText
  }

  /// Posts a notice whose action makes a file.
  private func postAction(_ world: TestWorld, making path: String) throws {
    let action = #"{"name": "Touch", "command": ["touch", "\#(path)"]}"#
    let json = #"{"title": "Build failed", "app": "ci", "action": [\#(action)]}"#
    let program = world.installedProgram([]).path
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "printf %s \"$1\" | \"$0\" post --json", program, json],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
  }

  /// Selects the first notice that waits; the card is the first one.
  private func selectFirst(_ terminal: PseudoTerminal) throws {
    try terminal.type("kkkkkkhh\t")
    try terminal.wait(for: "the keys of a row") { $0.rows.last?.contains("x remove") == true }
  }

  private func quit(_ terminal: PseudoTerminal) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `the first line says that it is quiet, until that ends`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.type(":quiet until you\r")
    try terminal.wait(for: "quiet time") { $0.rows.first?.contains("1 live · quiet") == true }
    #expect(try world.run(["quiet", "off"]).status == .exited(code: 0))
    try terminal.wait(for: "the end of it") { $0.rows.first?.contains("quiet") == false }
    // An end is followed, too.
    #expect(try world.run(["quiet", "1s"]).status == .exited(code: 0))
    try terminal.wait(for: "a second of it") { $0.rows.first?.contains("quiet") == true }
    try terminal.wait(for: "its end") { $0.rows.first?.contains("quiet") == false }
    try quit(terminal)
  }

  @Test func `the first notice brings the card to the top, and keys deal with it`() throws {
    let world = try TestWorld()
    let terminal = try world.openInstalledPage(rows: 24)
    try terminal.waitForText("System")
    try terminal.settle(calm: .milliseconds(500))
    #expect(!terminal.screen.contains(" Notices ─") && !terminal.screen.contains("waiting"))
    try post(world, ["Backup ended", "12 GB", "--app", "backup"])
    try terminal.waitForText("• backup Backup ended")
    #expect(terminal.screen.rows.dropFirst().first?.contains(" Notices ─") == true)
    try terminal.waitForText("1 waiting")

    try selectFirst(terminal)
    try terminal.type("x")
    try terminal.waitForText("Nothing waits")
    try terminal.waitForText("u takes it back")
    try terminal.type("u")
    try terminal.waitForText("1 waiting")
    try post(world, ["Disk full", "--app", "disk", "--urgency", "critical"])
    try terminal.waitForText("! disk")
    try terminal.waitForText("2 waiting")
    try terminal.type("X")
    try terminal.waitForText("Dismissed 2 notices")
    #expect(try notices(world, ["--waiting"]) == "no notices\n")
    try terminal.type("u")
    try terminal.waitForText("2 waiting")
    try quit(terminal)
  }

  @Test func `Enter does what a notice offers`() throws {
    let world = try TestWorld()
    let mark = "\(world.path)/mark"
    try postAction(world, making: mark)
    let terminal = try world.openInstalledPage(rows: 24)
    try terminal.waitForText("• ci Build failed")
    try selectFirst(terminal)
    try terminal.type("\r")
    try terminal.waitForText("Nothing waits")
    let deadline = TestDeadline.next
    while !FileManager.default.fileExists(atPath: mark), ContinuousClock.now < deadline {
      try terminal.pump(until: .now + .milliseconds(10))
    }
    #expect(FileManager.default.fileExists(atPath: mark))
    #expect(try notices(world, ["--json"]).contains(#""acted":"Touch""#))
    try quit(terminal)
  }

  @Test func `More shows earlier ones by day, and finding finds the card by them`() throws {
    let world = try TestWorld()
    try post(world, ["Backup ended", "12 GB\nin 4 min", "--app", "backup"])
    try post(world, ["zanzibar", "--app", "mail"])
    _ = try notices(world, ["dismiss", "2"])
    let terminal = try world.openInstalledPage(rows: 24)
    try terminal.waitForText("• backup Backup ended")
    try terminal.type("kkkkkkhhm")
    try terminal.waitForText("Earlier today")
    try terminal.waitForText("mail zanzibar")
    #expect(terminal.screen.contains("in 4 min"))
    try terminal.type("/zanz")
    try terminal.wait(for: "the card alone") {
      $0.contains(" Notices ─") && !$0.contains(" System ─")
    }
    try terminal.press(.escape)
    try terminal.waitForText(" System ─")
    try quit(terminal)
  }

  @Test func `those that the card has no room for are counted and found`() throws {
    let world = try TestWorld()
    for name in ["zanzibar", "b", "c", "d", "e", "f"] { try post(world, [name, "--app", "a"]) }
    let terminal = try world.openInstalledPage(rows: 24)
    try terminal.waitForText("3 more wait")
    #expect(!terminal.screen.contains("zanzibar"))
    try terminal.type("/zanz")
    try terminal.wait(for: "the card alone") {
      $0.contains(" Notices ─") && !$0.contains(" System ─")
    }
    try terminal.press(.escape)
    try terminal.waitForText(" System ─")
    try selectFirst(terminal)
    #expect(terminal.screen.rows.last?.contains("X dismiss all") == true)
    try terminal.type("m")
    try terminal.waitForText("zanzibar")
    try quit(terminal)
  }

  @Test func `q closes the list of keys, and quits the page`() throws {
    let world = try TestWorld()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText(" System ─")
    try terminal.type("?")
    try terminal.waitForText("close this list")
    try terminal.type("q")
    try terminal.wait(for: "the page alone") { !$0.contains("close this list") }
    try quit(terminal)
  }

  @Test func `a card that was removed stays away until it is added`() throws {
    let world = try TestWorld()
    try post(world, ["one", "--app", "a"])
    #expect(try world.installed(["list"]).outputText.contains("org.today.Notices"))
    #expect(try world.installed(["remove", "org.today.Notices"]).status == .exited(code: 0))
    // All cards are on the screen, in whatever columns.
    let terminal = try world.openInstalledPage(rows: 60)
    try terminal.waitForText(" System ─")
    try terminal.waitForText("1 waiting")
    try post(world, ["two", "--app", "a"])
    try terminal.waitForText("2 waiting")
    #expect(!terminal.screen.contains(" Notices ─"))
    #expect(try world.installed(["add", "org.today.Notices"]).status == .exited(code: 0))
    try terminal.waitForText(" Notices ─")
    try terminal.waitForText("• a two")
    try quit(terminal)
  }

  @Test func `it comes to a page of config.json, and can be removed there`() throws {
    let world = try TestWorld()
    try world.saveConfiguration("{ pages: [{ name: 'Home', cards: ['org.today.Clock'] }] }")
    try post(world, ["one", "--app", "a"])
    func cards() throws -> String {
      try world.installed(["snapshot", "--width", "60"]).outputText
    }
    let first = try cards()
    #expect(first.contains(" Notices ─") && first.contains(" Clock ─"), "\(first)")
    let run = try world.installed(["remove", "org.today.Notices"])
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    let second = try cards()
    #expect(!second.contains(" Notices ─") && second.contains(" Clock ─"), "\(second)")
  }
}
