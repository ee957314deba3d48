import FoundationEssentials
import Testing
import WidgetTestSupport

/// The output and the exit status of `today snapshot` and `today refresh`, and names of widgets.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct CommandResultTests {
  /// Adds a widget in sh that answers `initialize` with these methods and runs the given commands.
  private func add(
    _ name: String,
    to world: TestWorld,
    displayName: String? = nil,
    implements: String = "",
    after: String = "",
    loop: String = ""
  ) throws {
    let bundle = "\(world.widgets)/\(name).widget"
    try FileManager.default.createDirectory(
      atPath: bundle,
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { CFBundleIdentifier = "com.example.\(name)"; CFBundleExecutable = run;
        CFBundleDisplayName = "\(displayName ?? name)"; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension"; NSExtensionPrincipalClass = M; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try world.write(
      """
      #!/bin/sh
      say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
      read -r line
      say '"id":1,"result":{"protocolVersion":1,"implements":[\(implements)]}'
      \(after)
      while read -r line; do
        id=$(printf %s "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
        case "$line" in
          *'"shutdown"'*) exit 0 ;;
          \(loop)
        esac
      done
      """,
      to: "\(bundle)/run"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(bundle)/run"
    )
  }

  private static let push = #"sleep 0.4; say '"method":"setView","params":{"view":"pushed words"}'"#
  private static let update = #"*widgetPerformUpdate*) "#

  @Test("a widget that only pushes is in the output, in the refresh and in the stored content")
  func pushes() throws {
    let world = try TestWorld()
    try add("Pushing", to: world, after: Self.push)
    let refresh = try world.run(["refresh"])
    #expect(refresh.status == .exited(code: 0), "\(refresh.errorText)")
    #expect(refresh.outputText.hasPrefix("com.example.Pushing newData "))
    let kept = try world.run(["snapshot", "--cached"])
    #expect(kept.outputText.contains("pushed words"), "\(kept.errorText)")
    let snapshot = try world.run(["snapshot"])
    #expect(snapshot.status == .exited(code: 0), "\(snapshot.errorText)")
    #expect(snapshot.outputText.contains("pushed words"))
    #expect(world.processesLeft() == [])
  }

  private struct Page: Decodable {
    struct Card: Decodable {
      var bundleIdentifier: String
      var state: String
      var message: String?
    }
    var cards: [Card]
  }

  @Test("a widget without content is exit status 1, with the reason in JSON and on standard error")
  func showsNothing() throws {
    let world = try TestWorld(fixtures: ["Silent", "Good"])
    try add("Blank", to: world)
    try add("Hidden", to: world)
    _ = try world.run(["has-content", "Hidden", "off"])
    let run = try world.run(["snapshot", "--timeout", "2.5", "--format", "json"])
    #expect(run.status == .exited(code: 1))
    let cards = try JSONDecoder().decode(Page.self, from: Data(run.output)).cards
    let messages = Dictionary(
      uniqueKeysWithValues: cards.map { ($0.bundleIdentifier, $0.message) }
    )
    #expect(messages["com.example.Blank"] == "has nothing to show: it sent no view")
    #expect(messages["com.example.Hidden"] == "has nothing to show")
    #expect(messages["com.example.fixture.silent"] == "timed out after 2.5 s")
    #expect(messages["com.example.fixture.good"] == .some(nil))
    #expect(cards.first { $0.bundleIdentifier == "com.example.Hidden" }?.state == "hidden")
    for (identifier, message) in messages {
      #expect(run.errorText.contains(identifier) == (message != nil), "\(run.errorText)")
    }
    // In a picture, what has nothing to show takes no room, and what sent no view says so.
    let text = try world.run(["snapshot", "Blank", "Hidden"])
    #expect(text.status == .exited(code: 1))
    #expect(text.outputText.contains("it sent no view"))
    #expect(!text.outputText.contains("Hidden"))
  }

  @Test("a widget that changes its height twice within a second does not use up the timeout")
  func changesItsHeight() throws {
    let world = try TestWorld()
    func height(_ rows: Int) -> String {
      #"say '"method":"setPreferredContentSize","params":{"height":\#(rows)}'; sleep 0.1; "#
    }
    try add(
      "Growing",
      to: world,
      implements: #""widgetPerformUpdate""#,
      loop: Self.update + height(3) + height(5) + height(7)
        + #"say '"id":'$id',"result":{"result":"newData","view":"grown"}' ;;"#
    )
    let start = ContinuousClock.now
    let run = try world.run(["snapshot", "--timeout", "30"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(run.outputText.split(separator: "\n").count >= 9, "\(run.outputText)")
  }

  @Test("refresh prints one line for each widget that it asked, whatever the result")
  func refreshesEach() throws {
    let world = try TestWorld(fixtures: ["Good", "Crashing", "Silent", "Counting"])
    try add(
      "Failing",
      to: world,
      implements: #""widgetPerformUpdate""#,
      loop: Self.update + #"say '"id":'$id',"result":{"result":"failed","error":" "}' ;;"#
    )
    try add("Hanging", to: world, implements: #""widgetPerformUpdate""#)
    let run = try world.run(["refresh", "--timeout", "3"])
    #expect(run.status == .exited(code: 1))
    let lines = run.outputText.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.allSatisfy { $0.count == 3 && Int($0[2]) != nil }, "\(run.outputText)")
    let results = Dictionary(lines.map { (String($0[0]), String($0[1])) }) { first, _ in
      Issue.record("two lines for one widget: \(run.outputText)")
      return first
    }
    #expect(
      results == [
        "com.example.fixture.good": "noData", "com.example.fixture.crashing": "failed",
        "com.example.fixture.silent": "failed", "com.example.fixture.counting": "newData",
        "com.example.Failing": "failed", "com.example.Hanging": "failed",
      ] || results["com.example.fixture.good"] == "newData",
      "\(results)"
    )
    #expect(results.count == 6)
    #expect(run.errorText.contains("com.example.Failing: the update failed\n"))
    #expect(run.errorText.contains("com.example.Hanging: timed out after 3 s\n"))
    for identifier in results.filter({ $0.value == "failed" }).keys {
      let complaints = run.errorText.split(separator: "\n").filter { $0.contains(identifier) }
      #expect(complaints.count == 1, "\(run.errorText)")
    }
  }

  @Test(arguments: [
    // The deadline of the update in seconds, the command's own time, and what is said.
    (1, "20", ["No answer in 1 s"]),
    (1, nil, ["No answer in 1 s"]),
    (20, "1", ["timed out after 1 s"]),
    // Both at nearly the same moment: whichever comes first is said, and only that.
    (1, "1", ["No answer in 1 s", "timed out after 1 s"]),
    (1, "1.05", ["No answer in 1 s", "timed out after 1.05 s"]),
    (1, "1.1", ["No answer in 1 s", "timed out after 1.1 s"]),
    (1, "1.15", ["No answer in 1 s", "timed out after 1.15 s"]),
  ])
  func `refresh reports a timeout once, its own or that of the update`(
    deadline: Int,
    timeout: String?,
    words: [String]
  ) throws {
    let world = try TestWorld()
    try add("Hanging", to: world, implements: #""widgetPerformUpdate""#)
    try world.saveConfiguration(
      #"{"deadlines": {"widgetPerformUpdateSeconds": \#(deadline)}}"#
    )
    let run = try world.run(["refresh"] + (timeout.map { ["--timeout", $0] } ?? []))
    #expect(run.status == .exited(code: 1))
    let line = try #require(run.outputText.split(separator: "\n").first)
    #expect(run.outputText.split(separator: "\n").count == 1, "\(run.outputText)")
    #expect(line.hasPrefix("com.example.Hanging failed "))
    let milliseconds = try #require(line.split(separator: " ").last.flatMap { Int($0) })
    #expect(milliseconds >= 1_000)
    #expect(milliseconds < 15_000)
    let complaints = words.map { "today: com.example.Hanging: \($0)\n" }
    #expect(complaints.contains(run.errorText), "\(run.errorText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `help lists every command`() throws {
    let world = try TestWorld()
    func run(_ arguments: String...) throws -> ProgramRun {
      var program = world.today(term: nil)
      program.arguments = arguments
      return try ProgramRun(program)
    }
    let help = try run("help")
    #expect(help.status == .exited(code: 0))
    for name in [
      "snapshot", "refresh", "schedule", "list", "add", "remove", "move", "reload", "has-content",
      "open", "install", "uninstall", "test", "log", "coordinate", "purge", "run",
      "import",
    ] {
      #expect(help.outputText.contains("today \(name) "), "\(name)")
      let topic = try run("help", name)
      #expect(topic.status == .exited(code: 0))
      #expect(topic.outputText.hasPrefix("today \(name)"))
    }
  }

  @Test func `reload asks all widgets of the pages at once`() throws {
    let world = try TestWorld(fixtures: ["Good", "Counting"])
    #expect(try world.run(["reload", "--all"]).outputText == "2\n")
    let refreshed = try world.run(["refresh", "--due"]).outputText
    #expect(refreshed.contains("fixture.counting newData"))
    #expect(refreshed.contains("fixture.good "))
    #expect(try world.run(["reload", "--all", "Good"]).status == .exited(code: 64))
    #expect(try world.run(["reload"]).status == .exited(code: 64))
  }

  @Test("a name that only one widget has can replace its identifier in every command")
  func takesNames() throws {
    let world = try TestWorld(fixtures: ["Good", "Counting"])
    try add("One", to: world, displayName: "Twin", after: Self.push)
    try add("Two", to: world, displayName: "Twin", after: Self.push)
    let snapshot = try world.run(["snapshot", "good"])
    #expect(snapshot.status == .exited(code: 0), "\(snapshot.errorText)")
    #expect(snapshot.outputText.contains("All is well"))
    #expect(!snapshot.outputText.contains("Twin"))
    #expect(try world.run(["refresh", "Counting"]).outputText.contains("fixture.counting newData"))
    #expect(try world.run(["reload", "Good"]).outputText == "1\n")
    #expect(
      try world.run(["log", "Good"]).outputText
        == world.run(["log", "com.example.fixture.good"]).outputText
    )
    for arguments in [
      ["remove", "Good"], ["add", "GOOD"], ["move", "Good", "1"], ["has-content", "Good", "on"],
    ] {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: 0), "\(arguments): \(run.errorText)")
    }
    #expect(try world.run(["list"]).outputText.hasPrefix("com.example.fixture.good "))
    for arguments in [
      ["remove", "Twin"], ["add", "twin"], ["move", "Twin", "1"], ["refresh", "Twin"],
      ["snapshot", "Twin"], ["log", "Twin"], ["reload", "Twin"], ["has-content", "Twin", "off"],
    ] {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: 64), "\(arguments)")
      #expect(run.errorText.contains("com.example.One, com.example.Two"), "\(run.errorText)")
      #expect(run.output.isEmpty)
    }
    #expect(try world.run(["remove", "com.example.One"]).status == .exited(code: 0))
    #expect(try world.run(["remove", "Nobody"]).status == .exited(code: 66))
  }
}
