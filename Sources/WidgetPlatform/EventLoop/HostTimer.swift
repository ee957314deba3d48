/// A timer that fires once.
@MainActor public protocol HostTimer: AnyObject {
  /// Prevents the timer from firing.
  func cancel()
}
