import WidgetExtensions
import WidgetPages
import WidgetPlatform

extension SearchPaths {
  /// The folders that the options of a command and config.json name.
  init(_ options: CommonOptions, _ settings: Settings) {
    self.init(
      named: options.widgetFolders,
      environment: options.environment,
      executable: HostProcess.executablePath()
    )
    add(settings.scripts, environment: options.environment)
  }

  /// The same folders, for commands that offer content to extensions.
  static func ofContent(_ options: CommonOptions, _ settings: Settings) -> SearchPaths {
    var paths = SearchPaths(options, settings)
    paths.omitsOwnBundles = true
    return paths
  }
}
