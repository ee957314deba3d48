/// Which card: a widget, and which one of it where it is on the page more than once.
public nonisolated struct CardID: Hashable, Sendable, CustomStringConvertible {
  /// The widget's identifier.
  public var bundleIdentifier: String
  /// Which one of it; nil where there is one.
  public var instance: String?

  /// Creates an identity.
  public init(_ bundleIdentifier: String, instance: String? = nil) {
    self.bundleIdentifier = bundleIdentifier
    self.instance = instance
  }

  /// The identity in one word: `com.example.Weather` or `com.example.Weather#2`.
  public var description: String {
    instance.map { "\(bundleIdentifier)#\($0)" } ?? bundleIdentifier
  }
}
