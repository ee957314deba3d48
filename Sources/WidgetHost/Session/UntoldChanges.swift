import WidgetKitCore

/// What has changed while a process could not be told: it was suspended, or not ready yet.
nonisolated struct UntoldChanges {
  private var appearance: Appearance?
  private var configuration: WidgetConfiguration?

  /// Whether there are settings that the process does not have.
  var hasConfiguration: Bool { configuration != nil }

  /// Notes other colours; only the last ones are told.
  mutating func note(_ appearance: Appearance) {
    self.appearance = appearance
  }

  /// Notes other settings; only the last ones are told.
  mutating func note(_ configuration: WidgetConfiguration) {
    self.configuration = configuration
  }

  /// Forgets the settings, because the next process starts with them.
  mutating func dropConfiguration() {
    configuration = nil
  }

  /// Returns the messages to a process that implements `methods`, and forgets all changes.
  mutating func tell(_ methods: Set<String>) -> [SessionEffect] {
    defer { self = UntoldChanges() }
    var effects: [SessionEffect] = []
    if let configuration, methods.contains(ConfigurationDidChangeNotification.method) {
      effects.append(.send(.configurationDidChange(.init(configuration: configuration))))
    }
    if let appearance, methods.contains(AppearanceDidChangeNotification.method) {
      effects.append(.send(.appearanceDidChange(.init(appearance: appearance))))
    }
    return effects
  }
}
