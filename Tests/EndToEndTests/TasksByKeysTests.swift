import FoundationEssentials
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

    init() throws {
      world = try TestWorld()
      try world.saveConfiguration(
        """
        { pages: [
          { name: 'Home', cards: ['org.today.Calendar', 'org.today.Reminders', 'org.today.Clock'] },
          { name: 'Work', cards: ['org.today.System'] },
        ] }
        """
      )
      terminal = try PseudoTerminal(
        ProgramDescription(
          BuiltProgram.path ?? "",
          [],
          environment: world.environment(),
          directory: world.path
        ),
        columns: 60,
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
    try hand.write("\u{15}Asia/Tokyo")
    try hand.press("\r")
    try hand.terminal.waitForText("1 setting saved.")
    try hand.terminal.waitForText("Tokyo")
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

  @Test func `a page of config.json says where a card is to be added`() throws {
    let hand = try Hand()
    try hand.press(":wea")
    try hand.terminal.waitForText("Add Weather")
    try hand.press("\r")
    try hand.terminal.waitForText("is declared at")
    try hand.quit()
  }
}
