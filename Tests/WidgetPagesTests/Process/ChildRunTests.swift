import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetPlatform

/// Programs that the host runs, each with the streams, the time and the end that its caller wants.
@Suite(.timeLimit(.minutes(5))) struct `A child process` {
  private typealias Terms = ChildRun.Terms

  private nonisolated static func shell(_ command: String) -> LaunchDescription {
    LaunchDescription(
      program: "/bin/sh",
      arguments: ["-c", command],
      environment: ["PATH": "/usr/bin:/bin"]
    )
  }

  /// Runs a command to its end.
  private func end(_ command: String, _ terms: Terms) async throws -> ChildRun.End {
    var end: ChildRun.End?
    try ChildRun(Self.shell(command), terms) { end = $0 }
    await eventually("its end") { end != nil }
    return try #require(end)
  }

  private func text(_ end: ChildRun.End) -> String { String(decoding: end.output, as: UTF8.self) }

  @Test func `reads nothing, what it was given, or what is written later`() async throws {
    let kept = ChildRun.Output.kept(byteLimit: 100)
    #expect(try await text(end("cat", Terms(output: kept))) == "")
    #expect(try await text(end("cat", Terms(input: .bytes([0x61]), output: kept))) == "a")
    var end: ChildRun.End?
    let run = try ChildRun(
      Self.shell("cat"),
      Terms(input: .pipe(OutputQueue()), output: kept)
    ) { end = $0 }
    #expect(run.input?.send([0x62]) == true)
    run.input?.closeWhenDrained()
    await eventually("its end") { end != nil }
    #expect(end.map(text) == "b")
  }

  @Test func `whose output is kept is killed for one byte too many`() async throws {
    let output = ChildRun.Output.kept(byteLimit: 64 * 1024)
    let whole = try await end("head -c 65536 /dev/zero", Terms(output: output))
    #expect(whole.failure == nil && whole.output.count == 65_536)
    let long = try await end("head -c 65537 /dev/zero; exec sleep 600", Terms(output: output))
    #expect(long.result == .failure(.tooLong(bytes: 65_536)))
    #expect(long.status == .signaled(SIGKILL))
  }

  @Test func `says what it printed before it ended, and its last line without an end`() async throws
  {
    var lines: [String] = []
    let end = try await end(
      "printf 'one\\n \\ntwo' >&2; echo three; exit 3",
      Terms(output: .lines { lines += $0.map(\.string) }, errors: .withOutput)
    )
    #expect(lines == ["one", " ", "twothree"])
    #expect(end.lines.map(\.string) == ["one", "twothree"])
    #expect(end.result == .failure(.failed(.exited(3))))
  }

  @Test func `is not read for as long as its reader says, and is read to the end after it`()
    async throws
  {
    var sizes: [Int] = []
    let end = try await end(
      "head -c 3000 /dev/zero",
      Terms(
        output: .passed(turn: 1000) { bytes in
          sizes.append(bytes.count)
          return .seconds(600)
        }
      )
    )
    #expect(sizes.reduce(0, +) == 3000 && sizes.count <= 2, "\(sizes)")
    #expect(end.status == .exited(0))
  }

  @Test func `that ignores the end of its time is killed when its last step is over`() async throws
  {
    let clock = VirtualClock()
    var (isReady, end) = (false, ChildRun.End?.none)
    try ChildRun(
      Self.shell("trap '' TERM; echo; while :; do sleep 600; done"),
      Terms(
        output: .lines { _ in isReady = true },
        time: .seconds(10),
        teardown: [.terminate]
      ),
      clock: clock
    ) { end = $0 }
    await eventually("its first line") { isReady }
    clock.advance(by: .seconds(10))
    clock.advance(by: .milliseconds(900))
    #expect(end == nil)
    clock.advance(by: .milliseconds(100))
    await eventually("its end") { end != nil }
    #expect(end?.status == .signaled(SIGKILL) && end?.failure == .tooSlow(.seconds(10)))
  }

  @Test func `has its whole time again after a pause, in which it does nothing`() async throws {
    let clock = VirtualClock()
    var end: ChildRun.End?
    let run = try ChildRun(Self.shell("exec sleep 600"), Terms(time: .seconds(10)), clock: clock) {
      end = $0
    }
    let pid = try #require(run.pid)
    clock.advance(by: .seconds(9))
    run.suspend()
    await eventually("its stop") { ProcessState(pid)?.letter == "T" }
    clock.advance(by: .seconds(60))
    run.resume()
    clock.advance(by: .seconds(9))
    #expect(run.processRun != nil)
    clock.advance(by: .seconds(1))
    await eventually("its end") { end != nil }
    #expect(end?.failure == .tooSlow(.seconds(10)))
  }

  @Test func `is collected although nobody holds it`() async throws {
    let pid = try #require(try ChildRun(Self.shell("exec sleep 0.01"), Terms()).pid)
    await eventually("no zombie") { kill(pid, 0) != 0 }
  }

  @Test func `that a thread waits for is ended by its deadline, with what it has started`() throws {
    let start = ContinuousClock.now
    let end = try AwaitedRun.end(
      of: Self.shell("sleep 600 & echo a; wait"),
      isolation: .widget,
      keeping: 1,
      byteLimit: 100,
      time: .milliseconds(200)
    )
    #expect(text(end) == "a\n" && end.failure == .tooSlow(.milliseconds(200)))
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `that a thread waits for may end with its output held open by others`() throws {
    let end = try AwaitedRun.end(
      of: Self.shell("sleep 600 & cat >&2; exit 3"),
      isolation: .detached,
      input: Array("why".utf8),
      keeping: 2,
      byteLimit: 100,
      time: .seconds(30)
    )
    #expect(text(end) == "why" && end.status == .exited(3) && end.failure == nil)
  }
}
