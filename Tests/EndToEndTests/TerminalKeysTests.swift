import FoundationEssentials
import Testing
import WidgetTestSupport

/// What terminals send beside the keys of their description, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TerminalKeysTests {
  @Test func `keys that the description of the terminal lacks lose no typed text`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today())
    try terminal.waitForText("updates: 1")
    try terminal.type("/ab")
    try terminal.waitForText("ab")
    let sequences = [
      "\u{1B}[11~", "\u{1B}[[A", "\u{1B}b", "\u{1B}q", "\u{1B}[1;9A", "\u{1B}[M\u{7F}!!",
      "\u{1B}[57441u",
      "\u{1B}[48;24;80;0;0t", "\u{1B}P>|kitty(0.3)\u{1B}\\", "\u{1B}[?1u", "\u{1B}[24;80R",
      "\u{1B}[?2026;2$y",
    ]
    for sequence in sequences { try terminal.type(sequence) }
    // Home and End of PuTTY, and q as the protocol of kitty has it.
    try terminal.type("\u{1B}[1~c\u{1B}[4~\u{1B}[113u")
    try terminal.waitForText("cabq")
    try terminal.press(.controlC)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a key and a paste whose bytes come apart are one key, and a paste`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today())
    try terminal.waitForText("updates: 1")
    for byte in Array(
      "\u{1B}[6~\u{1B}[1;5D\u{1B}[O\u{1B}[I\u{1B}[200~qH\u{1B}[201~/\u{1B}[200~x\u{1B}[201~y".utf8
    ) {
      try terminal.type([byte])
      _ = try terminal.pump(until: .now + .milliseconds(40))
    }
    try terminal.waitForText("xy")
    try terminal.press(.controlC)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `answers that come late press no key`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today())
    terminal.answersQuestions = false
    try terminal.waitForText("updates: 1")
    try terminal.type(":qu")
    try terminal.waitForText("qu")
    let answers =
      "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}]10;rgb:ff/ff/ff\u{7}\u{1B}[6;20;10t\u{1B}[?64;1;2;22c\u{1B}[>1;2;3c"
    for byte in Array(answers.utf8) { try terminal.type([byte]) }
    try terminal.type("i")
    try terminal.waitForText("qui")
    try terminal.press(.controlC)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `answers that come after q are not typed into the shell`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today())
    terminal.answersQuestions = false
    try terminal.waitForText("updates: 1")
    try quitWithoutAnswers(terminal)
    #expect(!terminal.status.hasEnded)
    let start = terminal.screen.bytes.count
    try terminal.type("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[6;20;10t\u{1B}[?64;1;2c")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try terminal.settle()
    // What nobody has read would be echoed.
    let rest = String(decoding: terminal.screen.bytes[start...], as: UTF8.self)
    #expect(!rest.contains("rgb") && !rest.contains("64;1"), "\(rest)")
    #expect(terminal.attributes == terminal.originalAttributes)
  }

  /// Opens the page in an interactive shell.
  private func openShell(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openShell()
    try terminal.type("sh page\r")
    return terminal
  }

  /// Asks to quit, and waits until the screen was given back; answers are still awaited then.
  private func quitWithoutAnswers(_ terminal: PseudoTerminal) throws {
    try terminal.wait(for: "a question") { (_: TestScreen) in !terminal.keptAnswers.isEmpty }
    try terminal.type("q")
    try terminal.wait(for: "the other screen") { (screen: TestScreen) in
      String(decoding: screen.bytes, as: UTF8.self).contains("\u{1B}[?1049l")
    }
  }

  @Test(arguments: ["q", "\u{03}", "\u{1A}", "\u{1B}[113u", "/x\u{1B}[27uq"], [true, false])
  func `what is typed behind a key that leaves the page is for the shell`(
    key: String,
    isInOneRead: Bool
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try openShell(world)
    try terminal.waitForText("updates: 1")
    // No answer is on its way any more.
    try terminal.settle(calm: .milliseconds(200))
    let text = "echo for-the-shell Grüße 1\r"
    if isInOneRead {
      try terminal.type(key + text)
    } else {
      try terminal.type(key)
      try terminal.type(text)
    }
    try terminal.wait(for: "the command of the shell") { screen in
      !screen.isAlternate && screen.rows.contains("for-the-shell Grüße 1")
    }
    terminal.hangUp()
    #expect(world.processesLeft() == [])
  }

  @Test func `what is typed behind the last answer is for the shell, while the page closes too`()
    throws
  {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try openShell(world)
    terminal.answersQuestions = false
    try terminal.waitForText("updates: 1")
    try quitWithoutAnswers(terminal)
    let answers = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[6;20;10t\u{1B}[?64;1;2c"
    try terminal.type(answers + "echo for-the-shell\rexit\r")
    try terminal.waitForEnd()
    #expect(terminal.screen.rows.contains("for-the-shell"), "\(terminal.screen.text)")
  }

  @Test func `what is typed before and behind the last answer comes to the shell whole`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try openShell(world)
    terminal.answersQuestions = false
    try terminal.waitForText("updates: 1")
    try terminal.wait(for: "a question") { (_: TestScreen) in !terminal.keptAnswers.isEmpty }
    let answers = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[6;20;10t\u{1B}[?64;1;2c"
    try terminal.type("qecho the head" + answers + ", and the tail\rexit\r")
    try terminal.waitForEnd()
    // Where the system lets nobody type for others, nothing of it comes.
    let hasHead = terminal.screen.rows.contains { $0.hasPrefix("the head") }
    #expect(!hasHead || terminal.screen.rows.contains("the head, and the tail"))
    #expect(!terminal.screen.contains("command not found"), "\(terminal.screen.text)")
    #expect(hasHead, "\(terminal.screen.text)")
  }

  @Test func `a terminal that never answers is left within half a second`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today())
    terminal.answersQuestions = false
    try terminal.waitForText("updates: 1")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
  }

  @Test func `answers that doctor does not wait for are not typed into the shell`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today(["doctor"]))
    terminal.answersQuestions = false
    try terminal.wait(for: "a question") { (_: TestScreen) in !terminal.keptAnswers.isEmpty }
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(1_150) {
      _ = try terminal.pump(until: start + .milliseconds(1_150))
    }
    try terminal.type("\u{1B}[?2026;2$y\u{1B}[?64;1;2c")
    _ = try terminal.waitForEnd()
    try terminal.settle()
    let text = String(decoding: terminal.screen.bytes, as: UTF8.self)
    #expect(!text.contains("64;1;2c"), "\(text)")
    #expect(terminal.attributes == terminal.originalAttributes)
  }
}
