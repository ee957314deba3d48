import Glibc
import WidgetPlatform

/// Ends a command on Ctrl-C, SIGTERM and SIGHUP, after something was done.
final class Interruption {
  private let watch: SignalWatch?
  /// What is done before the program ends.
  let cleanUp: () -> Void

  /// Begins to watch.
  ///
  /// - Parameter cleanUp: Called before the program ends.
  init(_ cleanUp: @escaping () -> Void) {
    self.cleanUp = cleanUp
    watch = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { number in
      cleanUp()
      // As a shell counts a program that a signal has ended.
      exit(128 + number)
    }
  }

  /// Leaves the signals to another watch.
  func pause() { watch?.pause() }

  /// Watches again.
  func resume() { watch?.resume() }
}
