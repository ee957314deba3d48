import Glibc
import WidgetHost
import WidgetKitCore

/// The widgets that an author names on the command line: bundles, apps with bundles in them, and scripts.
enum NamedBundles {
  /// Reads them.
  ///
  /// - Parameters:
  ///   - paths: The paths as they are on the command line.
  ///   - environment: The user's environment.
  /// - Returns: The widgets, in the order of the paths.
  /// - Throws: ``CommandError`` if one of them cannot be used.
  static func read(
    _ paths: [String],
    environment: [String: String]
  ) throws(CommandError) -> [WidgetBundle] {
    var bundles: [WidgetBundle] = []
    for path in paths { bundles += try read(path, environment: environment) }
    return bundles
  }

  private static func read(
    _ path: String,
    environment: [String: String]
  ) throws(CommandError) -> [WidgetBundle] {
    guard let absolute = absolute(path) else { throw .missing("\(path): no such file or folder") }
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [absolute], environment: environment, executable: nil)
    )
    if let problem = catalog.problems.first { throw .missing(problem.description) }
    guard !catalog.widgets.isEmpty else {
      throw .missing("\(path): no widget; expected a .widget, an .app, or an executable script")
    }
    return catalog.widgets
  }

  /// The path with links followed; nil if it does not exist.
  static func absolute(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
