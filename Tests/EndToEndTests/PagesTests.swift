import FoundationEssentials
import Testing
import WidgetTestSupport

/// Named pages, by commands, config.json, and with an open dashboard.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PagesTests {
  private func world() throws -> TestWorld {
    let world = try TestWorld(fixtures: ["Counting", "Good", "Settable"])
    try world.install()
    _ = try world.installed(["add", "Counting"])
    return world
  }

  @Test func `pages have tabs, which keys and the mouse choose`() throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("started 1 times")
    #expect(!terminal.screen.contains("1 Home"), "one page has no tabs")
    #expect(try world.installed(["add", "Good", "--page", "Work"]).status == .exited(code: 0))
    try terminal.waitForText("2 Work")
    #expect(terminal.screen.contains("1 Home") && !terminal.screen.contains("updates:"))
    try terminal.type("2")
    try terminal.waitForText("updates: 1")
    #expect(!terminal.screen.contains("started"))
    try terminal.type("[")
    try terminal.waitForText("started 1 times")
    try terminal.type("]")
    try terminal.waitForText("updates:")
    try terminal.click("1 Home")
    try terminal.waitForText("started 1 times")
    // The widget of a page that is not shown is not on the screen, and its page goes with it.
    #expect(try world.installed(["move", "Good", "--page", "Home"]).status == .exited(code: 0))
    try terminal.wait(for: "one page") { !$0.contains("2 Work") && $0.contains("updates:") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a command prints the first page, or the one that is named`() throws {
    let world = try world()
    _ = try world.installed(["add", "Settable", "--page", "At work", "--span", "2"])
    let first = try world.installed(["snapshot"]).outputText
    #expect(first.contains("started") && !first.contains("words:") && first.contains("Home"))
    let other = try world.installed(["snapshot", "--page", "at work"]).outputText
    #expect(!other.contains("started") && other.contains("words:") && other.contains("At work"))
    let named = try world.installed(["snapshot", "Settable", "--width", "120"]).outputText
    #expect(named.contains("words:"))
    let all = try world.installed(["snapshot", "--all"]).outputText
    #expect(all.contains("started") && all.contains("words:") && all.contains("Good"))
    let refresh = try world.installed(["refresh"]).outputText
    #expect(refresh.contains("fixture.counting ") && refresh.contains("fixture.settable "))
    let list = try world.installed(["list"]).outputText
    #expect(list.contains("Counting  (Home)") && list.contains("Settable  (At work)"), "\(list)")
    let folder = "\(world.path)/data/today/widgets"
    let alone = try world.installed(["snapshot", "--widgets", folder]).outputText
    #expect(alone.contains("started") && alone.contains("words:") && !alone.contains("At work"))
    let mistakes: [([String], Int32, String)] = [
      (["snapshot", "--page", "Work"], 66, "no page “Work”; there is “Home”, “At work”"),
      (
        ["snapshot", "--page", "a\nb"], 64,
        "--page a b: expected a name of 1 to 40 visible characters on one line, without blanks at "
          + "the ends"
      ),
      (
        ["add", "Settable", "--page", "Home"], 1,
        "“com.example.fixture.settable” is on the page “At work”; “today move "
          + "com.example.fixture.settable --page Home” moves it, “today add "
          + "com.example.fixture.settable --as NAME --page Home” adds another instance"
      ),
      (
        ["move", "Settable", "30", "--page", "At work"], 64,
        "position 30: expected a number from 1 to 1"
      ),
      (
        ["add", "Good", "--page", "X", "--widgets", folder], 64,
        "--page: with --widgets there is one page only"
      ),
    ]
    for (arguments, code, words) in mistakes {
      let run = try world.installed(arguments)
      #expect(run.status == .exited(code: code), "\(arguments)")
      #expect(run.errorText == "today: \(words)\n", "\(arguments)")
    }
  }

  @Test func `a page that gets another name, or whose cards go elsewhere, is followed`() throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("started 1 times")
    _ = try world.installed(["add", "Good", "--page", "Work"])
    try terminal.waitForText("2 Work")
    try terminal.type("2")
    try terminal.waitForText("updates: 1")
    #expect(try world.installed(["rename", "Work", "Office"]).status == .exited(code: 0))
    try terminal.waitForText("2 Office")
    try terminal.settle()
    #expect(terminal.screen.contains("updates:") && !terminal.screen.contains("started"))
    _ = try world.installed(["move", "Good", "--page", "Third"])
    try terminal.waitForText("2 Third")
    try terminal.settle()
    #expect(terminal.screen.contains("updates:") && !terminal.screen.contains("started"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `config json declares pages, which an open dashboard follows and no command changes`()
    throws
  {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("started 1 times")
    try world.saveConfiguration(
      """
      { pages: [
        { name: "Desk", cards: ["com.example.fixture.good", "com.example.fixture.goood"] },
        { name: "Trip", cards: [{ widget: "com.example.fixture.settable", instance: "rome",
                                  settings: { words: ["Rome"] } }] },
      ] }
      """
    )
    try terminal.waitForText("2 Trip")
    #expect(terminal.screen.contains("1 Desk") && terminal.screen.contains("3 Home"))
    let path = world.configurationPath
    try terminal.waitForText("goood")
    // The page that was shown is shown still.
    #expect(terminal.screen.contains("started 1 times"))
    try terminal.type("2")
    try terminal.waitForText("words: Rome")
    #expect(terminal.screen.contains("Settable · rome"))

    let run = try world.installed(["move", "Settable:rome", "--page", "Desk"])
    #expect(run.status == .exited(code: 1))
    #expect(
      run.errorText
        == ["Desk", "2:3", "Trip", "3:3"].chunked.map {
          "today: the page “\($0)” is declared at \(path):\($1), which is never rewritten; replace it "
            + "there with the text on standard output\n"
        }.joined()
    )
    #expect(
      run.outputText == """
        {
          name: "Desk",
          cards: [
            "com.example.fixture.good",
            "com.example.fixture.goood",
            "com.example.fixture.settable:rome",
          ],
        },
        { name: "Trip", cards: [] },

        """
    )
    #expect(
      try world.installed(["add", "Good", "--as", "x", "--page", "Home"]).status == .exited(code: 0)
    )
    try terminal.type("3")
    try terminal.waitForText("Good · x")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}

extension [String] {
  /// The texts in pairs.
  fileprivate var chunked: [(String, String)] {
    stride(from: 0, to: count - 1, by: 2).map { (self[$0], self[$0 + 1]) }
  }
}
