import Glibc
import Testing
import WidgetTestSupport

@testable import EngineTestSupport

/// After any kill the last or the previous snapshot is whole.
nonisolated struct SnapshotTortureTests {
  @Test("1,000 rounds of kill -9 while writing leave no unreadable snapshot and no temporary file")
  @concurrent func killsWhileWriting() async throws {
    // In memory where the system has such a folder: the writers sync all the time, and on a disk that
    // would hold up every other test that waits for it.
    let memory = "/dev/shm"
    let folder = try await BundleFolder(below: access(memory, W_OK) == 0 ? memory : "/tmp")
    let run = try ProgramRun(
      ProgramDescription(
        BuiltTool.path("SnapshotTorture"),
        ["\(folder.path)/snapshots", "1000", "\(getpid())"]
      ),
      patience: 6
    )
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let words = run.outputText.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(words.count == 4, "\(run.outputText)")
    let (rounds, unreadable, before, after) = (words[0], words[1], words[2], words[3])
    #expect(rounds == 1000 && unreadable == 0 && after == 0)
    // Without a single stray file no round has hit the moment that this is about.
    #expect(before > 0)
  }
}
