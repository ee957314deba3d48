import WidgetKitCore
import WidgetPages

extension WidgetHarness {
  /// Sends a request that the page does not know of.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: Its parameters, as JSON.
  ///   - isKnown: Whether every widget answers it, so that one that waits, as for another program, will.
  /// - Returns: The answer; nil if the widget has ended or come to rest without one.
  func probe(
    _ method: String,
    _ params: String = "{}",
    isKnown: Bool = true
  ) async -> HarnessMessage? {
    let name = "probe-\(record.probed.count + probes)"
    probes += 1
    let line = #"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)","params":\#(params)}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm(turns: isKnown ? .max : 20) { self.record.probed[name] != nil }
    return record.probed[name]
  }

  /// Sends a notification that the page does not know of, and waits until the widget has come to rest.
  func probe(notification method: String, _ params: String = "{}") async {
    let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm { false }
  }

  /// Waits until the page was quiet for some turns, or `isDone`, or the process has ended.
  private func waitForCalm(turns: Int = 4, or isDone: () -> Bool) async {
    let (start, ends) = (ContinuousClock.now, record.ends.count)
    var calm = 0
    while calm < turns, !isDone(), record.ends.count == ends, start.duration(to: .now) < patience {
      await Self.turn(after: .microseconds(500))
      calm = page.isQuiet ? calm + 1 : 0
    }
  }

  /// Sends requests that the page does not know of, and reads nothing until the widget waits for that.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - count: How many there are; their names are long, so that the answers fill a pipe.
  /// - Returns: How many were answered.
  func probeLate(_ method: String, count: Int) async -> Int {
    let names = (0..<count).map { "\($0)-\(probes)-" + String(repeating: "x", count: 1_000) }
    probes += 1
    guard let run = record.current else { return 0 }
    run.holdBack(true)
    for name in names {
      run.probe(Array(#"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)"}"#.utf8) + [0x0A])
    }
    let start = ContinuousClock.now
    while !run.isBlocked, start.duration(to: .now) < .seconds(1) {
      await Self.turn(after: .milliseconds(1))
    }
    run.holdBack(false)
    await waitForCalm(turns: 200) { names.allSatisfy { record.probed[$0] != nil } }
    return names.count { record.probed[$0] != nil }
  }

  /// Makes the page suspend the widget, as on Ctrl-Z, and continue it.
  func suspendAndResume() async throws(HarnessFailure) {
    var isSuspended = false
    center.suspend { isSuspended = true }
    await passRealTime(upTo: patience) { isSuspended }
    guard isSuspended else {
      throw HarnessFailure("the widget could not be suspended in \(patience.words)")
    }
    center.resume()
    try await settle()
  }
}
