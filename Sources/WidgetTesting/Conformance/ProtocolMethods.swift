/// The methods of the protocol.
nonisolated enum ProtocolMethods {
  /// What a widget may list under `implements`.
  static let optional: Set<String> = [
    "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear",
    "widgetPerformUpdate", "viewWillTransitionToSize", "transitionDidComplete",
    "widgetMarginInsets", "widgetActiveDisplayModeDidChange", "performAction", "fieldDidChange",
    "listShouldRemoveRow", "listDidRemoveRow", "listDidMoveRow", "widgetListPerformAddAction",
    "appearanceDidChange", "clockDidChange", "configurationDidChange",
    "hostDidBecomeActive", "hostWillResignActive", "hostDidEnterBackground",
    "hostWillEnterForeground",
    "widgetDidBeginEditing", "widgetDidEndEditing", "didReceiveNotification", "expiringActivity",
    "handleEventsForBackgroundURLSession", "transferDidProgress", "defaultsDidChange",
    "noticesDidChange", "didReceiveMemoryWarning", "initialize", "shutdown",
  ]

  /// What a share or action extension may list under `implements`.
  static let ofRequests: Set<String> = [
    "viewWillAppear", "viewDidAppear", "presentationAnimationDidFinish", "contentDidChange",
    "configurationItemChosen", "didSelectPost", "didSelectCancel", "requestDidComplete",
    "loadProgress", "performAction", "fieldDidChange", "appearanceDidChange", "clockDidChange",
    "didReceiveNotification", "expiringActivity", "handleEventsForBackgroundURLSession",
    "transferDidProgress", "defaultsDidChange", "didReceiveMemoryWarning", "initialize", "shutdown",
  ]
}
