import WidgetKitCore

/// What happens to a widget, from any side.
nonisolated enum SessionEvent: Sendable {
  // From the page.
  /// The card came on the screen.
  case appear(size: Size, animated: Bool)
  /// The card left the screen.
  case disappear
  /// New data is wanted.
  case update(UpdateReason)
  /// A press on an element.
  case press(PerformActionRequest)
  /// The body is about to get another size.
  case transition(ViewWillTransitionToSizeRequest)
  /// A transition has ended.
  case transitionEnded(transition: Int, finished: Bool)
  /// The user chose show more or show less.
  case displayMode(DisplayMode, maximumSize: Size)
  /// The user asks a stopped widget to start again.
  case retry
  /// The host is about to be suspended itself.
  case pause
  /// The host is suspended at once.
  case freeze
  /// The host goes on.
  case unpause
  /// An `openURL` was answered.
  case opened
  /// The bundle is another one than that which was started last.
  case bundleChanged
  /// The host ends.
  case quit
  /// The host ends while it holds the widget's output back.
  case quitWithoutNotice

  // From the process.
  /// The process runs; its first message can be sent.
  case launched(InitializeRequest)
  /// The process could not be started.
  case launchFailed(String)
  /// An answer to a request of the host.
  case replied(HostReply)
  /// An answer that nobody waits for: late, double, or with an id that was never used.
  case strayReply
  /// A notification or a request of the widget.
  case received(WidgetMessage)
  /// A line that could not be read as a message; the answer has been sent.
  case badMessage(WireError)
  /// A limit was passed that ends the widget, in the heading's words.
  case violation(String)
  /// On being suspended the widget held an exclusive lock on this file of a group.
  case heldLock(String)
  /// What its processes or its container use was measured.
  case found(ResourceFinding)
  /// The process has ended.
  case ended(TerminationStatus)

  // From the clock.
  /// The time of something has run out.
  case deadline(SessionDeadline)
}

/// What a session waits for with a bound.
nonisolated enum SessionDeadline: Hashable, Sendable, CaseIterable {
  case initialize
  case widgetMarginInsets
  case viewWillAppear
  case viewWillDisappear
  case widgetPerformUpdate
  case shutdown
  case terminate
  case restart
  /// The present step on the way to suspension, or to termination after it.
  case suspension
  /// Open activities, when the host quits.
  case lastMoments

  /// The deadlines of the widget's answers.
  static let answers: [SessionDeadline] = [
    .initialize, .widgetMarginInsets, .viewWillAppear, .viewWillDisappear, .widgetPerformUpdate,
  ]
}
