import Testing
import WidgetTestSupport

@Suite(.timeLimit(.minutes(5)))
struct ProgramRunTests {
  @Test func `the output of a program without a terminal is read to its end`() throws {
    let run = try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", "echo out; echo err >&2; tty; cat; exit 5"])
    )
    #expect(run.status == .exited(code: 5))
    #expect(run.outputText == "out\nnot a tty\n")
    #expect(run.errorText == "err\n")
  }

  @Test func `it has no terminal to open`() throws {
    let run = try ProgramRun(ProgramDescription("/bin/sh", ["-c", "exec </dev/tty"]))
    #expect(run.status != .exited(code: 0))
  }

  @Test func `a grandchild that keeps the pipes does not delay the end`() throws {
    let run = try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", "sleep 60 & echo $!; kill -9 $$"])
    )
    #expect(run.status == .killed(signal: 9))
    let pid = try #require(run.outputText.split(separator: "\n").first)
    _ = try ProgramRun(ProgramDescription("/bin/kill", [String(pid)]))
  }

  @Test func `a missing program is reported`() throws {
    let run = try ProgramRun(ProgramDescription("/nowhere/at/all"))
    #expect(run.status == .couldNotStart(errno: 2))
  }
}
