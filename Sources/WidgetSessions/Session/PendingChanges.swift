import WidgetExtensions
import WidgetKitCore

/// What has changed while a process could not be told: it was suspended, or not ready yet.
struct PendingChanges {
  private var appearance: Appearance?
  private var configuration: WidgetConfiguration?
  /// The names that were posted; each is told once.
  private var posted: Set<String> = []
  /// The keys of the values that have changed, by suite.
  private var defaults: [String: Set<String>] = [:]
  /// Whether there are other notices.
  private var notices = false

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

  /// Notes what another process did with shared data.
  mutating func note(_ change: SharedDataChange) {
    switch change {
    case .posted(let name): posted.insert(name)
    case .defaults(let suite, let keys): defaults[suite, default: []].formUnion(keys)
    case .notices: notices = true
    }
  }

  /// Returns what a process is told, and forgets all changes.
  mutating func take() -> [HostMessage] {
    defer { self = PendingChanges() }
    var messages: [HostMessage] = []
    if let configuration {
      messages.append(.configurationDidChange(.init(configuration: configuration)))
    }
    if let appearance { messages.append(.appearanceDidChange(.init(appearance: appearance))) }
    for (suite, keys) in defaults.sorted(by: { $0.key < $1.key }) {
      messages.append(.defaultsDidChange(.init(suite: suite, keys: keys.sorted())))
    }
    if notices { messages.append(.noticesDidChange) }
    return messages + posted.sorted().map { .didReceiveNotification(.init(name: $0)) }
  }
}
