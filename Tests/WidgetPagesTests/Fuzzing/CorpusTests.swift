import FoundationEssentials
import Testing
import WidgetTestSupport

/// The harmful inputs of the corpus, in each run; `make fuzz` creates new ones.
nonisolated struct CorpusTests {
  @Test("the corpus of the fuzzer causes no trap")
  @concurrent func replaysTheCorpus() async throws {
    let folder = BuiltTool.package.appending(path: "Tests/Fuzzer/Corpus").path(
      percentEncoded: false
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count >= 40)
    let run = try ProgramRun(
      ProgramDescription(BuiltTool.path("Fuzzer"), names.map { "\(folder)/\($0)" }),
      patience: 3
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    #expect(run.outputText.contains("\(names.count) inputs, 0 traps"))
  }

  @Test("some seconds of new inputs cause no trap")
  @concurrent func makesNewInputs() async throws {
    let folder = BuiltTool.package.appending(path: "Tests/Fuzzer/Corpus").path(
      percentEncoded: false
    )
    let run = try ProgramRun(
      ProgramDescription(
        BuiltTool.path("Fuzzer"),
        ["--seconds", "3", "--seed", "1", "--corpus", folder, "--found", "/tmp/today-fuzz-found"]
      ),
      patience: 3
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    #expect(run.outputText.contains(" 0 traps"))
  }
}
