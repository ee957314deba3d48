import WidgetExtensions
import WidgetPages
import WidgetPlatform
import WidgetScripts

extension BrokerCards {
  /// The cards of the page that the options of a command select.
  init(_ options: CommonOptions, _ settings: Settings) {
    self.init(
      environment: options.environment,
      paths: SearchPaths(options, settings),
      limits: settings.limits.bundles,
      declared: settings.pages
    )
  }
}
