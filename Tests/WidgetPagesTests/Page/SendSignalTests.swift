import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetPages

/// Signals that widgets send to processes which are not their own.
@Suite(.timeLimit(.minutes(5))) struct SendSignalTests {
  /// A process that only a signal ends, in time.
  private final class Sleeper {
    let process = Process()

    init() throws {
      process.executableURL = URL(filePath: "/bin/sleep")
      process.arguments = ["3600"]
      try process.run()
    }

    deinit {
      kill(process.processIdentifier, SIGKILL)
    }

    /// The field “starttime” of its stat (proc_pid_stat(5)).
    var startTime: UInt64 {
      get throws {
        let path = "/proc/\(process.processIdentifier)/stat"
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(UInt64(fields[19]))
      }
    }
  }

  private func world(requests entitlement: Bool = true) throws -> (EngineWorld, FakeWidget) {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    if entitlement {
      try Data(#"{ "org.today.process-signal" = YES; }"#.utf8).write(
        to: URL(filePath: "\(world.folder.path)/widgets/A.widget/Entitlements.plist")
      )
    }
    return (world, try world.open())
  }

  /// Sends a request; returns the line of the answer.
  private func ask(_ params: String, _ world: EngineWorld, _ widget: FakeWidget) throws -> String {
    widget.say(#"{"jsonrpc":"2.0","id":"k","method":"sendSignal","params":{\#(params)}}"#)
    world.settle()
    let line = widget.received.last {
      [.result(.string("k")), .error(.string("k"))].contains($0.kind)
    }
    return String(decoding: try #require(line).bytes, as: UTF8.self)
  }

  private func params(_ sleeper: Sleeper, signal: Int32 = SIGKILL) throws -> String {
    let pid = sleeper.process.processIdentifier
    return try #""process":\#(pid),"startTime":\#(sleeper.startTime),"signal":\#(signal)"#
  }

  @Test func `after a press a permitted widget ends a process`() throws {
    let (world, widget) = try world()
    let sleeper = try Sleeper()
    world.press("end")
    // Not SIGTERM, which children of a test may inherit as blocked.
    try #require(try ask(params(sleeper), world, widget).contains(#""result":{}"#))
    sleeper.process.waitUntilExit()
    #expect(sleeper.process.terminationReason == .uncaughtSignal)
    #expect(sleeper.process.terminationStatus == SIGKILL)
  }

  @Test func `without a press, the entitlement or the lock taken off nothing is sent`() throws {
    let sleeper = try Sleeper()
    let params = try params(sleeper)
    let (world, widget) = try world()
    #expect(try ask(params, world, widget).contains("-32001"))
    world.press("end")
    world.pass(.seconds(10))
    #expect(try ask(params, world, widget).contains("within 10 s of a press"))
    world.press("end")
    world.center.setLocked(true)
    #expect(try ask(params, world, widget).contains("-32001"))
    let (other, stranger) = try self.world(requests: false)
    other.press("end")
    let answer = try ask(params, other, stranger)
    #expect(answer.contains("-32001") && answer.contains("org.today.process-signal"))
    #expect(sleeper.process.isRunning)
  }

  @Test(arguments: [
    (#""process":PID,"startTime":1,"signal":15"#, "-32002"),
    (#""process":PID,"startTime":18446744073709551615,"signal":15"#, "-32002"),
    (#""process":PID,"startTime":0,"signal":15"#, "-32002"),
    (#""process":2147483647,"startTime":1,"signal":15"#, "-32002"),
    (#""process":0,"startTime":1,"signal":15"#, "params.process"),
    (#""process":-1,"startTime":1,"signal":9"#, "params.process"),
    (#""process":1e300,"startTime":1,"signal":9"#, "params.process"),
    (#""process":PID,"startTime":-5,"signal":9"#, "params.startTime"),
    (#""process":PID,"startTime":1,"signal":0"#, "params.signal"),
    (#""process":PID,"startTime":1,"signal":65"#, "params.signal"),
    (#""process":PID,"startTime":1"#, "params.signal"),
  ])
  func `only the process that was named can get a signal`(params: String, fault: String) throws {
    let (world, widget) = try world()
    let sleeper = try Sleeper()
    world.press("end")
    let named = params.replacing("PID", with: "\(sleeper.process.processIdentifier)")
    #expect(try ask(named, world, widget).contains(fault))
    #expect(sleeper.process.isRunning)
  }
}
