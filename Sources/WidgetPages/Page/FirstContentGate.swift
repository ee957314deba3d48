import WidgetPlatform

/// Delays the first contents of a page briefly so that they appear together.
///
/// This is a class because its timer calls it.
final class FirstContentGate {
  private let clock: any HostClock
  private let onOpen: () -> Void
  private var timer: (any HostTimer)?

  /// The longest time that the first contents of a page wait for each other.
  private static let gatheringTime: Duration = .milliseconds(300)

  init(clock: any HostClock, onOpen: @escaping () -> Void) {
    self.clock = clock
    self.onOpen = onOpen
  }

  /// Whether first contents are being delayed.
  var isClosed: Bool { timer != nil }

  /// Starts to delay first contents.
  func close() {
    timer = clock.schedule(after: Self.gatheringTime) { [weak self] in self?.open() }
  }

  /// Shows the delayed contents.
  func open() {
    guard timer != nil else { return }
    timer?.cancel()
    timer = nil
    onOpen()
  }
}
