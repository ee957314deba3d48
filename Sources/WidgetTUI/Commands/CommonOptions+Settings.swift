import WidgetHost
import WidgetKitCore

extension CommonOptions {
  /// Reads config.json for a command that ends by itself, and writes what is wrong in it to standard
  /// error.
  ///
  /// An error there is not an error of the command: defaults take the place of wrong settings.
  func readSettings() -> Settings {
    let configuration = UserConfiguration(environment: environment)
    for problem in configuration.problems { StandardStreams.writeError(problem.string) }
    return configuration.settings
  }
}
