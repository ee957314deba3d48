import WidgetKitCore

/// What is to be done about an event; carried out by ``WidgetSession`` and the center.
nonisolated enum SessionEffect: Hashable, Sendable {
  // To the process.
  /// Start the program.
  case launch(LaunchReason)
  /// Send a message.
  case send(HostMessage)
  /// Send a signal to the process group.
  case signal(ProcessSignal)
  /// Stop the process group, unless it holds a lock that others need.
  case suspend
  /// Close standard input behind what is still to be sent.
  case closeInput
  /// Begin to wait, or wait anew.
  case arm(SessionDeadline, Duration)
  /// Stop waiting.
  case disarm(SessionDeadline)

  // To the card.
  /// Show other content.
  case apply(ContentUpdate, ContentSource)
  /// The live view has taken the snapshot's place.
  case becameLive
  /// The view has left the screen; this is its last picture.
  case disappeared
  /// Say in the heading how it goes; nil: nothing is wrong.
  case health(CardState, message: String?)
  /// The margins that the widget would like.
  case marginInsets(EdgeInsets)
  /// The tallest form that the widget offers.
  case largestDisplayMode(DisplayMode)
  /// What a transition animates alongside; nil where the widget answered without.
  case alongside(transition: Int, ViewNode?)
  /// An update has ended.
  case updateEnded(UpdateOutcome)
  /// Open a URL and answer with what came of it.
  case open(url: String, id: MessageID)
  /// Show or hide a card, the widget's own or one of its app, and answer.
  case hasContent(SetHasContentRequest, id: MessageID)
  /// A press could not be delivered.
  case pressDropped
  /// The widget has answered a press on something with this action; nil: without a failure.
  case pressEnded(action: String, failure: String?)
  /// A line for the widget's log; one that is kept says why a run ended, and counts for no limit.
  case log(String, isKept: Bool = false)
  /// The process is gone and nothing will come of it any more.
  case finished
}

/// Where content comes from.
nonisolated enum ContentSource: Hashable, Sendable {
  /// It came with the launch or the appearance: the state that the widget was left in.
  case appearance
  /// An update said newData.
  case update
  /// The widget pushed it.
  case push
  /// It answered a press.
  case action
  /// It is what the widget leaves behind.
  case disappearance

  /// Whether it came with the card's coming or going.
  var isAppearance: Bool { self == .appearance || self == .disappearance }
}

/// A message from the host to the widget.
nonisolated enum HostMessage: Hashable, Sendable {
  case initialize(InitializeRequest)
  case widgetMarginInsets(WidgetMarginInsetsRequest)
  case viewWillAppear(ViewWillAppearRequest)
  case viewWillDisappear
  case widgetPerformUpdate(UpdateReason)
  case viewWillTransitionToSize(ViewWillTransitionToSizeRequest)
  case performAction(PerformActionRequest)
  case viewDidAppear
  case viewDidDisappear
  case transitionDidComplete(TransitionDidCompleteNotification)
  case activeDisplayModeDidChange(ActiveDisplayModeDidChangeNotification)
  case expiringActivity(ExpiringActivityNotification)
  case didReceiveMemoryWarning
  case shutdown
  case activity(BeginExpiringActivityRequest.Reply, id: MessageID)
  case error(WireError, id: MessageID?)
}
