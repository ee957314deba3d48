import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today secrets` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SecretsTests {
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    return world
  }

  /// Runs a command with a text on its standard input.
  private func run(_ arguments: String, input: String, _ world: TestWorld) throws -> ProgramRun {
    let program = ProgramDescription(
      "/bin/sh",
      ["-c", #"printf %s "$1" | "$2" \#(arguments)"#, "sh", input, BuiltProgram.path ?? ""],
      environment: world.environment(term: nil),
      directory: world.path
    )
    return try ProgramRun(program)
  }

  @Test func `a secret is stored from standard input, listed, printed and deleted`() throws {
    let world = try world()
    #expect(try world.installed(["secrets", "Good"]).outputText == "no secrets\n")
    #expect(
      try run("secrets Good token --set", input: "hunter2\n", world).status == .exited(code: 0)
    )
    let list = try world.installed(["secrets", "Good"]).outputText
    #expect(list == "com.example.fixture.good  token\n")
    #expect(try world.installed(["secrets", "Good", "token"]).outputText == "hunter2\n")
    #expect(
      try run("secrets Good token --set", input: "other", world).status == .exited(code: 0)
    )
    #expect(try world.installed(["secrets", "Good", "token"]).outputText == "other\n")
    #expect(
      try world.installed(["secrets", "Good", "token", "--delete"]).status == .exited(code: 0)
    )
    let missing = try world.installed(["secrets", "Good", "token"])
    #expect(missing.status == .exited(code: 1))
    #expect(missing.errorText.contains("no secret “token”"))
  }

  @Test func `a setting of the same name is another secret, which is said`() throws {
    let world = try TestWorld()
    try world.add(fixture: "Settable", below: "\(world.path)/data/today/widgets")
    let id = "com.example.fixture.settable"
    let setting = try run("secrets \(id) token --set", input: "x", world)
    #expect(setting.status == .exited(code: 0))
    #expect(
      setting.errorText.contains("its setting “token” is another one"),
      "\(setting.errorText)"
    )
    #expect(try world.installed(["settings", id, "token"]).outputText.contains("not set"))
    let other = try run("secrets \(id) other --set", input: "x", world)
    #expect(other.errorText.isEmpty, "\(other.errorText)")
  }

  @Test(arguments: [
    (["secrets"], 64), (["secrets", "Good", "--set"], 64), (["secrets", "Good", ""], 64),
    (["secrets", "None", "a"], 66), (["secrets", "Good", "a", "--delete", "--set"], 64),
    (["secrets", "Good", "a", "--group", "group.others"], 1),
  ])
  func `wrong arguments are refused`(arguments: [String], code: Int) throws {
    #expect(try world().installed(arguments).status == .exited(code: Int32(code)))
  }
}
