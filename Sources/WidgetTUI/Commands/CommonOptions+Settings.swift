import WidgetExtensions
import WidgetKitCore
import WidgetPages

extension CommonOptions {
  /// Reads config.json for a command that ends by itself, and writes what is wrong in it to standard
  /// error.
  ///
  /// An error there is not an error of the command: defaults take the place of wrong settings.
  func readSettings() -> Settings {
    let configuration = UserConfiguration(environment: environment, commands: KeyMap.standard.names)
    for problem in configuration.problems { StandardStreams.writeError(problem.string) }
    return configuration.settings
  }

  /// The theme of a name on the command line.
  ///
  /// - Throws: ``CommandError`` that says why there is none.
  func theme(_ name: String) throws(CommandError) -> ThemeDefinition {
    let themes = ThemeCatalog(environment: environment)
    // Without a terminal, the background is dark.
    guard name != ScreenSettings.automaticTheme else { return .standard(isDark: true) }
    switch themes.theme(name) {
    case .found(let theme): return theme
    case .broken(let problems):
      throw .failure(problems.map(\.string).joined(separator: "\ntoday: "))
    case .missing(let nearest):
      let advice = nearest.map { "did you mean “\($0)”?" } ?? "“today themes” lists them"
      throw .missing("no theme “\(SafeText(name))”; \(advice)")
    }
  }
}
