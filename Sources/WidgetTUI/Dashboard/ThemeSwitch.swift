import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The theme of the page: the user's, or for a while one that is looked at in the palette.
final class ThemeSwitch {
  private let screen: any Screen
  private let environment: [String: String]
  private let follower: ConfigurationFollower
  private var settings = ScreenSettings()
  private var isSetByFile = false

  init(screen: any Screen, environment: [String: String], follower: ConfigurationFollower) {
    self.screen = screen
    self.environment = environment
    self.follower = follower
  }

  /// Draws with what the user has set.
  func adopt(_ user: UserConfiguration) {
    settings = user.settings.screen
    isSetByFile = user.setsTheme
    screen.adopt(settings)
  }

  /// Draws with a theme for now; nil is the one for the background of the terminal.
  func preview(_ theme: ThemeDefinition?) {
    var settings = settings
    settings.definition = theme
    screen.adopt(settings)
  }

  /// Draws with the theme in force again.
  func restore() {
    screen.adopt(settings)
  }

  /// The theme in force, by its name in config.json.
  var chosen: String { settings.theme }

  /// Draws with a theme from now on, also after the next start; config.json comes before it.
  ///
  /// - Returns: What the user should know; nil if it is just so.
  func choose(_ id: String) -> SafeText? {
    do throws(HostError) {
      try ChosenTheme.write(id, environment)
    } catch {
      restore()
      return SafeText("The theme cannot be remembered: \(error)")
    }
    restore()
    follower.readNow()
    return isSetByFile ? note : nil
  }

  /// Why a theme that is chosen does not apply; nil if it does.
  var note: SafeText? {
    isSetByFile ? "config.json sets the theme “\(settings.theme)”, which takes precedence." : nil
  }

  /// The themes as lines of the palette; those that cannot be read are left out.
  var items: [Palette.Item] {
    let catalog = ThemeCatalog(environment: environment)
    let automatic = Palette.Item(
      title: "Theme: as the terminal",
      detail: detail(ScreenSettings.automaticTheme, "dark or light"),
      action: .theme(id: ScreenSettings.automaticTheme, nil)
    )
    return [automatic]
      + catalog.ids.compactMap { id in
        guard case .found(let theme) = catalog.theme(id) else { return nil }
        return Palette.Item(
          title: "Theme: \(theme.name)",
          detail: detail(id, theme.isDark ? "dark" : "light"),
          action: .theme(id: id, theme),
          // As “today themes” and config.json call it.
          about: SafeText(id)
        )
      }
  }

  private func detail(_ id: String, _ kind: SafeText) -> SafeText {
    id == settings.theme ? "in use, \(kind)" : kind
  }
}
