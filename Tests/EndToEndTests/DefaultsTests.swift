import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today defaults` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DefaultsTests {
  private static let id = "com.example.fixture.good"

  private func world() throws -> TestWorld {
    let world = try TestWorld()
    try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    return world
  }

  private func defaults(_ arguments: String..., in world: TestWorld) throws -> ProgramRun {
    try world.installed(["defaults"] + arguments)
  }

  @Test(arguments: [
    ("7", "7\n"), ("-1", "-1\n"), ("true", "true\n"), ("Ida", "Ida\n"), ("", "\n"),
    ("[1,\"x\"]", "[\n  1,\n  \"x\"\n]\n"), ("{not JSON", "{not JSON\n"),
  ])
  func `a value is read as it was written`(value: String, text: String) throws {
    let world = try world()
    #expect(try defaults("write", Self.id, "key", value, in: world).status == .exited(code: 0))
    let run = try defaults("read", Self.id, "key", in: world)
    #expect(run.status == .exited(code: 0) && run.outputText == text, "\(run.errorText)")
  }

  @Test func `values are listed, made texts, and deleted, one or all`() throws {
    let world = try world()
    #expect(try defaults("read", Self.id, in: world).outputText == "{\n\n}\n")
    for key in ["a", "b", "c"] {
      #expect(
        try defaults("write", Self.id, key, "7", "--string", in: world).status == .exited(code: 0)
      )
    }
    #expect(try defaults("delete", Self.id, "b", in: world).status == .exited(code: 0))
    let list = try defaults("read", Self.id, in: world).output
    let values = try JSONDecoder().decode([String: String].self, from: Data(list))
    #expect(values == ["a": "7", "c": "7"])
    #expect(try defaults("delete", Self.id, in: world).status == .exited(code: 0))
    let run = try defaults("read", Self.id, "a", in: world)
    #expect(run.status == .exited(code: 66))
    #expect(run.errorText == "today: \(Self.id) has no value of “a”\n")
  }

  @Test func `control characters of a value do not reach the terminal`() throws {
    let world = try world()
    let value = "a\u{1B}[31mb"
    #expect(try defaults("write", Self.id, "key", value, in: world).status == .exited(code: 0))
    #expect(try !defaults("read", Self.id, "key", in: world).output.contains(0x1B))
    #expect(try !defaults("read", Self.id, in: world).output.contains(0x1B))
  }

  @Test func `the bundles of a folder have defaults, whether it is named before or behind`() throws
  {
    let world = try TestWorld(fixtures: ["Good"])
    let folder = ["--widgets", world.widgets]
    #expect(try defaults("read", Self.id, in: world).status == .exited(code: 66))
    for (place, value) in [(0, "1"), (1, "-2"), (2, "3"), (3, "4"), (4, "-5"), (5, "6")] {
      var words = ["defaults", "write", Self.id, "key", value]
      words.insert(contentsOf: folder, at: place)
      let run = try world.installed(words)
      #expect(run.status == .exited(code: 0), "\(words): \(run.errorText)")
      let read = try world.installed(["defaults", "read"] + folder + [Self.id, "key"])
      #expect(read.outputText == "\(value)\n", "\(words): \(read.errorText)")
    }
    #expect(try world.run(["defaults", "delete", Self.id, "key"]).status == .exited(code: 0))
    #expect(try world.run(["defaults", "read", Self.id, "key"]).status == .exited(code: 66))
    let missing = try world.installed(["defaults", "read", Self.id, "--widgets"])
    #expect(missing.status == .exited(code: 64) && missing.outputText.isEmpty)
  }

  private static let wrong: [([String], Int)] = [
    ([], 64), (["read"], 64), (["read", "$", "a", "b"], 64), (["write", "$", "a"], 64),
    (["change", "$", "a", "1"], 64), (["read", "$", "a", "--string"], 64),
    (["write", "$", "a\nb", "1"], 64), (["read", "$", ""], 64), (["read", "$", "none"], 66),
    (["read", "group.none"], 66), (["read", "com.example.none"], 66), (["read", "$", "--all"], 64),
  ]

  @Test(arguments: wrong)
  func `wrong arguments are refused`(arguments: [String], code: Int) throws {
    let world = try world()
    let run = try world.installed(
      ["defaults"] + arguments.map { $0 == "$" ? Self.id : $0 }
    )
    #expect(run.status == .exited(code: Int32(code)), "\(run.errorText)")
    #expect(run.errorText.hasPrefix("today: ") && run.outputText.isEmpty)
  }
}
