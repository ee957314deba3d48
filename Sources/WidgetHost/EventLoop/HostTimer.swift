/// Something that will happen once.
public protocol HostTimer: AnyObject {
  /// Keeps it from happening.
  func cancel()
}
