internal import Glibc

/// How long a test waits for something that must happen.
///
/// The one place for it: 30 seconds, or as many as `TODAY_TEST_DEADLINE` says. It is long because
/// it is only ever used up by a failure.
package enum TestDeadline {
  package static let duration: Duration = {
    guard let text = unsafe getenv("TODAY_TEST_DEADLINE"),
      let seconds = Double(unsafe String(cString: text)), seconds > 0
    else { return .seconds(30) }
    return .seconds(seconds)
  }()

  /// The time at which a wait that begins now gives up.
  package static var next: ContinuousClock.Instant { .now + duration }
}

extension ContinuousClock.Instant {
  /// The time left until here as `poll` takes it: whole milliseconds, rounded up, 0 when past.
  var pollTimeout: Int32 {
    let left = ContinuousClock.now.duration(to: self)
    guard left > .zero else { return 0 }
    return Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
  }
}
