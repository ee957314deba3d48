import WidgetKitCore

/// What a widget says of its own accord.
nonisolated enum WidgetMessage: Sendable {
  case setView(ViewNode)
  case setPreferredContentSize(PreferredContentSize)
  case setLargestAvailableDisplayMode(DisplayMode)
  case log(LogNotification)
  case openURL(String, id: MessageID)
  case setHasContent(SetHasContentRequest, id: MessageID)
  case beginExpiringActivity(String, id: MessageID)
  case endExpiringActivity(Int)

  /// Decodes a notification.
  ///
  /// - Throws: ``WireError`` with `methodNotFound`, or with `invalidParams`.
  init(notification method: String, _ line: IncomingLine, _ budget: ViewBudget) throws(WireError) {
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
    case EndExpiringActivityNotification.method:
      let message = try line.decode(EndExpiringActivityNotification.self)
      self = .endExpiringActivity(message.activity)
    default:
      throw .methodNotFound(method)
    }
  }

  /// Decodes a request.
  ///
  /// - Throws: ``WireError`` with `methodNotFound`, or with `invalidParams`.
  init(request method: String, id: MessageID, _ line: IncomingLine) throws(WireError) {
    switch method {
    case OpenURLRequest.method:
      self = .openURL(try line.decode(OpenURLRequest.self).url, id: id)
    case BeginExpiringActivityRequest.method:
      let request = try line.decode(BeginExpiringActivityRequest.self)
      self = .beginExpiringActivity(request.reason, id: id)
    case SetHasContentRequest.method:
      self = .setHasContent(try line.decode(SetHasContentRequest.self), id: id)
    default:
      throw .methodNotFound(method)
    }
  }

  /// Whether the request stays open after it was taken in, until something has been done.
  var staysOpen: Bool {
    switch self {
    case .openURL, .beginExpiringActivity: true
    default: false
    }
  }
}
