import Glibc
import WidgetPlatform

/// Waits for a time, or until a signal asks the command to end; a second one ends it at once.
final class PublishWait {
  /// Whether a signal has asked for the end.
  private(set) var hasEnded = false
  /// Called when one has.
  var onEnd: () -> Void = {}

  private var watch: SignalWatch?
  private var timer: (any HostTimer)?
  private var waiting: CheckedContinuation<Void, Never>?
  private let clock: any HostClock

  /// Begins to watch the signals.
  init(clock: any HostClock) {
    self.clock = clock
    watch = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { [weak self] in self?.take($0) }
  }

  private func take(_ number: Int32) {
    // As a shell counts a program that a signal has ended.
    guard !hasEnded else { exit(128 + number) }
    hasEnded = true
    wake()
    onEnd()
  }

  /// Waits, not at all once a signal has come.
  func wait(_ time: Duration) async {
    guard !hasEnded else { return }
    await withCheckedContinuation { continuation in
      waiting = continuation
      timer = clock.schedule(after: time) { [weak self] in self?.wake() }
    }
  }

  /// Ends the wait, if there is one.
  func wake() {
    timer?.cancel()
    timer = nil
    waiting?.resume()
    waiting = nil
  }
}
