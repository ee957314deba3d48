public import WidgetKitCore

/// How a bundle came to be among the widgets, which decides what it may do without asking.
public enum BundleOrigin: String, Sendable {
  /// It comes with the program.
  case bundled
  /// The user has named its folder on the command line.
  case named
  /// It is in a folder of widgets.
  case installed
}

extension SearchPaths {
  /// Returns how a bundle that was found in these folders came to be there.
  public func origin(of bundle: WidgetBundle) -> BundleOrigin {
    if let ownBundles, bundle.path.hasPrefix(ownBundles + "/") { return .bundled }
    return areRequired ? .named : .installed
  }
}
