import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

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
    let id = known.contains(suite) ? ExtensionIdentity(suite) : try card(suite)
    let container = folders.containers(of: id).data
    return DefaultsFile(container: container, suite: id.bundleIdentifier)
  }

  /// The widget, or the instance, that has a name.
  private func card(_ name: String) throws(CommandError) -> ExtensionIdentity {
    guard try !catalog.widgets(of: name).identifiers.isEmpty else {
      let near = catalog.nearestName(to: name).map { "; did you mean “\($0)”?" } ?? ""
      throw .missing(
        "“\(SafeText(name))” is not an app group, and no installed widget or app has this identifier or name\(near)"
      )
    }
    return try catalog.requiredOne(name)
  }

  /// What is wrong with a name of a group, and which there are.
  func unknownGroup(_ name: String) -> String {
    let list = groups.isEmpty ? "none is" : groups.joined(separator: ", ")
    return "“\(SafeText(name))”: no installed app requests this group; requested: \(list)"
  }
}
