import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today rename`: pages with other names.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct RenamePageTests {
  @Test func `a page gets another name, and keeps its cards`() throws {
    let world = try TestWorld()
    for name in ["Good", "Counting"] {
      let bundle = "\(TestWorld.fixtures)/\(name).widget"
      #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    }
    #expect(try world.installed(["add", "Good", "--page", "Work"]).status == .exited(code: 0))
    let run = try world.installed(["rename", "work", "Büro 1"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let shown = try world.installed(["snapshot", "--page", "Büro 1"])
    #expect(shown.outputText.contains("Good"), "\(shown.outputText)\(shown.errorText)")
    #expect(try world.installed(["snapshot", "--page", "Work"]).status == .exited(code: 66))
    // Also the first page, which has no record of its own yet.
    #expect(try world.installed(["rename", "Home", "Start"]).status == .exited(code: 0))
    let start = try world.installed(["snapshot", "--page", "Start", "--cached"])
    #expect(start.errorText.contains("no page") == false, "\(start.errorText)")
  }

  @Test(arguments: [
    (["rename"], 64, "expected a page and its new name"),
    (["rename", "Home"], 64, "expected a page and its new name"),
    (["rename", "Nowhere", "x"], 66, "no page “Nowhere”"),
    (["rename", "Home", " x"], 64, "expected a name of"),
    (["rename", "Home", "Work"], 1, "there is a page “Work” already"),
    (["rename", "Declared", "x"], 1, "is declared at"),
  ])
  func `a wrong call changes nothing, and says why`(
    arguments: [String],
    code: Int32,
    words: String
  ) throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    #expect(try world.installed(["add", "Good", "--page", "Work"]).status == .exited(code: 0))
    if arguments.contains("Declared") {
      try FileManager.default.createDirectory(
        atPath: "\(world.path)/config/today",
        withIntermediateDirectories: true
      )
      try world.write(
        "{ pages: [{ name: 'Declared', cards: ['com.example.fixture.good'] }] }",
        to: "\(world.path)/config/today/config.json"
      )
    }
    let run = try world.installed(arguments)
    #expect(run.status == .exited(code: code), "\(run.errorText)")
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }
}
