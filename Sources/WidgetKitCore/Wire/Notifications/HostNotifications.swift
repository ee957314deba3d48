/// The live view has appeared. `{"jsonrpc":"2.0","method":"viewDidAppear","params":{}}`
public struct ViewDidAppearNotification: NotificationMessage, Hashable {
  /// The method is `viewDidAppear`.
  public static let method = "viewDidAppear"
  /// Creates it.
  public init() {}
}

/// The view has disappeared. `{"jsonrpc":"2.0","method":"viewDidDisappear","params":{}}`
public struct ViewDidDisappearNotification: NotificationMessage, Hashable {
  /// The method is `viewDidDisappear`.
  public static let method = "viewDidDisappear"
  /// Creates it.
  public init() {}
}

/// A transition has ended; exactly once for each `viewWillTransitionToSize`.
///
/// `{"jsonrpc":"2.0","method":"transitionDidComplete","params":{"transition":3,"finished":true}}`
public struct TransitionDidCompleteNotification: NotificationMessage, Hashable {
  /// The method is `transitionDidComplete`.
  public static let method = "transitionDidComplete"

  /// The number of the transition.
  public var transition: Int
  /// False if another transition replaced it.
  public var finished: Bool

  /// Creates it.
  public init(transition: Int, finished: Bool) {
    self.transition = transition
    self.finished = finished
  }
}

/// The user selected “show more” or “show less”.
///
/// `{"jsonrpc":"2.0","method":"widgetActiveDisplayModeDidChange","params":{
/// "activeDisplayMode":"expanded","maximumSize":{"width":36,"height":200}}}`
public struct ActiveDisplayModeDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `widgetActiveDisplayModeDidChange`.
  public static let method = "widgetActiveDisplayModeDidChange"

  /// The current display mode.
  public var activeDisplayMode: DisplayMode
  /// The largest body in this mode.
  public var maximumSize: Size

  /// Creates it.
  public init(activeDisplayMode: DisplayMode, maximumSize: Size) {
    self.activeDisplayMode = activeDisplayMode
    self.maximumSize = maximumSize
  }
}

/// The colours of the page have changed: another theme, or another background of the terminal.
///
/// `{"jsonrpc":"2.0","method":"appearanceDidChange","params":{"appearance":{"colors":256,"dark":false}}}`
public struct AppearanceDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `appearanceDidChange`.
  public static let method = "appearanceDidChange"

  /// The colours that there are now.
  public var appearance: Appearance

  /// Creates it.
  public init(appearance: Appearance) {
    self.appearance = appearance
  }
}

/// The user has changed settings of the widget.
///
/// `{"jsonrpc":"2.0","method":"configurationDidChange","params":{"configuration":{"zones":["Asia/Tokyo"]}}}`
public struct ConfigurationDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `configurationDidChange`.
  public static let method = "configurationDidChange"

  /// All settings, also those that have not changed.
  public var configuration: WidgetConfiguration

  /// Creates it.
  public init(configuration: WidgetConfiguration) {
    self.configuration = configuration
  }
}

/// The time of an expiring activity has run out.
///
/// `{"jsonrpc":"2.0","method":"expiringActivity","params":{"activity":1,"expired":true}}`
public struct ExpiringActivityNotification: NotificationMessage, Hashable {
  /// The method is `expiringActivity`.
  public static let method = "expiringActivity"

  /// The number of the activity.
  public var activity: Int
  /// True: stop now.
  public var expired: Bool

  /// Creates it.
  public init(activity: Int, expired: Bool) {
    self.activity = activity
    self.expired = expired
  }
}

/// The widget is near its limit of memory.
///
/// `{"jsonrpc":"2.0","method":"didReceiveMemoryWarning","params":{}}`
public struct DidReceiveMemoryWarningNotification: NotificationMessage, Hashable {
  /// The method is `didReceiveMemoryWarning`.
  public static let method = "didReceiveMemoryWarning"
  /// Creates it.
  public init() {}
}

/// Exit within 2 s. `{"jsonrpc":"2.0","method":"shutdown","params":{}}`
public struct ShutdownNotification: NotificationMessage, Hashable {
  /// The method is `shutdown`.
  public static let method = "shutdown"
  /// Creates it.
  public init() {}
}
