import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The settings of an extension for one request.
///
/// A class because secrets are read while the process starts.
final class RequestSettings {
  private let settings: WidgetSettings
  /// The values of this request alone.
  private var given: [String: WidgetConfiguration.Value] = [:]
  private var secrets: [String: String] = [:]
  private let reader: SecretReader

  /// Finds the values in force.
  ///
  /// - Throws: ``HostError`` with `setting` if an option is none of the settings, or cannot have its value.
  init(
    of bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ configuration: CenterConfiguration,
    _ options: [String: String],
    _ stored: StoredSettings,
    _ reader: SecretReader
  ) throws(HostError) {
    self.reader = reader
    settings = WidgetSettings(
      of: bundle,
      id,
      file: configuration.widgetSettings,
      stored: stored,
      home: HomeFolder(configuration.environment)
    )
    let book = SettingsBook(
      bundle,
      id,
      file: configuration.widgetSettings,
      environment: configuration.environment
    )
    for (name, text) in options { given[name] = try book.value(of: name, text) }
  }

  /// Reads the secrets, and then continues, with what the user has to do first if there is something.
  func prepare(_ next: @escaping (SafeText?) -> Void) {
    if let advice = settings.advice, given.isEmpty { return next(advice) }
    let sources = settings.secrets
    guard !sources.isEmpty else { return next(nil) }
    reader.read(sources) { [self] secrets, failures in
      self.secrets = secrets
      let failure = failures.min { $0.key < $1.key }
      next(failure.map { SafeText("the secret “\($0.key)” cannot be read: \($0.value)") })
    }
  }

  /// What the extension is given; nil if it declares no settings.
  var configuration: WidgetConfiguration? {
    var configuration = settings.configuration(secrets: secrets)
    for (name, value) in given { configuration?.values[name] = value }
    return configuration
  }
}
