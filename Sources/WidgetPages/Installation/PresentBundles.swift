import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The apps and extensions that are installed, in the user's folder or elsewhere, by their identifiers.
struct PresentBundles {
  let catalog: BundleCatalog

  /// All extensions that have bundles or are widgets, as what is run of them.
  var bundles: [WidgetBundle] {
    catalog.widgets
      + catalog.contentExtensions.filter { $0.script == nil }.map { WidgetBundle($0.bundle) }
  }

  /// The paths of what has an identifier: apps, widgets, and other extensions.
  func owners(of identifier: String) -> [String] {
    let extensions = catalog.widgets.map(\.base) + catalog.otherExtensions
    return catalog.apps.filter { $0.bundleIdentifier == identifier }.map(\.path)
      + extensions.filter { $0.bundleIdentifier == identifier }
      .map { $0.containingApp?.path ?? $0.path }
  }

  /// The path of the app or extension with an identifier that lies by itself in a folder.
  func path(of identifier: String, in folder: String) -> String? {
    let paths =
      catalog.apps.filter { $0.bundleIdentifier == identifier }.map(\.path)
      + bundles.filter { $0.bundleIdentifier == identifier && $0.containingApp == nil }
      .map(\.path)
    return paths.first { OwnPath.split($0).folder == folder }
  }
}
