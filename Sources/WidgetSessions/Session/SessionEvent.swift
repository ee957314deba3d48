package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// What happens to a widget: by the page, by its process, or by the clock.
package enum SessionEvent: Sendable {
  // From the page.
  /// The card came on the screen.
  case appear(size: Size, animated: Bool)
  /// The card left the screen.
  case disappear
  /// The page asks for new data.
  case update(UpdateReason)
  /// A press on an element.
  case press(PerformActionRequest)
  /// The user removes, moves or adds a row.
  case list(ListChange)
  /// The user begins to edit the widget, or ends that.
  case edit(Bool)
  /// The user has typed in a field.
  case typed(FieldDidChangeNotification)
  /// The body is about to change its size.
  case transition(ViewWillTransitionToSizeRequest)
  /// A transition has ended.
  case transitionEnded(transition: Int, finished: Bool)
  /// The user chose show more or show less.
  case displayMode(DisplayMode, maximumSize: Size)
  /// The colours of the page have changed.
  case appearance(Appearance)
  /// A test refuses expiring activities from now on, or grants them again.
  case denyActivities(Bool)
  /// A test lets the time of all expiring activities run out.
  case expireActivities
  /// The user has changed settings of the widget.
  case configuration(WidgetConfiguration)
  /// Another process did something with data that the widget shares.
  case sharedData(SharedDataChange)
  /// The user asks a stopped widget to start again.
  case retry
  /// The host is about to be suspended itself.
  case pause
  /// The host is suspended now.
  case freeze
  /// The host continues; the view appears again if there is one to show.
  case unpause(showing: SessionDemand.View?)
  /// The page was hidden, is shown again, or has got or lost the focus; `showing` is the view that appears.
  case host(HostState, showing: SessionDemand.View?)
  /// An `openURL` was answered.
  case opened
  /// Transfers of the widget have ended.
  case transferEvents(HandleEventsForBackgroundURLSessionRequest)
  /// A transfer of the widget goes on.
  case transferProgress(TransferDidProgressNotification)
  /// The bundle or its program was changed since the last start.
  case bundleChanged
  /// A share or action extension is started for its request.
  case begin
  /// An extension without a card is asked something; it is started for the first question.
  case ask(HostMessage)
  /// An extension without a card is told something, if it listens to that.
  case tell(HostMessage)
  /// The host quits, or the request of an extension is over.
  case quit
  /// The host quits while it does not read the output of the widget.
  case quitWithoutNotice
  /// The process was passed on, and continues without the host.
  case left

  // From the process.
  /// The process runs; its first message can be sent.
  case launched(InitializeRequest)
  /// The process was not started, because something is missing that the user must set first.
  case launchWithheld(String)
  /// The process was started, and then it was found that something is missing.
  case withheld(String)
  /// The process could not be started.
  case launchFailed(String)
  /// An answer to a request of the host.
  case replied(HostReply)
  /// An answer to no open request: late, repeated, or with an unknown id.
  case strayReply
  /// A notification or a request of the widget.
  case received(WidgetMessage)
  /// A line that could not be read as a message; the answer has been sent.
  case badMessage(WireError)
  /// A limit was exceeded, and the widget is to be killed; the words are for the heading.
  case violation(String)
  /// The machine of the widget is away; the words are for the heading.
  case away(String)
  /// When it was suspended, the widget had an exclusive lock on this file of an app group.
  case heldLock(String)
  /// What its processes or its container use was measured.
  case found(ResourceFinding)
  /// The process has ended.
  case ended(TerminationStatus)

  // From the clock.
  /// The time of something has run out.
  case deadline(SessionDeadline)
}

/// What a session waits for, for a limited time.
package enum SessionDeadline: Hashable, Sendable, CaseIterable {
  case initialize
  case widgetMarginInsets
  case viewWillAppear
  case viewWillDisappear
  case widgetPerformUpdate
  /// The answer to a request without a limit of its own.
  case answer
  case shutdown
  case terminate
  case restart
  /// The present step on the way to suspension, or to termination after it.
  case suspension

  /// The deadlines of the widget's answers.
  static let answers: [SessionDeadline] = [
    .initialize, .widgetMarginInsets, .viewWillAppear, .viewWillDisappear, .widgetPerformUpdate,
    .answer,
  ]
}
