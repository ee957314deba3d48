import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Settings of widgets: from config.json in a dashboard that is open, and from the command.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SettingsOnScreenTests {
  private let settable = "com.example.fixture.settable"

  @Test(
    .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS")
  )
  func `an open Clock shows the zones that are saved, and goes on where it is told`() throws {
    let world = try TestWorld()
    try FileManager.default.copyItem(
      atPath: "\(BundledWidgets.path ?? "")/Clock.widget",
      toPath: "\(world.widgets)/Clock.widget"
    )
    let terminal = try world.openDashboard()
    try terminal.waitForText("Tokyo")
    let before = ProcessList.entries(naming: world.widgets).map(\.pid)
    try world.saveConfiguration("{ widgets: { 'org.today.Clock': { zones: ['Pacific/Apia'] } } }")
    try terminal.wait(for: "another zone") { $0.contains("Apia") && !$0.contains("Tokyo") }
    #expect(!before.isEmpty && ProcessList.entries(naming: world.widgets).map(\.pid) == before)
    try world.saveConfiguration(
      "{ widgets: {\n 'org.today.Clock': { zone: ['Pacific/Apia'], zones: 7 } } }"
    )
    try terminal.waitForText("config.json:2:")
    #expect(terminal.screen.contains("Apia"))
    try world.saveConfiguration("{}")
    try terminal.wait(for: "the defaults") { $0.contains("Tokyo") && !$0.contains("Apia") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a widget that cannot be told is started again, also by the command`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("words: usual, token: 0")
    try world.saveConfiguration("{ widgets: { '\(settable)': { words: ['a', 'b'] } } }")
    try terminal.waitForText("words: a b, token: 0")
    try world.saveConfiguration("{}")
    try terminal.waitForText("words: usual, token: 0")
    #expect(try world.run(["settings", "Settable", "words", "c,d"]).status == .exited(code: 0))
    try terminal.waitForText("words: c d, token: 0")
    let token = "{ command: ['echo', 'pst-pst'] }"
    #expect(try world.run(["settings", settable, "token", token]).status == .exited(code: 0))
    try terminal.waitForText("words: c d, token: 7")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `the command lists, prints, sets and removes, and says what it refuses`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    try world.saveConfiguration("{ widgets: { '\(settable)': { rows: 3 } } }")
    let place = "\(world.configurationPath):1:54"
    let list = try world.run(["settings", "Settable"])
    #expect(
      list.outputText
        == "words  usual    default\nrows   3        \(place)\ntoken  not set  not set\n"
    )
    let refused: [([String], Int32, String)] = [
      (
        ["Settable", "rows", "4"], 1,
        "rows is set at \(place); change it there, or remove it there first"
      ),
      (["Settable", "row"], 64, "Settable has no setting “row”; did you mean “rows”?"),
      (
        ["Settable", "words", "--unset", "x"], 64,
        "--unset needs one setting; see “today help settings”"
      ),
      (["Nobody"], 66, "no widget “Nobody”; “today list” lists the installed widgets"),
      (
        ["Settable", "token", "pst"], 64,
        "token: expected { file: PATH }, { command: [PROGRAM, …] } or { environment: NAME }; "
          + "the secret itself is no argument: “today secrets \(settable) token --set” asks for it, and "
          + "{ command: ['today', 'secrets', '\(settable)', 'token'] } is its place then"
      ),
    ]
    for (arguments, code, words) in refused {
      let run = try world.run(["settings"] + arguments)
      #expect(run.status == .exited(code: code), "\(arguments)")
      #expect(run.errorText == "today: \(words)\n")
    }
    #expect(try world.run(["settings", "Settable", "words", "a", "b"]).status == .exited(code: 0))
    #expect(try world.run(["settings", "Settable", "words"]).outputText == "a\nb\n")
    #expect(try world.run(["settings", "Settable:travel", "words"]).outputText == "usual\n")
    let json = try world.run(["settings", "Settable", "words", "--json"]).outputText
    #expect(json.contains("\"source\" : \"program\""), "\(json)")
    #expect(try world.run(["settings", "Settable", "words", "--unset"]).status == .exited(code: 0))
    #expect(try world.run(["settings", "Settable", "words"]).outputText == "usual\n")
  }

  @Test func `a secret that is typed as a value is told how it is stored, and that works`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    let refused = try world.run(["settings", "Settable", "token", "pst-pst"])
    #expect(refused.status == .exited(code: 64) && !refused.errorText.contains("pst-pst"))
    #expect(refused.errorText.contains("“today secrets \(settable) token --set” asks for it"))
    let place = "{ command: ['today', 'secrets', '\(settable)', 'token'] }"
    #expect(refused.errorText.contains(place), "\(refused.errorText)")
    #expect(try world.run(["settings", "Settable", "token", place]).status == .exited(code: 0))
  }

  @Test func `the palette leads to the card whose settings are wrong`() throws {
    let world = try TestWorld(fixtures: ["Settable", "Good"])
    try world.saveConfiguration(
      """
      { pages: [{ name: "One", cards: ["com.example.fixture.good"] }, { name: "Two", cards: ["\(settable)"] }],
        widgets: { "\(settable)": { rows: "many" } } }
      """
    )
    let terminal = try world.openDashboard()
    try terminal.waitForText("1 problem")
    try terminal.type(":")
    try terminal.waitForText("Commands")
    try terminal.type("problem of")
    try terminal.waitForText("Show the problem of Settable")
    try terminal.type("\r")
    try terminal.waitForText("words: usual")
    try terminal.type("i")
    try terminal.waitForText(settable)
    try terminal.type("xq")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a secret is in no file and no output of the program`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    try world.write("pst-pst\n", to: "\(world.path)/home/token")
    try world.saveConfiguration(
      "{ widgets: { '\(settable)': { token: { file: '\(world.path)/home/token' } } } }"
    )
    let trace = "\(world.path)/trace"
    let run = try world.run(["snapshot", "--trace", trace])
    #expect(run.outputText.contains("token: 7"), "\(run.outputText) \(run.errorText)")
    let settings = try world.run(["settings", "Settable", "--json"])
    #expect(try world.run(["settings", "Settable", "token"]).outputText == "set\n")
    #expect(!settings.outputText.contains("pst-pst") && !run.outputText.contains("pst-pst"))
    for name in try FileManager.default.subpathsOfDirectory(atPath: world.path)
    where name != "home/token" {
      let data = try? Data(contentsOf: URL(filePath: "\(world.path)/\(name)"))
      let text = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(!text.contains("pst-pst"), "\(name)")
    }
    #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("<secret>"))
  }
}
