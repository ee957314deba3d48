import FoundationEssentials
import Testing
import WidgetTestSupport

/// Keys that arrive together, as over a slow network or from a macro, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct KeysInOneReadTests {
  private func world() throws -> TestWorld {
    let world = try TestWorld(fixtures: ["Good", "Settable"])
    try world.saveConfiguration(
      "{ pages: [{ name: 'A', cards: ['com.example.fixture.good'] }, "
        + "{ name: 'B', cards: ['com.example.fixture.settable'] }] }"
    )
    try world.install()
    return world
  }

  @Test(arguments: [
    ("2i", "com.example.fixture.settable"), ("]i", "com.example.fixture.settable"),
    ("2[i", "com.example.fixture.good"), ("2z", "all cards"), ("2y", "Copied"), ("2,", "Settings"),
  ])
  func `keys that arrive together do what they do one by one`(keys: String, words: String) throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("updates: 1")
    try terminal.type(keys)
    try terminal.waitForText(words)
    try terminal.press(.controlC)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a card that was found and removed in one read is the one that goes`() throws {
    let world = try TestWorld(fixtures: ["Good", "Settable"])
    let terminal = try PseudoTerminal(world.today())
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("words:")
    try terminal.type("/words\rex")
    try terminal.wait(for: "one card less") { !$0.contains("words:") && $0.contains("updates: 1") }
    try terminal.press(.controlC)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
