import CPlatform
import Glibc
import WidgetPlatform

/// Ends a command on Ctrl-C, SIGTERM and SIGHUP, after something was done.
///
/// A class because it owns the watch on the signals.
final class Interruption {
  private var watch: DescriptorWatch?
  /// What is done before the program ends.
  let cleanUp: () -> Void

  /// Begins to watch.
  ///
  /// - Parameter cleanUp: Called before the program ends.
  init(_ cleanUp: @escaping () -> Void) {
    self.cleanUp = cleanUp
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    // Without a free descriptor the signals end the program at once.
    let descriptor = unsafe platform_signal_watch(numbers, numbers.count)
    guard descriptor >= 0 else { return }
    watch = DescriptorWatch(descriptor, for: .reading) {
      let number = platform_signal_next(descriptor)
      guard numbers.contains(number) else { return }
      cleanUp()
      // As a shell counts a program that a signal has ended.
      exit(128 + number)
    }
    watch?.resume()
  }

  /// Leaves the signals to another watch.
  func pause() { watch?.pause() }

  /// Watches again.
  func resume() { watch?.resume() }
}
