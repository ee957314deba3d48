import Glibc
import WidgetExtensions
import WidgetKitCore

/// The widgets that an author names on the command line: bundles, apps with bundles in them, and scripts.
enum NamedBundles {
  /// Reads them.
  ///
  /// - Parameters:
  ///   - paths: The paths as they are on the command line.
  ///   - environment: The user's environment.
  ///   - acceptsMissingPrograms: Whether bundles may be without their programs, because these are being built.
  /// - Returns: The widgets, in the order of the paths.
  /// - Throws: ``CommandError`` if one of them cannot be used.
  static func read(
    _ paths: [String],
    environment: [String: String],
    acceptingMissingPrograms acceptsMissingPrograms: Bool = false
  ) throws(CommandError) -> [WidgetBundle] {
    var bundles: [WidgetBundle] = []
    for path in paths { bundles += try read(path, environment, acceptsMissingPrograms) }
    return bundles
  }

  private static func read(
    _ path: String,
    _ environment: [String: String],
    _ acceptsMissingPrograms: Bool
  ) throws(CommandError) -> [WidgetBundle] {
    guard let absolute = absolute(path) else { throw .missing("\(path): no such file or folder") }
    var paths = SearchPaths(named: [absolute], environment: environment, executable: nil)
    paths.acceptMissingPrograms = acceptsMissingPrograms
    let catalog = BundleCatalog.scan(paths)
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
