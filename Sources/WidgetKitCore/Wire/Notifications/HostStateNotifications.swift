/// The dashboard has got the focus of the terminal, or is shown again.
///
/// `{"jsonrpc":"2.0","method":"hostDidBecomeActive","params":{}}`
public struct HostDidBecomeActiveNotification: NotificationMessage, Hashable {
  /// The method is `hostDidBecomeActive`.
  public static let method = "hostDidBecomeActive"
  /// Creates it.
  public init() {}
}

/// The dashboard has lost the focus of the terminal, or is about to be hidden or suspended.
///
/// `{"jsonrpc":"2.0","method":"hostWillResignActive","params":{}}`
public struct HostWillResignActiveNotification: NotificationMessage, Hashable {
  /// The method is `hostWillResignActive`.
  public static let method = "hostWillResignActive"
  /// Creates it.
  public init() {}
}

/// The dashboard is hidden or about to be suspended; the view of the widget has disappeared.
///
/// `{"jsonrpc":"2.0","method":"hostDidEnterBackground","params":{}}`
public struct HostDidEnterBackgroundNotification: NotificationMessage, Hashable {
  /// The method is `hostDidEnterBackground`.
  public static let method = "hostDidEnterBackground"
  /// Creates it.
  public init() {}
}

/// The dashboard is about to be shown again.
///
/// `{"jsonrpc":"2.0","method":"hostWillEnterForeground","params":{}}`
public struct HostWillEnterForegroundNotification: NotificationMessage, Hashable {
  /// The method is `hostWillEnterForeground`.
  public static let method = "hostWillEnterForeground"
  /// Creates it.
  public init() {}
}
