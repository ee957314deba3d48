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

extension BrokerHub {
  /// Takes over what the user has set, for a command that has no page.
  func prepare(_ options: CommonOptions, _ settings: Settings) {
    self.settings = settings.mqtt
    let storage = SecretStorage(options)
    findPassword = { address, completion in
      guard let secret = ProgramSecret(address.description, in: storage) else {
        return completion(nil)
      }
      secret.find(completion)
    }
  }
}
