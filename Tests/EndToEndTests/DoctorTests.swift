import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today doctor`, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DoctorTests {
  @Test func `a sound installation has nothing wrong, and exits with 0`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    _ = try world.run(["snapshot"])
    let run = try world.run(["doctor"])
    let lines = run.outputText.split(separator: "\n")
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    #expect(lines.allSatisfy { $0.hasPrefix("ok ") || $0.hasPrefix("warning ") })
    for area in ["configuration", "bundles", "folders", "timer", "widgets"] {
      #expect(lines.contains { $0.contains(" \(area) ") }, "\(area)")
    }
    #expect(run.outputText.contains("the slowest is com.example.fixture.good"))
    // Without a terminal nothing is said of it.
    #expect(!lines.contains { $0.contains(" terminal ") })
  }

  @Test func `mistakes are named with their place, and it exits with 1`() throws {
    let world = try TestWorld(fixtures: ["Good", "Crashing"])
    try world.saveConfiguration("{ motion: 7 }")
    try world.write("{", to: "\(world.widgets)/Good.widget/Info.plist")
    for _ in 0..<2 { _ = try world.run(["snapshot"]) }
    let run = try world.run(["doctor"])
    #expect(run.status == .exited(code: 1))
    let wrong = run.outputText.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    #expect(wrong.contains { $0.contains("config.json:1:11: motion: expected true or false") })
    #expect(wrong.contains { $0.contains("Good.widget/Info.plist") })
    #expect(wrong.contains { $0.contains("com.example.fixture.crashing") && $0.contains("exit 3") })
    let json = try world.run(["doctor", "--json"])
    #expect(json.status == .exited(code: 1))
    #expect(json.outputText.contains("\"level\" : \"wrong\""))
    #expect(json.errorText.isEmpty)
  }

  @Test func `a card of a page whose widget is not there is named with its place`() throws {
    let world = try TestWorld()
    try world.saveConfiguration("{ pages: [{ name: 'Home', cards: ['org.today.Clok'] }] }")
    let run = try world.installed(["doctor"])
    #expect(run.status == .exited(code: 1))
    let words = "config.json:1:35: no widget “org.today.Clok”; did you mean “org.today.Clock”?"
    #expect(run.outputText.contains(words), "\(run.outputText)")
  }

  @Test func `settings of a widget that is not installed are a warning with their place`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try world.saveConfiguration("{ widgets: { 'com.else.Where': { rows: 3 } } }")
    let run = try world.run(["doctor"])
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    let words =
      "config.json:1:14: widgets.\"com.else.Where\": the widget is not installed here; correct its name"
    let line = run.outputText.split(separator: "\n").first { $0.contains(words) }
    #expect(line?.hasPrefix("warning ") == true, "\(run.outputText)")
  }

  @Test(arguments: [["doctor"], ["doctor", "--json"]])
  func `a session bus that takes connections and says nothing is waited for some seconds`(
    arguments: [String]
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let bus = try ListeningSocket()
    let address = "tcp:host=127.0.0.1,port=\(bus.port)"
    let program = world.today(arguments, variables: ["DBUS_SESSION_BUS_ADDRESS": address])
    let start = ContinuousClock.now
    let run = try ProgramRun(program)
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    for area in ["timer", "sandbox", "secrets", "widgets"] {
      #expect(run.outputText.contains(area), "\(area)")
    }
    #expect(!bus.wasReached || run.outputText.contains("has not answered within 3 s"))
  }

  @Test func `a terminal is asked, and is afterwards as it was`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(
      world.today(["doctor"], variables: ["COLORTERM": "truecolor"]),
      columns: 140,
      rows: 50
    )
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(terminal.attributes == terminal.originalAttributes)
    let screen = terminal.screen
    #expect(screen.contains("TERM is xterm-256color"), "\(screen.text)")
    #expect(screen.contains("colours of 24 bits"))
    #expect(screen.contains("frames    |╭─╮│╰╯|"))
    #expect(!screen.isAlternate)
  }
}
