/// Holds back the first contents of a page for a moment, so that they appear together.
///
/// A class because its timer calls it back.
final class FirstContentGate {
  private let clock: any HostClock
  private let onOpen: () -> Void
  private var timer: (any HostTimer)?

  /// How long the first contents of a page wait for each other at most.
  private static let gatheringTime: Duration = .milliseconds(300)

  init(clock: any HostClock, onOpen: @escaping () -> Void) {
    self.clock = clock
    self.onOpen = onOpen
  }

  /// Whether first contents wait for each other.
  var isClosed: Bool { timer != nil }

  /// Holds them back from now on.
  func close() {
    timer = clock.schedule(after: Self.gatheringTime) { [weak self] in self?.open() }
  }

  /// Shows them.
  func open() {
    guard timer != nil else { return }
    timer?.cancel()
    timer = nil
    onOpen()
  }
}
