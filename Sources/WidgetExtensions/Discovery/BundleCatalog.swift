package import ExtensionContent
import FoundationEssentials
public import WidgetKitCore
public import WidgetPlatform

/// The widgets and apps that were found, and the problems of bundles that were skipped.
public struct BundleCatalog: Sendable {
  /// The widgets, in the order of the search paths, then of their names.
  public package(set) var widgets: [WidgetBundle] = []
  /// Extensions that are no cards, in the same order; the page does not use them.
  public internal(set) var otherExtensions: [ExtensionBundle] = []
  /// Those of them to which content is offered, in the same order.
  package internal(set) var contentExtensions: [ContentExtension] = []
  /// The apps, in the same order.
  public package(set) var apps: [AppBundle] = []
  /// The reasons why bundles were skipped, in the order of the search.
  public package(set) var problems: [BundleError] = []

  /// Creates an empty catalog.
  public init() {}

  /// Searches each folder for `*.widget` and `*.app/PlugIns/*.widget`, and no deeper; each source for scripts.
  ///
  /// A missing folder is a problem only if the user named it. A bundle that is invalid, that another
  /// user could have put there, or that has the identifier of an earlier one, is skipped and reported
  /// as a problem.
  ///
  /// This function reads the disk: call it off the main actor.
  ///
  /// - Parameters:
  ///   - paths: The folders to search.
  ///   - limits: The limits on the number of bundles; exceeding them is one problem.
  /// - Returns: The bundles that were found, and the problems.
  /// - Complexity: Each folder is read once, and two small files per bundle.
  public static func scan(_ paths: SearchPaths, limits: BundleLimits = BundleLimits())
    -> BundleCatalog
  {
    let blocks = paths.separatesBlocks ? paths.blocks : nil
    var scan = BundleScan(limits: limits, trust: .named("/"), blocks: blocks)
    let own = paths.ownBundles.map { resolvedPath($0) ?? $0 }
    for folder in paths.folders where !(paths.omitsOwnBundles && folder == paths.bundled) {
      if paths.areRequired, scan.addNamed(folder, paths) { continue }
      // A user who names a folder, or runs the program that it came with, trusts its owner.
      let isVouchedFor = paths.areRequired || folder == paths.bundled
      scan.search(
        folder,
        isRequired: paths.areRequired,
        trust: .searchPath(folder, includesOwner: isVouchedFor),
        mayBeOwn: isVouchedFor || (resolvedPath(folder) ?? folder) == own
      )
    }
    for source in paths.sources { scan.searchScripts(source, paths.scriptOptions) }
    if let folder = paths.bundledExtensions { scan.searchBundledExtensions(folder) }
    return scan.finish()
  }

  /// Searches for the widgets of one app.
  ///
  /// - Parameters:
  ///   - app: The app, which has already been read.
  ///   - limits: The limits on the number of bundles; exceeding them is one problem.
  /// - Returns: The app, the widgets that were found, and the problems.
  public static func scan(_ app: AppBundle, limits: BundleLimits = BundleLimits()) -> BundleCatalog
  {
    var scan = BundleScan(limits: limits, trust: .named(app.path))
    scan.add(app)
    return scan.finish()
  }

  /// Returns the widget with an identifier, or nil if there is none.
  public func widget(withIdentifier identifier: String) -> WidgetBundle? {
    widgets.first { $0.bundleIdentifier == identifier }
  }

  /// Returns the extensions of a point that are no cards.
  package func extensions(of point: ExtensionPoint) -> [ExtensionBundle] {
    otherExtensions.filter { $0.pointIdentifier == point.identifier }
  }

  /// Returns the app with an identifier, or nil if there is none.
  public func app(withIdentifier identifier: String) -> AppBundle? {
    apps.first { $0.bundleIdentifier == identifier }
  }
}
