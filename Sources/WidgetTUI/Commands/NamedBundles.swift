import ExtensionContent
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

  /// An extension of any point.
  enum Extension {
    case widget(WidgetBundle)
    /// A share extension or an action, and the types that are known beside it.
    case content(ContentExtension, TypeTable)

    var identifier: String {
      switch self {
      case .widget(let bundle): bundle.bundleIdentifier
      case .content(let target, _): target.identifier
      }
    }

    var path: String {
      switch self {
      case .widget(let bundle): bundle.path
      case .content(let target, _): target.bundle.path
      }
    }
  }

  /// Reads extensions of all points.
  ///
  /// - Parameters:
  ///   - paths: The paths as they are on the command line.
  ///   - environment: The user's environment.
  ///   - acceptsMissingPrograms: Whether bundles may be without their programs, because these are being built.
  /// - Returns: The extensions, in the order of the paths.
  /// - Throws: ``CommandError`` if one of them cannot be used.
  static func extensions(
    _ paths: [String],
    environment: [String: String],
    acceptingMissingPrograms acceptsMissingPrograms: Bool = false
  ) throws(CommandError) -> [Extension] {
    try found(
      paths,
      environment: environment,
      acceptingMissingPrograms: acceptsMissingPrograms
    ).extensions
  }

  /// Reads extensions of all points, with what is wrong with those that are used in spite of it: values in the lines
  /// of scripts.
  static func found(
    _ paths: [String],
    environment: [String: String],
    acceptingMissingPrograms acceptsMissingPrograms: Bool = false
  ) throws(CommandError) -> (extensions: [Extension], faults: [BundleError]) {
    var all: [Extension] = []
    var faults: [BundleError] = []
    for path in paths {
      let catalog = try catalog(path, environment, acceptsMissingPrograms)
      let table = TypeTable.of(catalog.apps).table
      let found =
        catalog.widgets.map { .widget($0) }
        + catalog.contentExtensions.map { Extension.content($0, table) }
      guard !found.isEmpty else {
        throw .missing(
          "\(path): no extension; expected a .widget, an .appex, an .app, or an executable script"
        )
      }
      all += found
      faults += catalog.problems
    }
    return (all, faults)
  }

  private static func catalog(
    _ path: String,
    _ environment: [String: String],
    _ acceptsMissingPrograms: Bool
  ) throws(CommandError) -> BundleCatalog {
    guard let absolute = absolute(path) else { throw .missing("\(path): no such file or folder") }
    var paths = SearchPaths(named: [absolute], environment: environment, executable: nil)
    paths.acceptMissingPrograms = acceptsMissingPrograms
    let catalog = BundleCatalog.scan(paths)
    // A page shows a script without the values that cannot be used.
    let scripts = Set(catalog.widgets.filter { $0.script != nil }.map(\.path))
    let obstacle = catalog.problems.first { !scripts.contains($0.bundlePath) }
    if let obstacle { throw .missing(obstacle.description) }
    return catalog
  }

  private static func read(
    _ path: String,
    _ environment: [String: String],
    _ acceptsMissingPrograms: Bool
  ) throws(CommandError) -> [WidgetBundle] {
    let catalog = try catalog(path, environment, acceptsMissingPrograms)
    guard !catalog.widgets.isEmpty else {
      if let target = catalog.contentExtensions.first {
        throw .usage(
          "\(path) is \(target.shares ? "a share extension" : "an action"), which has no card; "
            + "expected a widget"
        )
      }
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
