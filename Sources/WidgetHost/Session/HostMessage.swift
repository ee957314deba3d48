import WidgetKitCore

/// A message from the host to the widget.
nonisolated enum HostMessage: Hashable, Sendable {
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
  case shutdown
  case activity(BeginExpiringActivityRequest.Reply, id: MessageID)
  case error(WireError, id: MessageID?)
}
