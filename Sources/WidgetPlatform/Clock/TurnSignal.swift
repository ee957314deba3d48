/// Calls a function once in the next turn of the event loop, however often it is requested in this one.
@MainActor package final class TurnSignal {
  private let clock: any HostClock
  private let action: () -> Void
  private var timer: (any HostTimer)?

  package init(clock: any HostClock, action: @escaping () -> Void) {
    self.clock = clock
    self.action = action
  }

  /// Requests the call.
  package func raise() {
    guard timer == nil else { return }
    timer = clock.schedule(after: .zero) { [weak self] in
      self?.timer = nil
      self?.action()
    }
  }
}
