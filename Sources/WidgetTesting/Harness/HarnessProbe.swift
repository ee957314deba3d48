import WidgetKitCore
import WidgetPlatform

/// Sends a tested extension what its host does not know of.
///
/// A class because it counts its requests, each of which has a name of its own.
final class HarnessProbe {
  private let record: HarnessRecord
  private let steps: StepWait
  private var count = 0

  init(_ record: HarnessRecord, _ steps: StepWait) {
    (self.record, self.steps) = (record, steps)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: Its parameters, as JSON.
  ///   - isKnown: Whether every extension answers it, so that one that waits, as for another program, will.
  /// - Returns: The answer; nil if the extension has ended or come to rest without one.
  func ask(
    _ method: String,
    _ params: String = "{}",
    isKnown: Bool = true
  ) async -> HarnessMessage? {
    let name = nextName()
    send(#"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)","params":\#(params)}"#)
    await waitForCalm(turns: isKnown ? .max : 20) { record.probed[name] != nil }
    return record.probed[name]
  }

  /// Sends a notification, and waits until the extension has come to rest.
  func tell(_ method: String, _ params: String = "{}") async {
    send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    await waitForCalm(turns: 4) { false }
  }

  /// Sends requests, and reads nothing until the extension waits for that.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - count: How many there are; their names are long, so that the answers fill a pipe.
  /// - Returns: How many were answered.
  func askLate(_ method: String, count: Int) async -> Int {
    guard let run = record.current else { return 0 }
    let names = (0..<count).map { _ in nextName() + String(repeating: "x", count: 1_000) }
    run.holdBack(true)
    for name in names { send(#"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)"}"#) }
    var waited = WaitedTime()
    while !run.isBlocked, waited.total < .seconds(1) {
      await StepWait.turn(after: .milliseconds(1))
      waited.takeTurn()
    }
    run.holdBack(false)
    await waitForCalm(turns: 200) { names.allSatisfy { record.probed[$0] != nil } }
    return names.count { record.probed[$0] != nil }
  }

  private func nextName() -> String {
    count += 1
    return "probe-\(count)"
  }

  private func send(_ line: String) {
    record.current?.probe(Array("\(line)\n".utf8))
  }

  /// Waits until the extension was quiet for some turns, or `isDone`, or the process has ended.
  private func waitForCalm(turns: Int, or isDone: () -> Bool) async {
    let ends = record.ends.count
    var waited = WaitedTime()
    var calm = 0
    while calm < turns, !isDone(), record.ends.count == ends, waited.total < steps.patience {
      await StepWait.turn(after: .microseconds(500))
      waited.takeTurn()
      calm = steps.isQuiet ? calm + 1 : 0
    }
  }
}
