/// Reads shared defaults (UserDefaults).
///
/// `{"jsonrpc":"2.0","id":"d","method":"defaultsRead","params":{"suite":"group.com.example.Coffee"}}`
public struct DefaultsReadRequest: RequestMessage, Hashable {
  /// The method is `defaultsRead`.
  public static let method = "defaultsRead"

  /// An app group, or the widget's own identifier.
  public var suite: String
  /// The keys; nil for all.
  public var keys: [String]?

  /// Creates the request.
  public init(suite: String, keys: [String]? = nil) {
    self.suite = suite
    self.keys = keys
  }

  /// The values.
  public struct Reply: Codable, Hashable, Sendable {
    /// The values by their keys; those that are not set are absent.
    public var values: [String: DefaultsValue]

    /// Creates the reply.
    public init(values: [String: DefaultsValue]) {
      self.values = values
    }
  }
}

/// Changes shared defaults; they are on the disk when it is answered.
///
/// `{"jsonrpc":"2.0","id":"e","method":"defaultsWrite","params":{"suite":"group.com.example.Coffee",
/// "values":{"cups":3,"last":null}}}`
public struct DefaultsWriteRequest: RequestMessage, Hashable {
  /// The method is `defaultsWrite`.
  public static let method = "defaultsWrite"
  /// Nothing.
  public typealias Reply = NoMembers

  /// An app group, or the widget's own identifier.
  public var suite: String
  /// The values by their keys; null removes one.
  public var values: [String: DefaultsValue?]

  /// Creates the request.
  public init(suite: String, values: [String: DefaultsValue?]) {
    self.suite = suite
    self.values = values
  }
}

/// Another process has changed shared defaults that the widget may read.
///
/// `{"jsonrpc":"2.0","method":"defaultsDidChange","params":{"suite":"group.com.example.Coffee",
/// "keys":["cups"]}}`
public struct DefaultsDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `defaultsDidChange`.
  public static let method = "defaultsDidChange"

  /// The suite.
  public var suite: String
  /// The keys whose values are others now.
  public var keys: [String]

  /// Creates it.
  public init(suite: String, keys: [String]) {
    self.suite = suite
    self.keys = keys
  }
}

/// From now on the widget wants to hear a name.
///
/// `{"jsonrpc":"2.0","method":"observeNotification","params":{"name":"group.com.example.Coffee.changed"}}`
public struct ObserveNotificationNotification: NotificationMessage, Hashable {
  /// The method is `observeNotification`.
  public static let method = "observeNotification"

  /// The name, which begins with an app group.
  public var name: String

  /// Creates it.
  public init(name: String) {
    self.name = name
  }
}

/// The widget does not want to hear a name any more.
///
/// `{"jsonrpc":"2.0","method":"removeObserver","params":{"name":"group.com.example.Coffee.changed"}}`
public struct RemoveObserverNotification: NotificationMessage, Hashable {
  /// The method is `removeObserver`.
  public static let method = "removeObserver"

  /// The name.
  public var name: String

  /// Creates it.
  public init(name: String) {
    self.name = name
  }
}

/// Posts a name to the widgets of an app group.
///
/// `{"jsonrpc":"2.0","method":"postNotification","params":{"name":"group.com.example.Coffee.changed"}}`
public struct PostNotificationNotification: NotificationMessage, Hashable {
  /// The method is `postNotification`.
  public static let method = "postNotification"

  /// The name, which begins with an app group.
  public var name: String

  /// Creates it.
  public init(name: String) {
    self.name = name
  }
}

/// A name that the widget observes was posted.
///
/// `{"jsonrpc":"2.0","method":"didReceiveNotification","params":{"name":"group.com.example.Coffee.changed"}}`
public struct DidReceiveNotificationNotification: NotificationMessage, Hashable {
  /// The method is `didReceiveNotification`.
  public static let method = "didReceiveNotification"

  /// The name.
  public var name: String

  /// Creates it.
  public init(name: String) {
    self.name = name
  }
}
