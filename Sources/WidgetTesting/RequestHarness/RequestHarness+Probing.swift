import WidgetKitCore
import WidgetPlatform
import WidgetRequests

extension RequestHarness {
  /// Sends a request that the host does not know of.
  ///
  /// - Returns: The answer; nil if the extension has ended or come to rest without one.
  func probe(_ method: String) async -> HarnessMessage? {
    let name = "probe-\(record.probed.count)-\(record.messages.count)"
    let line = #"{"jsonrpc":"2.0","id":"\#(name)","method":"\#(method)","params":{}}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm { record.probed[name] != nil }
    return record.probed[name]
  }

  /// Sends a notification that the host does not know of, and waits until the extension has come to rest.
  func probe(notification method: String) async {
    let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":{}}"#
    record.current?.probe(Array("\(line)\n".utf8))
    await waitForCalm { false }
  }

  /// Begins a request, and cancels it before its process has said anything.
  ///
  /// - Throws: ``HarnessFailure`` if there is no room for the content.
  func beginAndCancel(_ content: HarnessContent) async throws(HarnessFailure) {
    let request = try open(content, options: [:])
    request.start()
    request.cancel()
    await steps.passRealTime(upTo: .seconds(5)) { page?.isFinished != false }
  }

  /// Waits until the extension was quiet for some turns, or `isDone`, or the process has ended.
  private func waitForCalm(or isDone: () -> Bool) async {
    let (start, ends) = (ContinuousClock.now, record.ends.count)
    var calm = 0
    while calm < 20, !isDone(), record.ends.count == ends, start.duration(to: .now) < steps.patience
    {
      await StepWait.turn(after: .microseconds(500))
      calm = page?.isQuiet != false ? calm + 1 : 0
    }
  }
}
