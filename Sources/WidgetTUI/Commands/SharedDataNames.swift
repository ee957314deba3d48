import WidgetHost
import WidgetKitCore

/// The groups and containers that commands name.
struct SharedDataNames {
  let folders: StateFolders
  private let catalog: BundleCatalog

  init(_ options: CommonOptions) {
    folders = StateFolders(environment: options.environment)
    catalog = PageBook(options).catalog
  }

  /// The groups that an installed app requests.
  var groups: [String] {
    Set(catalog.apps.flatMap(\.groups)).sorted()
  }

  /// The values of a suite: a group, or the identifier of a widget or an app.
  func defaults(of suite: String) throws(CommandError) -> DefaultsFile {
    if suite.hasPrefix("group.") {
      guard groups.contains(suite) else { throw .missing(unknownGroup(suite)) }
      return DefaultsFile(container: folders.group(suite), suite: suite)
    }
    let known = catalog.widgets.map(\.bundleIdentifier) + catalog.apps.map(\.bundleIdentifier)
    guard known.contains(suite) else {
      throw .missing(
        "“\(SafeText(suite))” is not an app group and not the identifier of an installed widget or app"
      )
    }
    let container = folders.containers(of: ExtensionIdentity(suite)).data
    return DefaultsFile(container: container, suite: suite)
  }

  /// What is wrong with a name of a group, and which there are.
  func unknownGroup(_ name: String) -> String {
    let list = groups.isEmpty ? "none is" : groups.joined(separator: ", ")
    return "“\(SafeText(name))”: no installed app requests this group; requested: \(list)"
  }
}
