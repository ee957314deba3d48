import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// System calls that fail, one at a time, in the first moments.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"),
  .timeLimit(.minutes(5))
)
struct FaultInjectionTests {
  /// The program below strace, in which one call of each thread and process fails.
  private func run(
    _ call: String,
    _ error: String,
    at number: Int,
    _ world: TestWorld
  ) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        "/usr/bin/strace",
        [
          "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
          "inject=\(call):error=\(error):when=\(number)", BuiltProgram.path ?? "/nowhere/today",
          "--widgets", world.widgets, "snapshot", "--timeout", "5",
        ],
        environment: world.environment(term: nil).merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 },
        directory: world.path
      )
    )
  }

  @Test(arguments: [
    ("openat", "EACCES", 1), ("openat", "EMFILE", 1), ("openat", "EACCES", 10),
    ("openat", "EIO", 10), ("write", "ENOSPC", 1), ("write", "ENOSPC", 2), ("write", "EIO", 2),
    ("write", "EDQUOT", 3), ("write", "EIO", 4), ("mmap", "ENOMEM", 40),
  ])
  func `a snapshot ends, and leaves nothing`(call: String, error: String, number: Int) throws {
    for _ in 0..<3 {
      let world = try TestWorld(fixtures: ["Good"])
      let run = try run(call, error, at: number, world)
      guard case .exited = run.status else {
        Issue.record("\(call) \(error) \(number): \(run.status) \(run.errorText)")
        continue
      }
      #expect(world.processesLeft() == [])
    }
  }

  @Test(arguments: [("write", "ENOSPC", 2), ("write", "EIO", 3), ("openat", "EMFILE", 1)])
  func `a page ends at q`(call: String, error: String, number: Int) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = ProgramDescription(
      "/usr/bin/strace",
      [
        "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):error=\(error):when=\(number)", BuiltProgram.path ?? "/nowhere/today",
        "--widgets", world.widgets,
      ],
      environment: world.environment().merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 },
      directory: world.path
    )
    let terminal = try PseudoTerminal(program, columns: 80, rows: 24)
    try terminal.settle(calm: .seconds(1))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
