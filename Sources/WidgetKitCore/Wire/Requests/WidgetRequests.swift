/// Requests to open a URL; the host decides, and answers with the result.
///
/// `{"jsonrpc":"2.0","id":"a","method":"openURL","params":{"url":"clowntown://post/7"}}`
public struct OpenURLRequest: RequestMessage, Hashable {
  /// The method is `openURL`.
  public static let method = "openURL"

  /// The URL.
  public var url: String

  /// Creates the request.
  public init(url: String) {
    self.url = url
  }

  /// The result.
  public struct Reply: Codable, Hashable, Sendable {
    /// True once a handler registered for the scheme was started.
    public var success: Bool

    /// Creates the reply.
    public init(success: Bool) {
      self.success = success
    }
  }
}

/// Sets whether a widget has anything to show (NCWidgetController).
///
/// `{"jsonrpc":"2.0","id":4,"method":"setHasContent","params":{"flag":false,
/// "bundleIdentifier":"com.example.ClownTown.Today"}}`
public struct SetHasContentRequest: RequestMessage, Hashable {
  /// The method is `setHasContent`.
  public static let method = "setHasContent"
  /// Nothing.
  public typealias Reply = NoMembers

  /// If false, the card is not shown and the widget not started until its app sets true.
  public var flag: Bool
  /// The widget: the sender itself, or another one of its app.
  public var bundleIdentifier: String

  /// Creates the request.
  public init(flag: Bool, bundleIdentifier: String) {
    self.flag = flag
    self.bundleIdentifier = bundleIdentifier
  }
}

/// Requests not to be suspended while work is finished (ProcessInfo.performExpiringActivity).
///
/// `{"jsonrpc":"2.0","id":4,"method":"beginExpiringActivity","params":{"reason":"save"}}`
public struct BeginExpiringActivityRequest: RequestMessage, Hashable {
  /// The method is `beginExpiringActivity`.
  public static let method = "beginExpiringActivity"

  /// A short word for the developer; not empty.
  public var reason: String

  /// Creates the request.
  public init(reason: String) {
    self.reason = reason
  }

  /// Whether it was granted.
  public struct Reply: Codable, Hashable, Sendable {
    /// The number of the activity.
    public var activity: Int
    /// False if granted; true if refused: do not begin.
    public var expired: Bool

    /// Creates the reply.
    public init(activity: Int, expired: Bool) {
      self.activity = activity
      self.expired = expired
    }
  }
}
