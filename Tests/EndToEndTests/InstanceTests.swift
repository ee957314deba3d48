import FoundationEssentials
import Testing
import WidgetTestSupport

/// Several instances of one widget, by commands and with an open dashboard.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InstanceTests {
  private static let settable = "com.example.fixture.settable"

  @Test(arguments: ["nass:System", "nass:org.today.System", "fleet:System"])
  func `a machine that there is not is refused, and is no name of an instance`(name: String) throws
  {
    let world = try TestWorld()
    try world.saveConfiguration(#"{ hosts: { nas: "me@nas.local" } }"#)
    let before = try world.installed(["list"]).outputText
    let added = try world.installed(["add", name])
    #expect(added.status == .exited(code: 64))
    #expect(added.errorText.contains("is not a machine; name it in “hosts” of config.json"))
    #expect(try world.installed(["list"]).outputText == before)
  }

  @Test func `another instance is added with settings of its own, and removed`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    // One below the other, so that their order is that of their rows.
    try world.saveConfiguration("{ tiles: false }")
    let terminal = try world.openDashboard(columns: 60, rows: 20)
    try terminal.waitForText("words: usual")
    #expect(try world.run(["add", "Settable", "--as", "travel"]).status == .exited(code: 0))
    try terminal.waitForText("Settable · travel")
    #expect(
      try world.run(["settings", "Settable:travel", "words", "Rome"]).status == .exited(code: 0)
    )
    try terminal.waitForText("words: Rome")
    try terminal.waitForText("words: usual")
    let list = try world.run(["list"]).outputText.split(separator: "\n")
    #expect(
      list.map { $0.split(separator: " ").first.map(String.init) } == [
        Self.settable, "\(Self.settable):travel",
      ]
    )

    #expect(try world.run(["move", "Settable:travel", "1"]).status == .exited(code: 0))
    try terminal.wait(for: "the other order") {
      guard let one = $0.row(of: "Rome"), let two = $0.row(of: "usual") else { return false }
      return one < two
    }
    let json = try world.run(["snapshot", "--format", "json", "Settable:travel"]).outputText
    #expect(json.contains(#""instance" : "travel""#) && json.contains("words: Rome"), "\(json)")
    #expect(!json.contains("words: usual"))
    let refresh = try world.run(["refresh", "Settable"]).outputText.split(separator: "\n")
    #expect(
      refresh.map { $0.prefix { $0 != " " } }.sorted() == [
        "\(Self.settable)", "\(Self.settable):travel",
      ]
    )
    #expect(try world.run(["reload", "Settable"]).outputText == "2\n")
    #expect(try world.run(["log", "Settable"]).outputText.contains("\(Self.settable):travel:\n"))

    #expect(try world.run(["has-content", "Settable:travel", "off"]).status == .exited(code: 0))
    try terminal.wait(for: "one card") { $0.row(of: "Rome") == nil && $0.row(of: "usual") != nil }
    #expect(try world.run(["has-content", "Settable", "on"]).status == .exited(code: 0))
    try terminal.waitForText("words: Rome")
    #expect(try world.run(["remove", "Settable:travel"]).status == .exited(code: 0))
    try terminal.wait(for: "one card") { $0.row(of: "Rome") == nil && $0.row(of: "usual") != nil }
    // Its data is kept for when it is added again.
    #expect(try world.run(["add", "Settable:travel"]).status == .exited(code: 0))
    try terminal.waitForText("words: Rome")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `instances go with their bundle, and come back as they were if it was only away`()
    throws
  {
    let world = try TestWorld(fixtures: ["Settable", "Good"])
    _ = try world.run(["add", "Settable", "--as", "travel"])
    _ = try world.run(["settings", "Settable:travel", "words", "Rome"])
    #expect(try world.run(["snapshot"]).outputText.contains("words: Rome"))
    let files = FileManager.default
    // A link whose target is away stands for a disk that is not mounted.
    let (bundle, disk) = ("\(world.widgets)/Settable.widget", "\(world.widgets)/disk")
    try files.moveItem(atPath: bundle, toPath: disk)
    try files.createSymbolicLink(atPath: bundle, withDestinationPath: "\(disk)-away")
    #expect(!(try world.run(["snapshot"]).outputText.contains("Settable")))
    try files.removeItem(atPath: bundle)
    try files.moveItem(atPath: disk, toPath: bundle)
    #expect(try world.run(["snapshot"]).outputText.contains("words: Rome"))

    try files.removeItem(atPath: bundle)
    _ = try world.run(["snapshot"])
    #expect(world.filesNaming("fixture.settable") == 0)
    try world.add(fixture: "Settable")
    #expect(!(try world.run(["snapshot"]).outputText.contains("travel")))
  }

  @Test func `what is wrong with a name is said, with what to do`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    _ = try world.run(["add", "Settable", "--as", "travel"])
    let rule = "1 to 64 of the characters A-Z, a-z, 0-9, “.”, “_” and “-”"
    let id = Self.settable
    let mistakes: [([String], Int32, String)] = [
      (["add", "Setable"], 66, "no widget “Setable”; did you mean “Settable”?"),
      (
        ["add", "Nobody", "--as", "x"], 66,
        "no widget “Nobody”; “today list” lists the installed widgets"
      ),
      (["add", "Settable", "--as", "a b"], 64, "--as a b: expected a name of \(rule)"),
      (["add", "Settable:a b"], 64, "“Settable:a b”: expected ID:NAME, with a name of \(rule)"),
      (
        ["add", "Settable:x", "--as", "y"], 64,
        "“Settable:x” already names an instance; give --as or :NAME, not both"
      ),
      (
        ["add", "Settable", "Settable", "--as", "y"], 64,
        "--as names one instance, so it needs one widget; see “today help add”"
      ),
      (
        ["add", "Settable", "--as", "travel"], 1,
        "“\(id):travel” is already on the page “Home”; give another instance another name"
      ),
      (
        ["remove", "Settable:x"], 66,
        "no instance “x” of “\(id)”; it has \(id):travel"
      ),
      (
        ["move", "Settable:x", "1"], 66,
        "no instance “x” of “\(id)”; it has \(id):travel; “today add \(id) --as x” adds it"
      ),
      (
        ["snapshot", "Settable:x"], 66,
        "no instance “x” of “\(id)”; there is \(id), \(id):travel; “today add \(id) --as x” adds it"
      ),
      (
        ["has-content", "Settable:x", "on"], 66,
        "no instance “x” of “\(id)”; it has \(id):travel; “today add \(id) --as x” adds it"
      ),
      (
        ["log", "Settable:x"], 66,
        "“Settable:x” has no log yet: no run of it has ended, and it has written nothing"
      ),
      (
        ["remove", "Settable", "--as", "x"], 64,
        "unknown option “--as” for remove; see “today help remove”"
      ),
    ]
    for (arguments, code, words) in mistakes {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: code), "\(arguments)")
      #expect(run.errorText == "today: \(words)\n", "\(arguments)")
    }
    // With its only instance on the page, the widget itself is on none.
    _ = try world.install()
    _ = try world.installed(["add", "Settable", "--as", "home"])
    let run = try world.installed(["remove", "Settable"])
    #expect(
      run.errorText
        == "today: “\(id)” is not on the page, but its instances are; name one of: \(id):home\n"
    )
    #expect(run.status == .exited(code: 66))
  }
}
