/// The identity of a card: a widget, and its instance if it is on the page more than once.
public nonisolated struct CardID: Hashable, Sendable, CustomStringConvertible {
  /// The widget's identifier.
  public var bundleIdentifier: String
  /// The instance, or nil if there is only one.
  public var instance: String?

  /// Creates an identity.
  public init(_ bundleIdentifier: String, instance: String? = nil) {
    self.bundleIdentifier = bundleIdentifier
    self.instance = instance
  }

  /// The identity as text: `com.example.Weather` or `com.example.Weather#2`.
  public var description: String {
    instance.map { "\(bundleIdentifier)#\($0)" } ?? bundleIdentifier
  }
}
