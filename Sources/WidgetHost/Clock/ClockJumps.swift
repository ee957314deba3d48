import CPlatform
import Dispatch
import Glibc

/// Tells when the machine has slept or the wall clock was set, without a tick.
///
/// A class because it owns a descriptor and the Dispatch source that waits on it: a timer far in the
/// future on the wall clock, which the kernel cancels at such a moment (timerfd_create(2),
/// TFD_TIMER_CANCEL_ON_SET; resuming counts since Linux 5.10).
final class ClockJumps {
  private let source: any DispatchSourceRead

  init?(onJump: @escaping () -> Void) {
    let descriptor = platform_clock_watch()
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        if platform_clock_jumped(descriptor) != 0 { onJump() }
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  isolated deinit {
    source.cancel()
  }
}
