/// Values that a widget shares with its app and with scripts (UserDefaults).
///
/// ```swift
/// let defaults = SharedDefaults(suiteName: "group.com.example.Coffee")
/// let cups = try await defaults.values()["cups"]?.integer ?? 0
/// try await defaults.set(.integer(cups + 1), forKey: "cups")
/// ```
@MainActor
public struct SharedDefaults {
  /// An app group, or the widget's own identifier.
  public let suiteName: String
  private let context: WidgetContext

  /// The values of a suite; nil is the widget's own, which no group shares.
  public init(suiteName: String? = nil, context: WidgetContext = .current) {
    self.suiteName = suiteName ?? context.bundleIdentifier
    self.context = context
  }

  /// All values, or those of some keys.
  ///
  /// - Throws: ``WireError`` if the widget does not share the suite.
  public func values(forKeys keys: [String]? = nil) async throws -> [String: DefaultsValue] {
    try await context.host.request(DefaultsReadRequest(suite: suiteName, keys: keys)).values
  }

  /// The value of a key; nil if it has none.
  ///
  /// - Throws: ``WireError`` if the widget does not share the suite.
  public func value(forKey key: String) async throws -> DefaultsValue? {
    try await values(forKeys: [key])[key]
  }

  /// Sets a value, which is on the disk when this returns; nil removes it.
  ///
  /// - Throws: ``WireError`` if it was not written.
  public func set(_ value: DefaultsValue?, forKey key: String) async throws {
    try await set([key: value])
  }

  /// Sets several values, all of them or none.
  ///
  /// - Throws: ``WireError`` if they were not written.
  public func set(_ values: [String: DefaultsValue?]) async throws {
    _ = try await context.host.request(DefaultsWriteRequest(suite: suiteName, values: values))
  }

  /// Calls `change` with the keys that another process has changed; the body is evaluated then.
  public func onChange(_ change: @escaping @MainActor ([String]) -> Void) {
    context.defaultsObservers[suiteName] = change
  }
}

extension WidgetContext {
  /// Calls `action` when a name of an app group is posted; the body is evaluated then.
  ///
  /// A notification is a hint: it is not heard while the widget does not run.
  public func observeNotification(_ name: String, _ action: @escaping @MainActor () -> Void) {
    observers[name] = action
    host.notify(ObserveNotificationNotification(name: name))
  }

  /// Ends what ``observeNotification(_:_:)`` began.
  public func removeObserver(_ name: String) {
    observers[name] = nil
    host.notify(RemoveObserverNotification(name: name))
  }

  /// Posts a name to the widgets of an app group, with which it begins.
  public func postNotification(_ name: String) {
    host.notify(PostNotificationNotification(name: name))
  }

  func didReceiveNotification(_ name: String) {
    observers[name]?()
  }

  func defaultsDidChange(_ change: DefaultsDidChangeNotification) {
    defaultsObservers[change.suite]?(change.keys)
  }
}
