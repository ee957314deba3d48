import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The sandbox of an ordinary user, who has fewer rights to build one than root: the tests of hostile widgets
/// are run again as such a user.
@Suite(
  .enabled(if: geteuid() == 0, "only root can run the tests as another user"),
  .enabled(if: OrdinaryUser.hasNamespaces, "ordinary users may not use bubblewrap here"),
  .enabled(if: OrdinaryUser.canRunTests, "ordinary users cannot read this folder"),
  .timeLimit(.minutes(5))
)
struct OrdinaryHostTests {
  @Test(arguments: ["HostileWidgetTests", "SandboxedProcessTests"])
  func `what holds for widgets of root holds for those of an ordinary user`(suite: String)
    async throws
  {
    let filter = "WidgetSessionsTests.\(suite)"
    let arguments = ["--testing-library", "swift-testing", "--filter", filter]
    let run = try await Task.detached {
      try OrdinaryUser.run([OrdinaryUser.tests] + arguments)
    }.value
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    // At least one test was run, and not only left out.
    #expect((run.outputText + run.errorText).contains("Suite \(suite) passed after"))
  }
}

/// A user without other processes or files.
private nonisolated enum OrdinaryUser {
  private static let number = 61_239

  /// The program of these tests.
  static let tests =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

  static let canRunTests = succeeds(["/usr/bin/test", "-x", tests])
  static let hasNamespaces = succeeds(
    ["bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "/bin/true"]
  )

  private static func succeeds(_ command: [String]) -> Bool {
    (try? run(command))?.status == .exited(code: 0)
  }

  /// Runs a program as the user.
  static func run(_ command: [String]) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        "/usr/bin/setpriv",
        ["--reuid=\(number)", "--regid=\(number)", "--clear-groups"] + command,
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": "/tmp", "LANG": "C.UTF-8"]
      )
    )
  }
}
