/// Does something once in the next turn of the event loop, however often it is asked for in this one.
///
/// A class because its timer calls it back.
final class TurnSignal {
  private let clock: any HostClock
  private let action: () -> Void
  private var timer: (any HostTimer)?

  init(clock: any HostClock, action: @escaping () -> Void) {
    self.clock = clock
    self.action = action
  }

  /// Asks for it.
  func raise() {
    guard timer == nil else { return }
    timer = clock.schedule(after: .zero) { [weak self] in
      self?.timer = nil
      self?.action()
    }
  }
}
