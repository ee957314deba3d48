/// Spaces the starts of all scripts of the program, so that hundreds that are due at once neither start at
/// once nor stay in step.
///
/// A class because all scripts share it.
final class ScriptStarts {
  /// The starts of the program.
  static let shared = ScriptStarts(clock: SystemClock())

  /// From one start to the next, when several are due; 200 scripts fill a second.
  static let pause = Duration.milliseconds(5)

  private let clock: any HostClock
  private var next: ContinuousClock.Instant?

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Calls `start` when it is its turn, which is at once if no other start was a moment ago; returns what
  /// cancels it if it has to wait.
  func take(_ start: @escaping () -> Void) -> (any HostTimer)? {
    let now = clock.now
    let turn = max(now, next ?? now)
    next = turn + Self.pause
    guard turn > now else {
      start()
      return nil
    }
    return clock.schedule(after: now.duration(to: turn), start)
  }
}
