import FoundationEssentials
import Testing
import WidgetTestSupport

/// Background transfers of a widget in Swift, and of widgets that may not make them.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SwiftTransferTests {
  private typealias World = TransferTests.World

  private func open(_ world: World, _ path: String) throws -> PseudoTerminal {
    let terminal = try world.world.openDashboard(
      columns: 100,
      rows: 40,
      variables: ["TODAY_TEST_URL": "http://127.0.0.1:\(world.port)\(path)", "no_proxy": "*"]
    )
    try terminal.waitForText("[ Fetch ]")
    try terminal.settle(calm: .milliseconds(200))
    return terminal
  }

  @Test func `a session in Swift downloads, and its delegate is told how far and how it ended`()
    throws
  {
    let world = try World(program: BuiltTool.path("LoadingFixture"))
    let terminal = try open(world, "/slow?size=60000&rate=30000")
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 60000")
    try terminal.waitForText("file of 60000 with 200")
    try terminal.waitForText("complete")
    try terminal.waitForText("all")
    try world.wait(for: "the acknowledgement") { try world.list() == "no transfers\n" }
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(world.events == [])
  }

  @Test func `a session in Swift sends a file, and gets the answer`() throws {
    let world = try World(program: BuiltTool.path("LoadingFixture"))
    let folder = "\(world.world.path)/data/today/groups/group.com.example.fetching/outbox"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try world.world.write("hello", to: "\(folder)/7.txt")
    let terminal = try open(world, "/echo")
    try terminal.click("[ Send ]")
    try terminal.waitForText("file of 5 with 200")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a session in Swift ends a transfer, and a refusal is an error that is thrown`()
    throws
  {
    let world = try World(program: BuiltTool.path("LoadingFixture"))
    let terminal = try open(world, "/slow?size=900000&rate=1000")
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("progress of 900000")
    try terminal.click("[ Stop ]")
    try terminal.waitForText("failed cancelled")
    try terminal.click("[ Stop ]")
    try terminal.waitForText("refused params.task: expected")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a widget that does not request the network starts no transfer`() throws {
    let world = try World(
      entitlements:
        #"{ "com.apple.security.application-groups" = ("group.com.example.fetching"); }"#
    )
    let terminal = try world.open(Self.request)
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("refused transfers need")
    #expect(try world.list() == "no transfers\n")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  @Test func `a widget whose network was withdrawn starts no transfer`() throws {
    let world = try World(isInstalled: true)
    #expect(try world.world.installed(["add", "Fetching"]).status == .exited(code: 0))
    _ = try world.world.installed(["permissions", "Fetching", "--grant", "all"])
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        [],
        environment: world.world.environment()
          .merging(world.variables(Self.request)) { $1 },
        directory: world.world.path
      ),
      columns: 100,
      rows: 60
    )
    try terminal.waitForText("[ Fetch ]")
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("complete 200: 10 bytes")
    _ = try world.world.installed(["permissions", "Fetching", "--revoke", "all"])
    try terminal.wait(for: "another process") { !$0.text.contains("complete 200") }
    try terminal.waitForText("[ Fetch ]")
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("[ Fetch ]")
    try terminal.waitForText("refused transfers need")
    #expect(try world.list() == "no transfers\n")
    try terminal.type("q")
    try terminal.waitForEnd()
  }

  private static let request = """
    ["Fetch", "downloadInBackground", {"identifier": "news", "url": "$server/file?size=10",
     "sharedContainer": "group.com.example.fetching"}]
    """
}
