import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today purge` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PurgeTests {
  private static let id = "com.example.fixture.good"

  /// A world with a widget that has a cache, data and a stored view.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    #expect(try world.installed(["add", "Good"]).status == .exited(code: 0))
    #expect(try world.installed(["snapshot"]).outputText.contains("All is well"))
    for folder in ["cache", "data"] {
      try fill("\(world.path)/\(folder)/today/containers/\(Self.id)")
    }
    return world
  }

  /// Puts a file of 10,000 bytes into a folder in a folder.
  private func fill(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/pictures",
      withIntermediateDirectories: true
    )
    try Data(count: 10_000).write(to: URL(filePath: "\(folder)/pictures/one"))
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
  }

  @Test func `caches are emptied, and nothing else is`() throws {
    let world = try world()
    let other = "\(world.path)/cache/today/containers/com.example.other:one"
    try fill(other)
    let run = try world.installed(["purge"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("\(Self.id)  "))
    #expect(lines.last?.hasSuffix(" bytes freed") == true && lines.last != "0 bytes freed")
    #expect(try names("\(world.path)/cache/today/containers/\(Self.id)").isEmpty)
    #expect(try names(other).isEmpty)
    #expect(try names("\(world.path)/data/today/containers/\(Self.id)").contains("pictures"))
    #expect(try world.installed(["snapshot", "--cached"]).outputText.contains("All is well"))
    #expect(try world.installed(["purge"]).outputText == "0 bytes freed\n")
  }

  @Test func `one widget is chosen, and the result is JSON on request`() throws {
    let world = try world()
    let other = "\(world.path)/cache/today/containers/com.example.other"
    try fill(other)
    let run = try world.installed(["purge", "Good", "--json"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(run.output))
    #expect(rows.map(\.bundleIdentifier) == [Self.id])
    #expect(rows.allSatisfy { $0.bytes ?? 0 >= 10_000 && !$0.inUse })
    #expect(try names(other) == ["pictures"])
  }

  private struct Row: Decodable {
    var bundleIdentifier: String
    var path: String
    var bytes: Int?
    var inUse: Bool
  }

  @Test func `the cache of a widget that runs is kept`() throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("All is well")
    try terminal.wait(for: "the widget") { (_: TestScreen) in
      !ProcessList.entries(naming: world.path).filter {
        $0.commandLine.contains("Good.widget/good")
      }.isEmpty
    }
    let named = try world.installed(["purge", "Good"])
    #expect(named.status == .exited(code: 75))
    #expect(named.errorText == "today: \(Self.id) is running; its cache was not emptied\n")
    let all = try world.installed(["purge"])
    #expect(all.status == .exited(code: 0))
    #expect(all.outputText.split(separator: "\n").contains("\(Self.id)  in use"))
    let cache = "\(world.path)/cache/today/containers/\(Self.id)"
    #expect(try names(cache).contains("pictures"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try world.installed(["purge", "Good"]).status == .exited(code: 0))
    #expect(try names(cache).isEmpty)
  }

  @Test func `a link in place of a cache or in it is never followed`() throws {
    let world = try world()
    let precious = "\(world.path)/home/precious"
    try fill(precious)
    let caches = "\(world.path)/cache/today/containers"
    for link in ["\(caches)/com.example.link", "\(caches)/\(Self.id)/link"] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: precious)
    }
    #expect(try world.installed(["purge"]).status == .exited(code: 0))
    #expect(try names("\(caches)/\(Self.id)").isEmpty)
    #expect(try names(precious) == ["pictures"])
  }

  @Test(arguments: [(["None"], 66), (["--all"], 64)])
  func `wrong arguments are refused`(arguments: [String], code: Int) throws {
    #expect(try world().installed(["purge"] + arguments).status == .exited(code: Int32(code)))
  }
}
