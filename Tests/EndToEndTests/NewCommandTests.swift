import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today new`: what it makes can be tested and shown as it is.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NewCommandTests {
  private func today(_ arguments: String..., in world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  @Test(arguments: [("python", "Cups.widget"), ("sh", "Cups.widget"), ("script", "cups.1m.sh")])
  func `a new widget passes its test untouched`(language: String, made: String) throws {
    let world = try TestWorld()
    let new = try today("new", "Cups", "--language", language, in: world)
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    #expect(new.outputText.contains(made))
    let test = try today("test", made, in: world)
    #expect(test.status == .exited(code: 0), "\(test.outputText)")
    // The scenario is one of the checks.
    #expect(test.outputText.contains(language == "script" ? "cups.tests/" : "Tests/counts.json: "))
    let snapshot = try today("snapshot", "--bundle", made, in: world)
    #expect(snapshot.outputText.contains(language == "script" ? "%  /" : "0 of 6 cups"))
  }

  @Test func `a new package in Swift is built into its bundle`() throws {
    let world = try TestWorld()
    let new = try today(
      "new",
      "Cups",
      "--language",
      "swift",
      "--identifier",
      "org.test.Cups",
      in: world
    )
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    let environment = ProcessInfo.processInfo.environment
    let build = try ProgramRun(
      ProgramDescription(
        "\(world.path)/Cups/build",
        ["debug"],
        environment: world.environment(term: nil).merging(
          // The toolchain, wherever it is, and a cache that other builds share.
          environment.filter { ["PATH", "HOME"].contains($0.key) },
          uniquingKeysWith: { $1 }
        ),
        directory: world.path
      ),
      patience: 20
    )
    #expect(build.status == .exited(code: 0), "\(build.outputText)\(build.errorText)")
    let test = try today("test", "Cups/Cups.widget", in: world)
    #expect(test.status == .exited(code: 0), "\(test.outputText)")
    #expect(test.outputText.contains("# org.test.Cups at "))
    #expect(test.outputText.contains("Tests/counts.json: "))
  }

  @Test func `nothing is overwritten, and what is wrong is named`() throws {
    let world = try TestWorld()
    try world.write("mine", to: "\(world.path)/cups.tests")
    let taken = try today("new", "Cups", "--language", "script", in: world)
    #expect(taken.status == .exited(code: 1))
    #expect(taken.errorText.contains("cups.tests exists already"))
    // All of it, or nothing.
    let names = try FileManager.default.contentsOfDirectory(atPath: world.path)
    #expect(!names.contains { $0.hasPrefix("cups.1m") || $0.hasSuffix(".new") })
    for (arguments, words) in [
      (["new", "../Cups", "--language", "sh"], "expected a name of a letter"),
      (["new", "Cups"], "expected --language swift, python, sh or script"),
      (["new", "Cups", "--language", "perl"], "expected one of swift, python, sh, script"),
      (["new", "Cups", "--language", "sh", "--identifier", "cups"], "reverse-DNS order"),
      (["new", "Cups", "--language", "swift", "--package", "/nowhere"], "no such folder"),
      (["new", "--language", "sh"], "expected a name"),
    ] {
      let run = try ProgramRun(
        ProgramDescription(
          BuiltProgram.path ?? "/nowhere/today",
          arguments,
          environment: world.environment(term: nil),
          directory: world.path
        )
      )
      #expect(run.status != .exited(code: 0))
      #expect(run.errorText.contains(words), "\(arguments): \(run.errorText)")
    }
  }
}
