import FoundationEssentials
import Testing
import WidgetTestSupport

/// The widgets that ship with the program, in the folder that `TODAY_WIDGETS` names.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5)),
  // All of them run the same bundles, and one looks for what is left of them.
  .serialized
)
struct BundledWidgetsTests {
  private struct Page: Decodable {
    struct Card: Decodable {
      var name: String
      var state: String
      var rows: [String]
      var message: String?
    }
    var cards: [Card]
  }

  private func today(
    _ world: TestWorld,
    _ arguments: [String],
    term: String?
  ) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "/nowhere/today",
      arguments + ["--widgets", BundledWidgets.path ?? "/nowhere"],
      environment: world.environment(term: term),
      directory: world.path
    )
  }

  @Test(arguments: [20, 40, 80, 120])
  func `each of them shows something at any width`(width: Int) throws {
    let world = try TestWorld()
    let arguments = ["snapshot", "--format", "json", "--width", String(width)]
    let run = try ProgramRun(today(world, arguments, term: nil))
    let page = try JSONDecoder().decode(Page.self, from: Data(run.output))
    let failed = page.cards.filter { $0.state == "failed" }
    #expect(run.status == .exited(code: failed.isEmpty ? 0 : 1), "\(run.errorText)")
    // These ask programs and services that a machine may not have, and say so.
    #expect(Set(failed.map(\.name)).isSubset(of: ["Containers", "Music", "Services"]))
    #expect(failed.allSatisfy { $0.message?.isEmpty == false })
    let names = page.cards.map(\.name)
    for name in ["Clock", "System", "Calendar", "ClownTown", "Reminders", "Uptime"] {
      #expect(names.contains(name))
    }
    for card in page.cards where card.state != "failed" {
      #expect(card.state == "live", "\(card.name)")
      #expect(card.rows.contains { row in row.contains { $0 != " " } }, "\(card.name)")
    }
  }

  /// Where content is offered, the folder of these is not read.
  @Test func `none of them is offered content`() throws {
    let world = try TestWorld()
    let run = try ProgramRun(today(world, ["extensions"], term: nil))
    #expect(run.status == .exited(code: 0) && run.outputText.isEmpty, "\(run.outputText)")
    let cards = try ProgramRun(today(world, ["list"], term: nil)).outputText
    #expect(cards.contains("org.today.Clock"))
  }

  @Test func `the page of a new user has ten cards at most, the machine first`() throws {
    let world = try TestWorld()
    let run = try world.installed(["snapshot", "--format", "json"])
    let page = try JSONDecoder().decode(Page.self, from: Data(run.output))
    // A laptop has a battery.
    let names = page.cards.map(\.name).filter { $0 != "Battery" }
    let expected = [
      "System", "Processes", "Network", "Disks", "Clock", "Calendar", "Reminders", "Weather",
    ]
    #expect(names == expected)
  }

  @Test func `a widget that does not start on the page is there to be added, and is not announced`()
    throws
  {
    let world = try TestWorld()
    func listed() throws -> Substring {
      let text = try world.installed(["list"]).outputText
      return try #require(
        text.split(separator: "\n").first { $0.contains("org.today.Stocks") },
        "\(text)"
      )
    }
    #expect(try listed().contains("available"))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Reminders")
    try terminal.settle(calm: .milliseconds(500))
    #expect(!terminal.screen.contains("Stocks") && !terminal.screen.contains(" new"))
    #expect(try world.installed(["add", "Stocks"]).status == .exited(code: 0))
    try terminal.waitForText("Stocks")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try listed().contains("available") == false)
  }

  @Test func `More in ClownTown grows its card and q leaves nothing`() throws {
    let world = try TestWorld()
    let terminal = try PseudoTerminal(
      today(world, [], term: "xterm-256color"),
      columns: 120,
      rows: 60
    )
    try terminal.waitForText("[ More ]")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("[ More ]")
    try terminal.waitForText("[ Less ]")
    try terminal.settle(calm: .milliseconds(100))
    try terminal.click("[ Less ]")
    try terminal.waitForText("[ More ]")
    let running = ProcessList.entries(withVariablesNaming: world.path)
    #expect(running.contains { $0.commandLine.contains("/clowntown") }, "\(running)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
    // Other tests have processes of the same widgets.
    #expect(ProcessList.waitUntilGone(withVariablesNaming: world.path) == [])
  }
}

/// The folder of the bundled widgets, which the stage script creates.
enum BundledWidgets {
  static let path: String? = {
    let named = ProcessInfo.processInfo.environment["TODAY_WIDGETS"] ?? ""
    return named.isEmpty ? nil : named
  }()

  static var isThere: Bool { path != nil }
}
