import CPlatform
import Glibc

/// Reports that the machine has slept or the wall clock was set, without polling.
///
/// This is a class because it owns a descriptor and the watch on it: a timer far in the future on the
/// wall clock, which the kernel cancels at such a moment (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET;
/// resuming counts since Linux 5.10).
@MainActor final class ClockJumps {
  private let watch: DescriptorWatch

  init?(onJump: @escaping () -> Void) {
    let descriptor = platform_clock_watch()
    guard descriptor >= 0 else { return nil }
    watch = DescriptorWatch(descriptor, for: .reading) {
      if platform_clock_jumped(descriptor) != 0 { onJump() }
    }
    watch.resume()
  }

  isolated deinit {
    watch.pause()
    close(watch.descriptor)
  }
}
