import WidgetHost
import WidgetKitCore

extension WidgetHarness {
  /// Sends a request that the page does not know of.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: Its parameters, as JSON.
  /// - Returns: The answer; nil if the widget has come to rest without one, or has ended.
  func probe(_ method: String, _ params: String = "{}") async -> HarnessMessage? {
    let name = "probe-\(record.probed.count + probes)"
    probes += 1
    let line = #"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)","params":\#(params)}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm { self.record.probed[name] != nil }
    return record.probed[name]
  }

  /// Sends a notification that the page does not know of, and waits until the widget has come to rest.
  func probe(notification method: String, _ params: String = "{}") async {
    let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm { false }
  }

  private func waitForCalm(or isDone: () -> Bool) async {
    let (start, ends) = (ContinuousClock.now, record.ends.count)
    var calm = 0
    while calm < 4, !isDone(), record.ends.count == ends, start.duration(to: .now) < patience {
      await Self.turn(after: .microseconds(500))
      calm = page.isQuiet ? calm + 1 : 0
    }
  }

  /// Makes the page suspend the widget, as on Ctrl-Z, and continue it.
  func suspendAndResume() async throws(HarnessFailure) {
    var isSuspended = false
    center.suspend { isSuspended = true }
    let start = ContinuousClock.now
    while !isSuspended {
      guard start.duration(to: .now) < patience else {
        throw HarnessFailure("the widget could not be suspended in \(patience.words)")
      }
      await Self.turn(after: .milliseconds(1))
      clock.advance(by: .milliseconds(20))
    }
    center.resume()
    try await settle()
  }
}
