import WidgetKitCore

/// How many widgets are shown, and how many bundles are read to find them.
public nonisolated struct BundleLimits: Hashable, Sendable {
  /// The most widgets in a catalog.
  public var widgets = 500
  /// The most bundles that are looked at, good and bad.
  public var bundles = 2_000
  /// The most bytes of a property list.
  public var propertyListBytes = InfoPlist.byteLimit

  /// Creates the defaults.
  public init() {}
}
