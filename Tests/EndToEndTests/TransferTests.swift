import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Background transfers from a real server, which outlive the widget and the dashboard.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TransferTests {
  /// A world with an app that can transfer, its widget on the page, and a web server.
  final class World {
    let world: TestWorld
    let server: PseudoTerminal
    let port: String

    /// Creates the world.
    ///
    /// - Parameters:
    ///   - app: The program of the app.
    ///   - program: The path of the widget's program, if it is another one than that of the fixture.
    ///   - isInstalled: Whether the app is installed, rather than named on the command line.
    ///   - entitlements: Those of the widget, if they are others than those of the fixture.
    /// - Throws: An error if the files cannot be made, or if the server does not start.
    init(
      app: String = World.taking,
      program: String? = nil,
      isInstalled: Bool = false,
      entitlements: String? = nil
    ) throws {
      world = try TestWorld()
      let folder = isInstalled ? "\(world.path)/data/today/widgets" : world.widgets
      let bundle = "\(folder)/Fetching.app"
      let widget = try world.add(fixture: "Fetching", below: "\(bundle)/PlugIns")
      if let entitlements { try world.write(entitlements, to: "\(widget)/Entitlements.plist") }
      if let program {
        try FileManager.default.removeItem(atPath: "\(widget)/fetching")
        try FileManager.default.copyItem(atPath: program, toPath: "\(widget)/fetching")
      }
      try world.write(
        "{ CFBundleIdentifier = \"com.example.fetching\"; CFBundleExecutable = run; }",
        to: "\(bundle)/Info.plist"
      )
      try world.write(
        "{ \"com.apple.security.application-groups\" = (\"group.com.example.fetching\"); }",
        to: "\(bundle)/Entitlements.plist"
      )
      try world.write(app, to: "\(bundle)/run")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(bundle)/run"
      )
      // The world's folder is named so that the server ends with the world.
      server = try PseudoTerminal(
        ProgramDescription(
          "/usr/bin/env",
          ["python3", "-B", "\(TestWorld.fixtures)/transfer_server.py", world.path],
          environment: world.environment(),
          directory: world.path
        ),
        columns: 80,
        rows: 4
      )
      try server.wait(for: "the ports") { $0.text.split(separator: " ").count >= 2 }
      port = String(server.screen.text.split { !$0.isNumber }.first ?? "")
    }

    /// An app that takes its events and keeps a copy of each.
    static let taking = """
      #!/bin/sh
      cat > "$HOME/events.$$.new"
      echo "$*" > "$HOME/arguments"
      mv "$HOME/events.$$.new" "$HOME/events.$$"

      """

    /// An app that takes its events at the second start only.
    static let hesitating = """
      #!/bin/sh
      cat > "$HOME/events.$$.new"
      if [ ! -e "$HOME/refused" ]; then mv "$HOME/events.$$.new" "$HOME/refused"; exit 1; fi
      mv "$HOME/events.$$.new" "$HOME/events.$$"

      """

    /// The environment of the program, with requests of the widget by their buttons.
    func variables(_ requests: String, refuses: Bool = false) -> [String: String] {
      let text = requests.replacing("$server", with: "http://127.0.0.1:\(port)")
      return ["TODAY_TEST_REQUESTS": "[\(text)]", "no_proxy": "*"].merging(
        refuses ? ["TODAY_TEST_REFUSES": "1"] : [:]
      ) { $1 }
    }

    func open(_ requests: String, refuses: Bool = false) throws -> PseudoTerminal {
      let terminal = try world.openDashboard(
        columns: 100,
        rows: 40,
        variables: variables(requests, refuses: refuses)
      )
      try terminal.waitForText("[ Fetch ]")
      try terminal.settle(calm: .milliseconds(200))
      return terminal
    }

    /// The events that the app has taken, one text for each start.
    var events: [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: "\(world.path)/home")
      return (names ?? []).filter { $0.hasPrefix("events.") && !$0.hasSuffix(".new") }
        .compactMap { FileManager.default.contents(atPath: "\(world.path)/home/\($0)") }
        .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The files that have come for the app.
    var files: [String] {
      let folder = "\(world.path)/data/today/groups/group.com.example.fetching/Library/Transfers"
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
      return (names ?? []).map { "\(folder)/\($0)" }
    }

    func list() throws -> String { try world.run(["transfers"]).outputText }

    /// Waits until a condition holds that no terminal shows.
    func wait(for words: String, _ condition: () throws -> Bool) throws {
      let deadline = TestDeadline.next
      while try !condition() {
        guard ContinuousClock.now < deadline else {
          throw Missing(description: "\(words): \(try list())")
        }
        try server.pump(until: .now + .milliseconds(20))
      }
    }

    struct Missing: Error, CustomStringConvertible {
      var description: String
    }
  }

  private static let group = #""sharedContainer": "group.com.example.fetching""#

  private static func download(_ url: String, _ label: String = "Fetch") -> String {
    """
    ["\(label)", "downloadInBackground", {"identifier": "news", "url": "\(url)", \(group)}]
    """
  }

  private static func size(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }

  @Test func `a widget that lives gets the events, and its app is not started`() throws {
    let world = try World()
    let terminal = try world.open(Self.download("$server/slow?size=60000&rate=30000"))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 60000")
    #expect(try world.list().contains("com.example.fetching.today  transferring"))
    try terminal.waitForText("complete 200: 60000 bytes")
    try world.wait(for: "the acknowledgement") { try world.list() == "no transfers\n" }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.events == [])
    #expect(world.files.compactMap(Self.size) == [60_000])
  }

  @Test func `a list in JSON has what is known of each transfer, and one is ended by its name`()
    throws
  {
    struct Row: Decodable {
      var task: String
      var kind: String
      var url: String
      var widget: String
      var app: String
      var identifier: String
      var state: String
      var bytes: Int?
      var total: Int?
    }
    func rows(_ world: World) throws -> [Row] {
      let run = try world.world.run(["transfers", "--json"])
      return try JSONDecoder().decode([Row].self, from: Data(run.output))
    }
    let world = try World()
    #expect(try rows(world).isEmpty)
    let terminal = try world.open(Self.download("$server/slow?size=900000&rate=1000"))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 900000")
    let row = try #require(try rows(world).first)
    #expect(row.kind == "download" && row.state == "transferring" && row.identifier == "news")
    #expect(row.widget == "com.example.fetching.today" && row.app == "com.example.fetching")
    #expect(row.url.hasSuffix("/slow?size=900000&rate=1000") && row.total == 900_000)
    #expect(try world.world.run(["transfers", "cancel", row.task]).status == .exited(code: 0))
    try terminal.waitForText("failed cancelled")
    try world.wait(for: "an empty list") { try rows(world).isEmpty }
    #expect(try world.world.run(["transfers", "cancel", row.task]).status == .exited(code: 66))
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a transfer outlives a dashboard that is killed, and the app gets its events once`()
    throws
  {
    let world = try World()
    let terminal = try world.open(Self.download("$server/slow?size=90000&rate=30000"))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 90000")
    terminal.signal(9)
    try terminal.waitForEnd()
    #expect(try world.list().contains("transferring"))
    try world.wait(for: "the events") { !world.events.isEmpty }
    try world.wait(for: "the acknowledgement") { try world.list() == "no transfers\n" }
    #expect(world.events.count == 1)
    #expect(world.events.first?.contains(#""identifier":"news""#) == true)
    #expect(world.events.first?.contains(#""status":200"#) == true)
    #expect(world.files.compactMap(Self.size) == [90_000])
    let arguments = FileManager.default.contents(atPath: "\(world.world.path)/home/arguments")
    #expect(
      arguments.map { String(decoding: $0, as: UTF8.self) }
        == "--handle-events-for-background-url-session news\n"
    )
    #expect(world.world.processesLeft().filter { $0.commandLine.contains("keep-transfer") } == [])
  }

  @Test func `a widget that is killed leaves the events to its app, which gets them once`() throws {
    let world = try World()
    let terminal = try world.open(Self.download("$server/slow?size=90000&rate=30000"))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 90000")
    let programs = ProcessList.entries(naming: world.world.path).filter {
      $0.commandLine.contains("Fetching.widget/fetching")
    }
    #expect(!programs.isEmpty)
    for program in programs { kill(program.pid, SIGKILL) }
    try world.wait(for: "the events") { !world.events.isEmpty }
    try world.wait(for: "the acknowledgement") { try world.list() == "no transfers\n" }
    #expect(world.events.count == 1)
    #expect(world.files.compactMap(Self.size) == [90_000])
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `events that the app does not take are kept for the next start of the dashboard`()
    throws
  {
    let world = try World(app: World.hesitating)
    let requests = Self.download("$server/file?size=1000")
    let terminal = try world.open(requests, refuses: true)
    try terminal.click("[ Fetch ]")
    try world.wait(for: "the refusal") {
      FileManager.default.fileExists(atPath: "\(world.world.path)/home/refused")
    }
    try world.wait(for: "the end of the keeper") {
      try world.list().contains("complete") && world.keepers.isEmpty
    }
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(world.events == [])
    let next = try world.open(requests, refuses: true)
    try world.wait(for: "the events") { world.events.count == 1 }
    try world.wait(for: "the acknowledgement") { try world.list() == "no transfers\n" }
    try next.type("q")
    try next.waitForEnd()
    #expect(world.events.count == 1)
  }

  @Test func `a transfer that was interrupted goes on where it ended`() throws {
    let world = try World()
    let requests = Self.download("$server/slow?size=120000&rate=40000")
    let terminal = try world.open(requests)
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 120000")
    try terminal.type("q")
    try terminal.waitForEnd()
    for keeper in world.keepers { kill(keeper, SIGKILL) }
    try world.wait(for: "the end of the keeper") { try world.list().contains("waiting") }
    let next = try world.open(requests)
    try world.wait(for: "the events") { world.events.count == 1 }
    #expect(world.events.first?.contains(#""status":206"#) == true)
    #expect(world.files.compactMap(Self.size) == [120_000])
    try next.type("q")
    try next.waitForEnd()
  }

  @Test(arguments: ["keep-transfer", "transfer-agent"])
  func `a transfer of which a process is killed goes on while a page is open`(program: String)
    throws
  {
    let world = try World()
    let terminal = try world.open(Self.download("$server/slow?size=120000&rate=40000"))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 120000")
    let keepers = world.keepers
    let agents = keepers.flatMap { ProcessList.descendants(of: $0, named: "transfer-agent") }
    #expect(keepers.count == 1 && agents.count == 1)
    for process in program == "transfer-agent" ? agents : keepers { kill(process, SIGKILL) }
    try terminal.waitForText("complete 206: 120000 bytes")
    #expect(world.files.compactMap(Self.size) == [120_000])
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a file is sent, and the answer is kept beside it`() throws {
    let world = try World()
    let folder = "\(world.world.path)/data/today/groups/group.com.example.fetching/outbox"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try world.world.write("hello", to: "\(folder)/7.txt")
    let terminal = try world.open(
      """
      ["Fetch", "uploadInBackground", {"identifier": "news", "url": "$server/echo", \(Self.group),
       "method": "PUT", "file": "outbox/7.txt"}]
      """
    )
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("complete 200: 5 bytes")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 2 && names.contains { $0.hasSuffix(".response") })
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `failures are reported with their reason, and leave no file`() throws {
    let world = try World()
    let terminal = try world.open(
      [
        Self.download("$server/status?code=401"),
        Self.download("$server/missing", "None"),
        Self.download("$server/slow?size=900000&rate=1000", "Slow"),
        #"["Stop", "cancelTransfer", {"task": "$task"}]"#,
      ].joined(separator: ", ")
    )
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("failed unauthorized")
    try terminal.click("[ None ]")
    try terminal.waitForText("failed http")
    try terminal.click("[ Slow ]")
    try terminal.waitForText("progress of 900000")
    try terminal.click("[ Stop ]")
    try terminal.waitForText("failed cancelled")
    #expect(world.files == [])
    let parts = "\(world.world.path)/data/today/transfers"
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts) == [])
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a session without a group is invalid at once, and so is one of another process`()
    throws
  {
    let world = try World()
    let terminal = try world.open(
      """
      ["Fetch", "downloadInBackground", {"identifier": "news", "url": "$server/file?size=1"}],
      \(Self.download("$server/slow?size=900000&rate=1000", "Slow"))
      """
    )
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("params.sharedContainer: the session is invalid")
    try terminal.click("[ Slow ]")
    try terminal.waitForText("progress of 900000")
    let second = try world.open(Self.download("$server/file?size=1"))
    try second.click("[ Fetch ]")
    try second.waitForText("another process uses the session")
    let task = try #require(try world.list().split(separator: " ").first.map(String.init))
    #expect(try world.world.run(["transfers", "cancel", task]).status == .exited(code: 0))
    try terminal.waitForText("failed cancelled")
    #expect(try world.world.run(["transfers", "cancel", task]).status == .exited(code: 66))
    #expect(try world.world.run(["transfers", "cancel"]).status == .exited(code: 64))
    for terminal in [terminal, second] {
      try terminal.type("q")
      try terminal.waitForEnd()
    }
  }
}

extension TransferTests.World {
  /// The processes that keep transfers.
  fileprivate var keepers: [Int32] {
    ProcessList.entries(naming: world.path).filter { $0.commandLine.contains("keep-transfer") }
      .map(\.pid)
  }
}
