import FoundationEssentials
public import WidgetKitCore

/// The widgets and apps that were found, and what was wrong with the others.
public nonisolated struct BundleCatalog: Sendable {
  /// The widgets, in the order of the search paths, then of their names.
  public internal(set) var widgets: [WidgetBundle] = []
  /// Extensions of something else than the Today view, in the same order; the page has no use for them.
  public internal(set) var otherExtensions: [ExtensionBundle] = []
  /// The apps, in the same order.
  public internal(set) var apps: [AppBundle] = []
  /// Why a bundle was passed over, in the order of finding.
  public internal(set) var problems: [BundleError] = []

  /// Creates a catalog of nothing.
  public init() {}

  /// Looks for `*.widget` and `*.app/PlugIns/*.widget` in each folder, and no deeper.
  ///
  /// A folder that is not there is no problem unless the user named it. A bundle that is bad, that
  /// somebody else could have put there, or that has the identifier of one before it, is a problem
  /// and passed over.
  ///
  /// It reads the disk: call it off the main actor.
  ///
  /// - Parameters:
  ///   - paths: Where to look.
  ///   - limits: How much to take; what is more is one problem.
  /// - Returns: What was found, and what was wrong.
  /// - Complexity: One reading of each folder and two small files a bundle.
  public static func scan(_ paths: SearchPaths, limits: BundleLimits = BundleLimits())
    -> BundleCatalog
  {
    var scan = BundleScan(limits: limits, trust: .named("/"))
    for folder in paths.folders {
      // Who names a folder, or runs the program that it came with, vouches for its owner.
      let isVouchedFor = paths.areRequired || folder == paths.bundled
      scan.search(
        folder,
        isRequired: paths.areRequired,
        trust: .searchPath(folder, includesOwner: isVouchedFor)
      )
    }
    return scan.finish()
  }

  /// Looks for the widgets of one app.
  ///
  /// - Parameters:
  ///   - app: The app, which was read before.
  ///   - limits: How much to take; what is more is one problem.
  /// - Returns: The app, what was found, and what was wrong.
  public static func scan(_ app: AppBundle, limits: BundleLimits = BundleLimits()) -> BundleCatalog
  {
    var scan = BundleScan(limits: limits, trust: .named(app.path))
    scan.add(app)
    return scan.finish()
  }

  /// The widget with an identifier; nil where there is none.
  public func widget(withIdentifier identifier: String) -> WidgetBundle? {
    widgets.first { $0.bundleIdentifier == identifier }
  }

  /// The app with an identifier; nil where there is none.
  public func app(withIdentifier identifier: String) -> AppBundle? {
    apps.first { $0.bundleIdentifier == identifier }
  }
}
