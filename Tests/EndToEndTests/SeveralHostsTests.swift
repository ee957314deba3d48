import FoundationEssentials
import Testing
import WidgetTestSupport

/// Pages of several widths and commands, all on the same disk.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SeveralHostsTests {
  private func number(_ world: TestWorld) -> Int {
    let file = "\(world.path)/data/today/containers/com.example.fixture.numbering/number"
    return FileManager.default.contents(atPath: file)
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  @Test("within a second of every update all hosts show the newest picture, at any width")
  func showTheNewest() throws {
    let world = try TestWorld(fixtures: ["Numbering"])
    // For the command alone everything is due 2 s after it was made; the pages wait longer.
    let eager = "\(world.path)/eager"
    try FileManager.default.createDirectory(
      atPath: "\(eager)/today",
      withIntermediateDirectories: true
    )
    try world.write("{ developer: true }", to: "\(eager)/today/config.json")
    let dueCommand = world.today(
      ["refresh", "--due"],
      term: nil,
      variables: ["XDG_CONFIG_HOME": eager]
    )
    let pages = try [60, 100].map { try world.openDashboard(columns: $0, rows: 20) }
    for page in pages { try page.waitForText("this is number ") }
    func expectNewest(after what: String) throws {
      let end = ContinuousClock.now + .seconds(1)
      func isShown() -> Bool {
        pages.allSatisfy { $0.screen.contains("this is number \(number(world)).") }
      }
      while !isShown(), ContinuousClock.now < end {
        for page in pages { try page.pump(until: .now + .milliseconds(10)) }
      }
      #expect(isShown(), "after \(what): \(number(world)), \(pages.map { $0.screen.rows })")
    }
    try expectNewest(after: "appearing")
    for round in 0..<3 {
      let before = number(world)
      let bar = try world.run(["snapshot", "com.example.fixture.numbering", "--width", "40"])
      #expect(bar.outputText.contains("this is number \(number(world))."), "\(bar.outputText)")
      #expect(number(world) > before)
      try expectNewest(after: "snapshot \(round)")

      let deadline = ContinuousClock.now + .seconds(5)
      var due = try ProgramRun(dueCommand)
      while due.output.isEmpty, ContinuousClock.now < deadline {
        for page in pages { try page.pump(until: .now + .milliseconds(100)) }
        due = try ProgramRun(dueCommand)
      }
      #expect(due.outputText.contains("newData"), "\(due.outputText) \(due.errorText)")
      try expectNewest(after: "refresh --due \(round)")

      let page = pages[round % 2]
      let last = number(world)
      try page.type("r")
      try page.wait(for: "the update", until: { _ in number(world) > last })
      try expectNewest(after: "r on page \(round % 2)")
    }
    let kept = try world.run(["snapshot", "--cached", "--width", "133"])
    #expect(kept.outputText.contains("this is number \(number(world))."))
    for page in pages {
      try page.type("q")
      #expect(try page.waitForEnd() == .exited(code: 0))
    }
    #expect(world.processesLeft() == [])
  }

  /// Opens pages with a widget that has a fold, a form and a button.
  private func openFolding(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: 60, rows: 20)
    try terminal.waitForText("pressed 0 times")
    try terminal.wait(for: "a live card") { $0.contains("1 live") }
    return terminal
  }

  private func end(_ terminals: [PseudoTerminal], _ world: TestWorld) throws {
    for terminal in terminals {
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `a fold that was opened is open at the next start`() throws {
    let world = try TestWorld(fixtures: ["Folding"])
    let first = try openFolding(world)
    #expect(!first.screen.contains("inside the fold"))
    try first.click("Details")
    try first.waitForText("inside the fold")
    try end([first], world)
    let second = try openFolding(world)
    try second.waitForText("inside the fold")
    try end([second], world)
  }

  @Test func `the result of a press is on the other page within a second`() throws {
    let world = try TestWorld(fixtures: ["Folding"])
    let pages = try [openFolding(world), openFolding(world)]
    for round in 1...3 {
      try pages[0].click("Press")
      try pages[0].waitForText("pressed \(round) times")
      let end = ContinuousClock.now + .seconds(1)
      while !pages[1].screen.contains("pressed \(round) times"), ContinuousClock.now < end {
        try pages[1].pump(until: .now + .milliseconds(10))
      }
      #expect(pages[1].screen.contains("pressed \(round) times"), "round \(round)")
    }
    try end(pages, world)
  }

  @Test func `the card of a bundle that is deleted goes within a few seconds`() throws {
    let world = try TestWorld(fixtures: ["Folding", "Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 20)
    try terminal.waitForText("pressed 0 times")
    try terminal.wait(for: "live cards") { $0.contains("2 live") }
    try FileManager.default.removeItem(atPath: "\(world.widgets)/Folding.widget")
    try terminal.wait(for: "the card to go") { !$0.contains("pressed 0 times") }
    try terminal.waitForText("removed from the disk")
    try end([terminal], world)
  }
}
