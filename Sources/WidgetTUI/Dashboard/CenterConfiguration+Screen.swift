import WidgetKitCore
import WidgetPages

extension CenterConfiguration {
  /// The configuration with what the user has set, for a screen.
  func adopting(_ user: UserConfiguration, on screen: any Screen) -> CenterConfiguration {
    var configuration = self
    user.apply(to: &configuration)
    configuration.glyphs = screen.glyphs
    configuration.screenSize = screen.size
    configuration.appearance = screen.theme.appearance
    return configuration
  }
}

nonisolated extension Theme {
  /// What widgets are told of the colours (Docs/Protocol.md, initialize, `appearance`).
  var appearance: Appearance {
    Appearance(colors: depth == .eight ? 16 : depth.rawValue, dark: isDark)
  }
}
