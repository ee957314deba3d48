package import WidgetKitCore

/// A notification or request from a widget.
package enum WidgetMessage: Sendable {
  case setView(ViewNode)
  case setPreferredContentSize(PreferredContentSize)
  case setLargestAvailableDisplayMode(DisplayMode)
  case log(LogNotification)
  case openURL(String, id: MessageID?)
  case beginExpiringActivity(String, id: MessageID)
  case endExpiringActivity(Int)
  /// The identifier is nil for a notification.
  case service(ServiceRequest, id: MessageID?)
  /// A message about the request of a share or action extension; the identifier is nil for a notification.
  case content(ContentRequest, id: MessageID?)

  /// Decodes a notification.
  ///
  /// - Throws: ``WireError`` with `methodNotFound`, or with `invalidParams`.
  package init(
    notification method: String,
    _ line: IncomingLine,
    _ budget: ViewBudget
  ) throws(WireError) {
    switch method {
    case SetViewNotification.method:
      self = .setView(try line.decode(SetViewNotification.self, budget: budget).view)
    case SetPreferredContentSizeNotification.method:
      let message = try line.decode(SetPreferredContentSizeNotification.self)
      self = .setPreferredContentSize(message.size)
    case SetLargestAvailableDisplayModeNotification.method:
      let message = try line.decode(SetLargestAvailableDisplayModeNotification.self)
      self = .setLargestAvailableDisplayMode(message.mode)
    case LogNotification.method:
      self = .log(try line.decode(LogNotification.self))
    case OpenURLRequest.method:
      // A notification opens the URL too, and gets no answer.
      self = .openURL(try line.decode(OpenURLRequest.self).url, id: nil)
    case EndExpiringActivityNotification.method:
      let message = try line.decode(EndExpiringActivityNotification.self)
      self = .endExpiringActivity(message.activity)
    case ObserveNotificationNotification.method:
      let name = try line.decode(ObserveNotificationNotification.self).name
      self = .service(.shared(.observe(name)), id: nil)
    case RemoveObserverNotification.method:
      let name = try line.decode(RemoveObserverNotification.self).name
      self = .service(.shared(.removeObserver(name)), id: nil)
    case PostNotificationNotification.method:
      let name = try line.decode(PostNotificationNotification.self).name
      self = .service(.shared(.post(name)), id: nil)
    case CoordinateEndNotification.method:
      let token = try line.decode(CoordinateEndNotification.self).token
      self = .service(.shared(.endCoordination(token)), id: nil)
    default:
      guard let request = try ContentRequest(notification: method, line, budget) else {
        throw .methodNotFound(method)
      }
      self = .content(request, id: nil)
    }
  }

  /// Whether the request stays open until its action is complete.
  package var staysOpen: Bool {
    switch self {
    case .openURL, .beginExpiringActivity, .service, .content: true
    case .setView, .setPreferredContentSize, .setLargestAvailableDisplayMode, .log,
      .endExpiringActivity:
      false
    }
  }
}
