import FoundationEssentials
import Testing
import WidgetTestSupport

/// The form of a widget's settings, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SettingsScreenTests {
  private let settable = "com.example.fixture.settable"

  private func open(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: 130, rows: 24)
    try terminal.waitForText("words: usual")
    try terminal.waitForText(", settings")
    try terminal.type(",")
    try terminal.waitForText("Settings of Settable")
    return terminal
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `what is typed in the form reaches the widget at once, and stays`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    let terminal = try open(world)
    try terminal.type("\u{1B}[A\u{15}one\u{1B}[B\u{1B}[200~two\n\u{1B}[201~\r")
    try terminal.waitForText("words: one two, token: 0")
    #expect(!terminal.screen.contains("Settings of Settable"))
    let list = try world.run(["settings", "Settable", "words"])
    #expect(list.outputText == "one\ntwo\n")
    // Taken back, it is the default again.
    try terminal.type(",\u{1B}[A\u{18}\u{1B}[A\u{18}\r")
    try terminal.waitForText("words: usual, token: 0")
    try quit(terminal, world)
  }

  @Test func `Esc discards, and an error stands beside its field and saves nothing`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    let terminal = try open(world)
    try terminal.type("lost\u{1B}")
    try terminal.wait(for: "the page") { !$0.contains("Settings of Settable") }
    #expect(terminal.screen.contains("words: usual"))
    try terminal.type(",\u{1B}[A\u{15}kept\t0\r")
    try terminal.waitForText("expected a number of at least 1, found “0”")
    #expect(terminal.screen.contains("Settings of Settable"))
    #expect(try world.run(["settings", "Settable", "words"]).outputText == "usual\n")
    try terminal.type("\u{15}4\r")
    try terminal.waitForText("words: kept, token: 0")
    #expect(try world.run(["settings", "Settable", "rows"]).outputText == "4\n")
    try quit(terminal, world)
  }

  @Test func `a value of config json is shown with its place, and a secret is not shown`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    try world.saveConfiguration("{ widgets: { '\(settable)': { rows: 3 } } }")
    let terminal = try open(world)
    try terminal.waitForText("config.json:1:54")
    try terminal.type("\t9\tpst-pst\r")
    try terminal.waitForText("expected { file: PATH }")
    #expect(!terminal.screen.contains("pst-pst"))
    try terminal.type("\u{15}{ command: ['echo', 'hush'] }\r")
    try terminal.waitForText("token: 4")
    #expect(try world.run(["settings", "Settable", "rows"]).outputText == "3\n")
    try quit(terminal, world)
  }

  @Test func `the mouse works in the form, and a card without settings says so`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    let terminal = try open(world)
    try terminal.type("\u{1B}[A\u{15}clicked")
    try terminal.click("[ Save ]")
    try terminal.waitForText("words: clicked")
    try terminal.type(",")
    try terminal.waitForText("[ Cancel ]")
    try terminal.type("x")
    // The form has one line more then.
    try terminal.waitForText("› x")
    try terminal.click("[ Cancel ]")
    try terminal.wait(for: "the page") { !$0.contains("[ Cancel ]") }
    #expect(terminal.screen.contains("words: clicked"))
    try quit(terminal, world)
    let other = try TestWorld(fixtures: ["Good"])
    let good = try other.openDashboard()
    try good.waitForText("updates: 1")
    try good.type(",")
    try good.waitForText("Good has no settings.")
    try quit(good, other)
  }

  /// Such a widget is started again, with the folder in its sandbox.
  @Test(
    .enabled(if: BundledWidgets.isThere, "no bundled widgets"),
    .enabled(if: FullSandbox.isThere, "bubblewrap is missing, or makes no sandbox here")
  )
  func `a folder that is chosen for a widget in the sandbox is read at once`() throws {
    let world = try TestWorld()
    let mailbox = "\(world.path)/mailbox"
    for name in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(mailbox)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try world.write("From: Ada <a@example.org>\nSubject: Tea\n\nhi\n", to: "\(mailbox)/new/1.a")
    try world.saveConfiguration(
      "{ sandbox: 'required', pages: [{ name: 'Home', cards: ['org.today.Mail'] }] }"
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("No mailbox yet.")
    try terminal.type(",")
    try terminal.waitForText("Settings of Mail")
    try terminal.type("\(world.path)\r")
    try terminal.waitForText("is not a Maildir")
    try terminal.type(",")
    try terminal.waitForText("Settings of Mail")
    try terminal.type("/mailbox\r")
    try terminal.wait(for: "the mail") { $0.contains("Tea") && !$0.contains("not a Maildir") }
    try quit(terminal, world)
  }
}
