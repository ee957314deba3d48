import Brokers
import WidgetExtensions
import WidgetPages

extension BrokerHub {
  /// Takes over what the user has set, for a command that has no page.
  func prepare(_ options: CommonOptions, _ settings: Settings) {
    self.settings = settings.mqtt
    findPasswords(in: SecretStorage(options))
  }
}
