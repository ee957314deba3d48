import CPlatform
import Glibc
import WidgetPlatform

/// Waits for a time, or until a signal asks the command to end.
///
/// A class because its watch and its timer call it.
final class PublishWait {
  /// Whether a signal has asked for the end.
  private(set) var hasEnded = false

  private var watch: DescriptorWatch?
  private var timer: (any HostTimer)?
  private var waiting: CheckedContinuation<Void, Never>?
  private let clock = SystemClock()

  /// Begins to watch the signals.
  init() {
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    // Without a free descriptor the signals end the program at once.
    let descriptor = unsafe platform_signal_watch(numbers, numbers.count)
    guard descriptor >= 0 else { return }
    watch = DescriptorWatch(descriptor, for: .reading) { [weak self] in
      guard numbers.contains(platform_signal_next(descriptor)) else { return }
      self?.hasEnded = true
      self?.wake()
    }
    watch?.resume()
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
