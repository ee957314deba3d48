/// The user begins to edit the widget; only if it allows that in its answer to `initialize`.
///
/// `{"jsonrpc":"2.0","method":"widgetDidBeginEditing","params":{}}`
public struct WidgetDidBeginEditingNotification: NotificationMessage, Hashable {
  /// The method is `widgetDidBeginEditing`.
  public static let method = "widgetDidBeginEditing"
  /// Creates it.
  public init() {}
}

/// The user does not edit the widget any more.
///
/// `{"jsonrpc":"2.0","method":"widgetDidEndEditing","params":{}}`
public struct WidgetDidEndEditingNotification: NotificationMessage, Hashable {
  /// The method is `widgetDidEndEditing`.
  public static let method = "widgetDidEndEditing"
  /// Creates it.
  public init() {}
}
