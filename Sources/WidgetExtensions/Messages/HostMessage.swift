package import WidgetKitCore

/// A message from the host to the widget.
package enum HostMessage: Hashable, Sendable {
  case initialize(InitializeRequest)
  case widgetMarginInsets(WidgetMarginInsetsRequest)
  case viewWillAppear(ViewWillAppearRequest)
  case viewWillDisappear
  case widgetPerformUpdate(UpdateReason)
  case viewWillTransitionToSize(ViewWillTransitionToSizeRequest)
  case performAction(PerformActionRequest)
  case list(ListChange)
  case fieldDidChange(FieldDidChangeNotification)
  case viewDidAppear
  case viewDidDisappear
  case transitionDidComplete(TransitionDidCompleteNotification)
  case activeDisplayModeDidChange(ActiveDisplayModeDidChangeNotification)
  case appearanceDidChange(AppearanceDidChangeNotification)
  case configurationDidChange(ConfigurationDidChangeNotification)
  case defaultsDidChange(DefaultsDidChangeNotification)
  case didReceiveNotification(DidReceiveNotificationNotification)
  case noticesDidChange
  case widgetDidBeginEditing
  case widgetDidEndEditing
  case hostDidBecomeActive
  case hostWillResignActive
  case hostDidEnterBackground
  case hostWillEnterForeground
  case expiringActivity(ExpiringActivityNotification)
  case handleEvents(HandleEventsForBackgroundURLSessionRequest)
  case transferDidProgress(TransferDidProgressNotification)
  case didReceiveMemoryWarning
  case clockDidChange(ClockDidChangeNotification)
  /// About the content of a share or action extension.
  case content(ContentMessage)
  case shutdown
  case activity(BeginExpiringActivityRequest.Reply, id: MessageID)
  case error(WireError, id: MessageID?)

  /// What a message is on the wire.
  package enum Form {
    case request(any RequestMessage, HostCall)
    case notification(any NotificationMessage)
    case answer(any Encodable, MessageID)
    case error(WireError, MessageID?)
  }

  package var form: Form {
    switch self {
    case .initialize(let request): .request(request, .initialize)
    case .widgetMarginInsets(let request): .request(request, .widgetMarginInsets)
    case .viewWillAppear(let request): .request(request, .viewWillAppear)
    case .viewWillDisappear: .request(ViewWillDisappearRequest(), .viewWillDisappear)
    case .widgetPerformUpdate(let reason):
      .request(WidgetPerformUpdateRequest(reason: reason), .widgetPerformUpdate(reason))
    case .viewWillTransitionToSize(let request):
      .request(request, .viewWillTransitionToSize(transition: request.transition))
    case .performAction(let request): .request(request, .performAction(request.action))
    case .list(let change): .request(change.request, .list(change))
    case .handleEvents(let request): .request(request, .handleEvents(request.identifier))
    case .fieldDidChange(let message): .notification(message)
    case .viewDidAppear: .notification(ViewDidAppearNotification())
    case .viewDidDisappear: .notification(ViewDidDisappearNotification())
    case .transitionDidComplete(let message): .notification(message)
    case .activeDisplayModeDidChange(let message): .notification(message)
    case .appearanceDidChange(let message): .notification(message)
    case .configurationDidChange(let message): .notification(message)
    case .defaultsDidChange(let message): .notification(message)
    case .didReceiveNotification(let message): .notification(message)
    case .noticesDidChange: .notification(NoticesDidChangeNotification())
    case .widgetDidBeginEditing: .notification(WidgetDidBeginEditingNotification())
    case .widgetDidEndEditing: .notification(WidgetDidEndEditingNotification())
    case .hostDidBecomeActive: .notification(HostDidBecomeActiveNotification())
    case .hostWillResignActive: .notification(HostWillResignActiveNotification())
    case .hostDidEnterBackground: .notification(HostDidEnterBackgroundNotification())
    case .hostWillEnterForeground: .notification(HostWillEnterForegroundNotification())
    case .transferDidProgress(let message): .notification(message)
    case .expiringActivity(let message): .notification(message)
    case .didReceiveMemoryWarning: .notification(DidReceiveMemoryWarningNotification())
    case .clockDidChange(let message): .notification(message)
    case .content(let message): message.form
    case .shutdown: .notification(ShutdownNotification())
    case .activity(let reply, let id): .answer(reply, id)
    case .error(let error, let id): .error(error, id)
    }
  }

  /// The method's name; nil for an answer.
  package var method: String? {
    switch form {
    case .request(let message, _): type(of: message).method
    case .notification(let message): type(of: message).method
    case .answer, .error: nil
    }
  }

  /// The line, with its end; `id` is the number of a request.
  func line(_ id: MessageID?) -> [UInt8] {
    switch form {
    case .request(let message, _):
      guard case .number(let id)? = id else { preconditionFailure("a request without a number") }
      return OutgoingLine.request(message, id: id)
    case .notification(let message): return OutgoingLine.notification(message)
    case .answer(let result, let id): return OutgoingLine.result(result, id: id)
    case .error(let error, let id): return OutgoingLine.error(error, id: id)
    }
  }

  /// Reads what another host has sent, as far as what answers in the place of a script knows it.
  init?(_ line: IncomingLine) {
    do throws(WireError) {
      switch line.kind {
      case .request(_, InitializeRequest.method):
        self = .initialize(try line.decode(InitializeRequest.self))
      case .request(_, ViewWillAppearRequest.method):
        self = .viewWillAppear(try line.decode(ViewWillAppearRequest.self))
      case .request(_, ViewWillTransitionToSizeRequest.method):
        self = .viewWillTransitionToSize(try line.decode(ViewWillTransitionToSizeRequest.self))
      case .request(_, WidgetPerformUpdateRequest.method):
        self = .widgetPerformUpdate(try line.decode(WidgetPerformUpdateRequest.self).reason)
      case .request(_, PerformActionRequest.method):
        self = .performAction(try line.decode(PerformActionRequest.self))
      case .notification(AppearanceDidChangeNotification.method):
        self = .appearanceDidChange(try line.decode(AppearanceDidChangeNotification.self))
      case .request, .notification, .result, .error: return nil
      }
    } catch {
      return nil
    }
  }

  /// The message as it is recorded: without the secrets among its settings.
  var recorded: HostMessage {
    switch self {
    case .initialize(var request):
      request.configuration = request.configuration?.redacted
      return .initialize(request)
    case .configurationDidChange(var message):
      message.configuration = message.configuration.redacted
      return .configurationDidChange(message)
    default: return self
    }
  }

  /// The settings that it has.
  package var configuration: WidgetConfiguration? {
    switch self {
    case .initialize(let request): request.configuration
    case .configurationDidChange(let message): message.configuration
    default: nil
    }
  }
}
