/// New content, at any time; if several arrive between two pictures, the newest is shown.
///
/// `{"jsonrpc":"2.0","method":"setView","params":{"view":{"type":"text","text":"Hello"}}}`
public struct SetViewNotification: NotificationMessage, Hashable {
  /// The method is `setView`.
  public static let method = "setView"

  /// The whole new content.
  public var view: ViewNode

  /// Creates it.
  public init(view: ViewNode) {
    self.view = view
  }
}

/// The preferred height of the card, or null for the height of the view.
///
/// `{"jsonrpc":"2.0","method":"setPreferredContentSize","params":{"height":6}}`
public struct SetPreferredContentSizeNotification: NotificationMessage, Hashable {
  /// The method is `setPreferredContentSize`.
  public static let method = "setPreferredContentSize"

  /// Rows of the body; nil is written as null.
  public var size: PreferredContentSize

  /// Creates it.
  public init(height: Int?) {
    size = PreferredContentSize(height: height)
  }

  /// Reads `height`.
  public init(from decoder: any Decoder) throws {
    size = try PreferredContentSize(from: decoder)
  }

  /// Writes `height`.
  public func encode(to encoder: any Encoder) throws {
    try size.encode(to: encoder)
  }
}

/// The largest display mode that the widget offers.
///
/// `{"jsonrpc":"2.0","method":"setLargestAvailableDisplayMode","params":{"mode":"expanded"}}`
public struct SetLargestAvailableDisplayModeNotification: NotificationMessage, Hashable {
  /// The method is `setLargestAvailableDisplayMode`.
  public static let method = "setLargestAvailableDisplayMode"

  /// The display mode.
  public var mode: DisplayMode

  /// Creates it.
  public init(mode: DisplayMode) {
    self.mode = mode
  }
}

/// An expiring activity has ended.
///
/// `{"jsonrpc":"2.0","method":"endExpiringActivity","params":{"activity":1}}`
public struct EndExpiringActivityNotification: NotificationMessage, Hashable {
  /// The method is `endExpiringActivity`.
  public static let method = "endExpiringActivity"

  /// The number of the activity.
  public var activity: Int

  /// Creates it.
  public init(activity: Int) {
    self.activity = activity
  }
}

/// A line for the widget's log.
///
/// `{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"…"}}`
public struct LogNotification: NotificationMessage, Hashable {
  /// The method is `log`.
  public static let method = "log"

  /// The severity in the widget's own terms (`debug`, `info`, `error`).
  public var level: SafeText?
  /// The line.
  public var message: SafeText

  /// Creates it.
  public init(level: SafeText? = nil, message: SafeText) {
    self.level = level
    self.message = message
  }
}
