import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// What a new user wants to do first, by keys alone on the first page, in as many keys as Docs/Configuration.md says.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct TasksByKeysTests {
  /// A page, and how many keys were pressed on it.
  private final class Hand {
    let world: TestWorld
    let terminal: PseudoTerminal
    private(set) var keys = 0

    private static let pages = """
      { pages: [
        { name: 'Home', cards: ['org.today.Calendar', 'org.today.Reminders', 'org.today.Clock'] },
        { name: 'Work', cards: ['org.today.System'] },
      ] }
      """

    /// Opens pages of config.json, or else, with `columns` for two, the first page of a new user.
    init(columns: Int = 60, prepare: ((TestWorld) throws -> Void)? = nil) throws {
      world = try TestWorld()
      if let prepare { try prepare(world) } else { try world.saveConfiguration(Self.pages) }
      terminal = try PseudoTerminal(
        ProgramDescription(
          BuiltProgram.path ?? "",
          [],
          environment: world.environment(),
          directory: world.path
        ),
        columns: columns,
        rows: 40
      )
      try terminal.waitForText("Add a reminder")
      try terminal.settle()
    }

    /// Presses keys: each character is one.
    func press(_ characters: String) throws {
      keys += characters.count
      try terminal.type(characters)
    }

    /// Types a text of the task itself, which is not counted.
    func write(_ text: String) throws { try terminal.type(text) }

    func quit() throws {
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
  }

  @Test func `a reminder is added in three keys: the card, Enter, and Enter behind the text`()
    throws
  {
    let hand = try Hand()
    try hand.press("j\r")
    try hand.terminal.waitForText("Esc clear and leave")
    try hand.write("buy milk")
    try hand.press("\r")
    try hand.terminal.waitForText("☐ buy milk")
    #expect(hand.keys == 3)
    try hand.terminal.press(.escape)
    try hand.terminal.waitForText("q quit")
    try hand.quit()
  }

  @Test func `a second time zone is set in four keys: by name, and Enter behind the text`() throws {
    let hand = try Hand()
    try hand.press("jj,")
    try hand.terminal.waitForText("Settings of Clock")
    try hand.write("Asia/Seoul")
    try hand.press("\r")
    try hand.terminal.waitForText("1 setting saved.")
    try hand.terminal.waitForText("Seoul")
    try hand.terminal.waitForText("New York")
    #expect(hand.keys == 4)
    try hand.quit()
  }

  @Test func `a card on another page is reached by a few letters of its name`() throws {
    let hand = try Hand()
    try hand.press(":gosy")
    try hand.terminal.waitForText("Go to System")
    try hand.press("\r")
    try hand.terminal.waitForText("CPU")
    #expect(hand.keys == 6)
    try hand.quit()
  }

  @Test func `Weather is added for a place in seven keys: by name, and in its settings`() throws {
    let hand = try Hand(columns: 120) { world in
      let removal = try world.installed(["remove", "org.today.Weather"])
      #expect(removal.status == .exited(code: 0), "\(removal.errorText)")
    }
    #expect(!hand.terminal.screen.contains("Weather"))
    try hand.press(":wea")
    try hand.terminal.waitForText("Add Weather")
    try hand.press("\r")
    try hand.terminal.waitForText("Weather at which place?")
    try hand.press(",")
    try hand.terminal.waitForText("Settings of Weather")
    try hand.write("Berlin")
    try hand.press("\r")
    try hand.terminal.waitForText("1 setting saved.")
    #expect(hand.keys == 7)
    let place = try hand.world.installed(["settings", "org.today.Weather", "place"])
    #expect(place.outputText == "Berlin\n")
    try hand.quit()
  }

  @Test func `what eats the processor is found and ended in eleven keys`() throws {
    let hand = try Hand(columns: 120) { _ in }
    let name = "burner"
    let burner = Process()
    let path = "\(hand.world.path)/\(name)"
    let python = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath()
    try FileManager.default.copyItem(at: python, to: URL(filePath: path))
    // Others may work at the same time; with many threads it uses the most of all. Children of a test may have SIGTERM
    // blocked.
    let work = """
      import hashlib, signal, threading
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      def burn():
          while True: hashlib.sha256(bytes(1 << 24))
      for _ in range(16): threading.Thread(target=burn).start()
      """
    burner.executableURL = URL(filePath: path)
    burner.arguments = ["-c", work]
    burner.environment = ["PYTHONHOME": "/usr"]
    try burner.run()
    defer { kill(burner.processIdentifier, SIGKILL) }
    let terminal = hand.terminal
    /// Whether a text is in the row below the names of the columns.
    func isFirst(_ words: String, _ screen: TestScreen) -> Bool {
      guard let head = screen.row(of: "PID Process"), screen.rows.indices.contains(head + 1) else {
        return false
      }
      return screen.rows[head + 1].contains(words)
    }
    try terminal.hold(Array("R".utf8), for: "it to be first") { isFirst(name, $0) }
    try hand.press(":proc")
    try terminal.waitForText("Go to Processes")
    try hand.press("\r")
    try terminal.waitForText("go in")
    try hand.press("\r")
    try terminal.waitForText("Esc back")
    // The order is another one with each update; the focus stays on its row.
    try terminal.wait(for: "it to be first") { isFirst(name, $0) }
    try hand.press("j")
    try terminal.waitForText("Enter asks whether to end it")
    try hand.press("\r")
    try terminal.waitForText("[ Cancel ]")
    // Nobody else is ended.
    guard isFirst("End \(name)", terminal.screen) else {
      Issue.record("another process was first: \(terminal.screen.text)")
      return
    }
    try hand.press("\t")
    try terminal.settle()
    try hand.press("\r")
    burner.waitUntilExit()
    #expect(burner.terminationReason == .uncaughtSignal && burner.terminationStatus == SIGTERM)
    #expect(hand.keys == 11)
    try terminal.press(.escape)
    try hand.quit()
  }

  @Test func `a page is made for the card with the focus by its name, and undone`() throws {
    let hand = try Hand(columns: 120) { _ in }
    try hand.press(":remi\r")
    try hand.terminal.settle()
    try hand.press(":")
    try hand.write("new page Work")
    try hand.terminal.waitForText("Move Reminders to the new page “Work”")
    try hand.press("\r")
    try hand.terminal.waitForText("Reminders is on Work now.")
    // The page is not being edited.
    #expect(!hand.terminal.screen.contains("Done ]"))
    let cards = try hand.world.installed(["list"]).outputText.split(separator: "\n")
    #expect(cards.contains { $0.contains("Reminders") && $0.contains("(Work)") })
    try hand.press("u")
    try hand.terminal.wait(for: "one page again") { !$0.contains("2 Work") }
    try hand.quit()
  }

  @Test func `cards are moved and removed, and pages renamed, by name, and each is undone`() throws
  {
    let hand = try Hand(columns: 120) { world in
      let moved = try world.installed(["move", "org.today.Disks", "--page", "Work"])
      #expect(moved.status == .exited(code: 0))
    }
    func list() throws -> [Substring] {
      try hand.world.installed(["list"]).outputText.split(separator: "\n")
    }
    func choose(_ typed: String, _ line: String) throws {
      try hand.press(":")
      try hand.write(typed)
      try hand.terminal.wait(for: line) { $0.contains(line) }
      try hand.press("\r")
    }
    let before = try list()
    try choose("remove remi", "Remove Reminders")
    try hand.terminal.waitForText("Removed Reminders. u takes it back.")
    #expect(try list().contains { $0.contains("Reminders") && $0.contains("removed") })
    try hand.press("u")
    try hand.terminal.wait(for: "the card") { $0.contains("Reminders") }
    #expect(try list() == before)
    try choose("go to remi", "Go to Reminders")
    try hand.terminal.settle()
    try choose("move remi", "Move Reminders to Work")
    try hand.terminal.waitForText("Reminders is on Work now.")
    try hand.press("u")
    try hand.terminal.wait(for: "what was undone") { !$0.contains("is on Work now") }
    #expect(try list() == before)
    try choose("rename page Desk", "to “Desk”")
    try hand.terminal.waitForText("is “Desk” now. u takes it back.")
    #expect(hand.terminal.screen.contains("Desk"))
    try hand.press("u")
    try hand.terminal.wait(for: "the old name") { !$0.contains(" Desk") }
    #expect(try list() == before)
    // What is undone on another page is said, as it is not to be seen.
    try choose("remove remi", "Remove Reminders")
    try hand.terminal.waitForText("Removed Reminders. u takes it back.")
    try hand.press("2")
    try hand.terminal.waitForText("Disks")
    try hand.press("u")
    try hand.terminal.waitForText("Reminders is on Home again.")
    #expect(try list() == before)
    try hand.quit()
  }

  @Test func `a card that goes to another page by a key says where it is`() throws {
    let hand = try Hand(columns: 120) { world in
      let moved = try world.installed(["move", "org.today.Clock", "--page", "Work"])
      #expect(moved.status == .exited(code: 0), "\(moved.errorText)")
    }
    try hand.press(":remi\r")
    try hand.terminal.settle()
    try hand.press("e")
    try hand.terminal.waitForText("Done ]")
    try hand.press("}")
    try hand.terminal.waitForText("Reminders is on Work now. u takes it back.")
    try hand.press("u")
    try hand.terminal.waitForText("Add a reminder")
    // It has the focus again, and once it has gone the card behind it.
    try hand.press("}")
    try hand.terminal.waitForText("Reminders is on Work now. u takes it back.")
    try hand.press("}")
    try hand.terminal.waitForText("Weather is on Work now. u takes it back.")
    try hand.press("uu")
    try hand.terminal.waitForText("Add a reminder")
    try hand.terminal.press(.escape)
    try hand.terminal.waitForText("q quit")
    try hand.quit()
  }

  @Test func `a page of config.json says where a card is to be added`() throws {
    let hand = try Hand()
    try hand.press(":wea")
    try hand.terminal.waitForText("Add Weather")
    try hand.press("\r")
    try hand.terminal.waitForText("is declared at")
    try hand.quit()
  }
}
