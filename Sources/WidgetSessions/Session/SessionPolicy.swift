package import WidgetKitCore

/// Deadlines of one session.
public struct SessionPolicy: Hashable, Sendable {
  /// For the answer to `initialize`.
  public var initialize: Duration = .seconds(5)
  /// For the margins, before the first layout.
  public var widgetMarginInsets: Duration = .seconds(1)
  /// For the view to be up; after it the host goes on.
  public var viewWillAppear: Duration = .seconds(1)
  /// To save state.
  public var viewWillDisappear: Duration = .seconds(2)
  /// For an update; after it the update has failed.
  public var widgetPerformUpdate: Duration = .seconds(30)
  /// For the answer to a request without a limit of its own.
  public var answer: Duration = .seconds(30)
  /// To exit after `shutdown`, before SIGTERM.
  public var shutdown: Duration = .seconds(2)
  /// To exit after SIGTERM, before SIGKILL.
  public var terminate: Duration = .seconds(1)
  /// From the moment at which a widget has nothing to do to its suspension.
  public var settling: Duration = .milliseconds(250)
  /// For what a widget began before its view disappeared.
  public var activityGrace: Duration = .seconds(30)
  /// After the widget was told that its time has run out.
  public var lastMoments: Duration = .seconds(1)
  /// For activities that are open when the host has ended.
  public var afterQuit: Duration = .seconds(10)
  /// How long a widget stays suspended before it is ended.
  public var idle: Duration = .seconds(600)
  /// Expiring activities of one widget at once.
  public var openActivities = 8
  /// Whether every expiring activity is refused, as when time is always short.
  public var deniesActivities = false
  /// Presses that wait for the live view or for their answer.
  public var openPresses = 8
  /// Invalid messages in a minute that are tolerated.
  public var protocolErrorsPerMinute = 10
  /// How a widget that fails is started again.
  public var restarts = RestartPolicy()

  /// Creates the protocol's own deadlines.
  public init() {}

  /// The deadlines of an extension point.
  package init(_ point: ExtensionPoint) {
    initialize = .seconds(point.secondsToInitialize)
    answer = .seconds(point.secondsToAnswer)
  }

  /// The deadlines while the host quits, which takes at most 2 s for all widgets in parallel.
  public static var quitting: SessionPolicy {
    var policy = SessionPolicy()
    policy.viewWillDisappear = .milliseconds(900)
    policy.shutdown = .milliseconds(600)
    policy.terminate = .milliseconds(300)
    return policy
  }

  /// For a widget under a debugger: it may take a day for every answer, and is not suspended meanwhile.
  public static var withoutDeadlines: SessionPolicy {
    var policy = SessionPolicy()
    let day = Duration.seconds(86_400)
    policy.initialize = day
    policy.widgetMarginInsets = day
    policy.viewWillAppear = day
    policy.viewWillDisappear = day
    policy.widgetPerformUpdate = day
    policy.settling = day
    policy.activityGrace = day
    return policy
  }

  /// How long something with a limit of its own may take.
  func limit(of deadline: SessionDeadline) -> Duration {
    switch deadline {
    case .initialize: initialize
    case .widgetMarginInsets: widgetMarginInsets
    case .viewWillAppear: viewWillAppear
    case .viewWillDisappear: viewWillDisappear
    case .widgetPerformUpdate: widgetPerformUpdate
    case .answer: answer
    case .shutdown: shutdown
    case .terminate: terminate
    case .suspension: settling
    case .restart: .zero
    }
  }

  /// The same, with no deadline of a quit longer than in ``quitting``.
  var shortenedForQuit: SessionPolicy {
    var policy = self
    policy.viewWillDisappear = min(viewWillDisappear, Self.quitting.viewWillDisappear)
    policy.shutdown = min(shutdown, Self.quitting.shutdown)
    policy.terminate = min(terminate, Self.quitting.terminate)
    return policy
  }
}
