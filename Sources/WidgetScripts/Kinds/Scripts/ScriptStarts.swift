import WidgetPlatform

/// Spaces the starts of all scripts of the program, so that hundreds that are due at once neither start at
/// once nor stay in step.
///
/// A class because all scripts share it.
@MainActor final class ScriptStarts {
  /// The starts of the program.
  static let shared = ScriptStarts(clock: SystemClock())

  /// From one turn to the next, when several are due.
  static let pause = Duration.milliseconds(20)
  /// The scripts that start in one turn, so that the program wakes up once for them; 200 scripts fill a second.
  static let startsPerTurn = 4

  private let clock: any HostClock
  private var turn: ContinuousClock.Instant?
  private var startsInTurn = 0

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Calls `start` when it is its turn, which is at once if no other start was a moment ago; returns what
  /// cancels it if it has to wait.
  func take(_ start: @escaping () -> Void) -> (any HostTimer)? {
    let now = clock.now
    var turn = turn ?? now
    if turn + Self.pause <= now {
      (turn, startsInTurn) = (now, 0)
    } else if startsInTurn >= Self.startsPerTurn {
      (turn, startsInTurn) = (turn + Self.pause, 0)
    }
    self.turn = turn
    startsInTurn += 1
    guard turn > now else {
      start()
      return nil
    }
    return clock.schedule(after: now.duration(to: turn), start)
  }
}
