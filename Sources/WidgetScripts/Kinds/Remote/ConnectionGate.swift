package import WidgetPlatform

/// Lets a few connections be made at once, and begins them after each other, so that many machines cost no more than a
/// few at a time.
@MainActor package final class ConnectionGate {
  private let clock: any HostClock
  private let limit: Int
  private let pause: Duration
  private var present = 0
  private var waiting: [(ticket: Int, start: () -> Void)] = []
  private var lastTicket = 0
  private var timer: (any HostTimer)?

  /// How many connections are made at once.
  package static let usualLimit = 8
  /// The time from one start to the next.
  package static let usualPause = Duration.milliseconds(15)

  package init(
    limit: Int = ConnectionGate.usualLimit,
    pause: Duration = ConnectionGate.usualPause,
    clock: any HostClock
  ) {
    (self.limit, self.pause, self.clock) = (limit, pause, clock)
  }

  /// Calls `start` when there is room: at once if nothing was begun just before.
  ///
  /// Whoever has been called leaves later.
  ///
  /// - Parameter start: Begins a connection.
  /// - Returns: What ``withdraw(_:)`` takes.
  @discardableResult
  package func enter(_ start: @escaping () -> Void) -> Int {
    lastTicket += 1
    waiting.append((lastTicket, start))
    admit()
    return lastTicket
  }

  /// Somebody does not want to enter any more.
  package func withdraw(_ ticket: Int) { waiting.removeAll { $0.ticket == ticket } }

  /// A connection was made, or could not be.
  package func leave() {
    present -= 1
    admit()
  }

  private func admit() {
    guard timer == nil, present < limit, !waiting.isEmpty else { return }
    present += 1
    let next = waiting.removeFirst()
    timer = clock.schedule(after: pause) { [weak self] in
      self?.timer = nil
      self?.admit()
    }
    next.start()
  }
}
