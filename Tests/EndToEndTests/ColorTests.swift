import FoundationEssentials
import Testing
import WidgetTestSupport

/// Themes and the colours of terminals, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ColorTests {
  private func sent(_ terminal: PseudoTerminal) -> String {
    String(decoding: terminal.screen.bytes, as: UTF8.self)
  }

  @Test(arguments: ["xterm", "xterm-16color", "xterm-256color", "tmux-256color", "screen-256color"])
  func `a terminal that says so gets colours of 24 bits`(term: String) throws {
    let world = try TestWorld(fixtures: ["Good"])
    try world.saveConfiguration("{ theme: 'midnight' }")
    let terminal = try world.openDashboard(term: term, variables: ["COLORTERM": "truecolor"])
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    // The theme's background and its accent, which the border of the focus has.
    #expect(sent(terminal).contains("48;2;11;15;25m"))
    #expect(sent(terminal).contains("38;2;122;162;247"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "linux"])
  func `changes of colours leave the character set alone`(term: String) throws {
    let world = try TestWorld(fixtures: ["Good", "Counting"])
    let terminal = try world.openDashboard(term: term)
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    let before = sent(terminal)
    #expect(before.ranges(of: "\u{1B}[").count > 40)
    // ncurses prepares the terminal once, and once more when the screen is cleared.
    #expect(before.ranges(of: "\u{1B}(B").count <= 2)
    #expect(before.ranges(of: "\u{0F}").count <= 2)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a terminal with 256 colours, or one within screen, gets no others`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    for variables in [[:], ["COLORTERM": "truecolor", "STY": "1.screen"]] {
      let terminal = try world.openDashboard(variables: variables)
      try terminal.waitForText("updates: ")
      try terminal.settle()
      #expect(sent(terminal).contains("38;5;") && !sent(terminal).contains("38;2;"))
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
  }

  @Test func `the theme follows the background that the terminal says, then and later`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(variables: ["COLORTERM": "truecolor"])
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    let text = sent(terminal)
    #expect(text.contains("\u{1B}]11;?\u{1B}\\") && text.contains("\u{1B}[?2031h"))
    // Secondary text of the theme for dark backgrounds, and of the one for light ones.
    let (dark, light) = ("38;2;166;173;185", "38;2;85;92;103")
    #expect(text.contains(dark) && !text.contains(light))
    try terminal.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
    try terminal.wait(for: "the colours for a light background") { (_: TestScreen) in
      sent(terminal).contains(light)
    }
    let count = sent(terminal).ranges(of: dark).count
    try terminal.type("\u{1B}[?997;1n")
    try terminal.wait(for: "the colours for a dark background") { (_: TestScreen) in
      sent(terminal).ranges(of: dark).count > count
    }
    // Neither was taken for keys: the page is as it was.
    #expect(terminal.screen.contains("updates: 1"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(sent(terminal).contains("\u{1B}[?2031l"))
  }

  @Test func `a theme that cannot be read is reported, and the old one stays until it is right`()
    throws
  {
    let world = try TestWorld(fixtures: ["Good"])
    let background = "48;2;250;245;234"
    try world.saveConfiguration("{ theme: 'paper' }")
    let terminal = try world.openDashboard(
      columns: 200,
      variables: ["COLORTERM": "truecolor"]
    )
    try terminal.waitForText("updates: 1")
    #expect(sent(terminal).contains(background))
    try world.saveConfiguration("{ appearance: 'dark',\n background: 'x' }", as: "themes/mine.json")
    try world.saveConfiguration("{ theme: 'mine' }")
    try terminal.waitForText("themes/mine.json:2:14: background: expected a")
    try terminal.settle()
    #expect(!sent(terminal).contains("48;2;1;2;3"))
    // Its own file is followed too.
    try world.saveConfiguration(
      "{ appearance: 'dark',\n background: '#010203' }",
      as: "themes/mine.json"
    )
    try terminal.wait(for: "the background of the theme") { screen in
      sent(terminal).contains("48;2;1;2;3") && !screen.contains("expected a")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `commands know the themes, and say what is wrong with one`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let svg = try world.run(["snapshot", "--theme", "paper", "--format", "svg"])
    #expect(svg.status == .exited(code: 0) && svg.outputText.contains("fill=\"#faf5ea\""))
    let missing = try world.run(["snapshot", "--theme", "papre"])
    #expect(missing.status == .exited(code: 66))
    #expect(missing.errorText == "today: no theme “papre”; did you mean “paper”?\n")
    try world.saveConfiguration("{ appearance: 'dark', name: 7 }", as: "themes/mine.json")
    let broken = try world.run(["snapshot", "--theme", "mine"])
    #expect(broken.status == .exited(code: 1))
    #expect(broken.errorText.contains("themes/mine.json:1:29: name: expected a text"))
    let list = try world.run(["themes"])
    #expect(list.status == .exited(code: 1) && list.errorText == broken.errorText)
    #expect(list.outputText.split(separator: "\n").count == 8)
    let file = try world.run(["themes", "ember"])
    #expect(file.status == .exited(code: 0) && file.outputText.contains("\"name\": \"Ember\""))
    #expect(try world.run(["themes", "embre"]).status == .exited(code: 66))
  }
}
