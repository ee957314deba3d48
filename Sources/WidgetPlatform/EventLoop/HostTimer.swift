/// A timer that fires once.
public protocol HostTimer: AnyObject {
  /// Prevents the timer from firing.
  func cancel()
}
