import WidgetKitCore

/// The limits on the widgets that are shown, and on the bundles that are read to find them.
public struct BundleLimits: Hashable, Sendable {
  /// The limit on the widgets in a catalog.
  public var widgets = 500
  /// The limit on the bundles that are read, valid or not.
  public var bundles = 2_000
  /// The limit on the bytes of a property list.
  public var propertyListBytes = InfoPlist.byteLimit

  /// Creates the defaults.
  public init() {}
}
