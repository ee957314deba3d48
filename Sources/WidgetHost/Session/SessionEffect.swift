import WidgetKitCore

/// What is to be done about an event: something with the widget's process, or with its card.
nonisolated enum SessionEffect: Hashable, Sendable {
  /// Done by ``WidgetSession``.
  case process(ProcessEffect)
  /// Done by the owner of the card.
  case card(CardEffect)
}

/// What a session does with its process, its timers and its log.
nonisolated enum ProcessEffect: Hashable, Sendable {
  /// Start the program.
  case launch(LaunchReason)
  /// Send a message.
  case send(HostMessage)
  /// Send a signal to the process group.
  case signal(ProcessSignal)
  /// Stop the process group, unless it holds a lock that others need.
  case suspend
  /// Close standard input after what is still to be sent.
  case closeInput
  /// Set a deadline, or set it anew.
  case arm(SessionDeadline, Duration)
  /// Cancel a deadline.
  case disarm(SessionDeadline)
  /// Write a line to the widget's log; one that is kept says why a run ended, and counts for no limit.
  case log(String, isKept: Bool = false)
}

/// What a session reports to the owner of its card.
nonisolated enum CardEffect: Hashable, Sendable {
  /// Show other content.
  case apply(ContentUpdate, ContentSource)
  /// The live view has replaced the snapshot.
  case becameLive
  /// The view has left the screen; this is its last picture.
  case disappeared
  /// The process was stopped.
  case suspended
  /// Show the widget's state in the heading; nil: nothing is wrong.
  case health(CardState, message: String?)
  /// The margins that the widget would like.
  case marginInsets(EdgeInsets)
  /// The tallest form that the widget offers.
  case largestDisplayMode(DisplayMode)
  /// What a transition animates alongside; nil where the widget answered without.
  case alongside(transition: Int, ViewNode?)
  /// An update has ended.
  case updateEnded(UpdateOutcome)
  /// Open a URL, and answer with the result.
  case open(url: String, id: MessageID)
  /// Show or hide a card, the widget's own or one of its app, and answer.
  case hasContent(SetHasContentRequest, id: MessageID)
  /// A press could not be delivered.
  case pressDropped
  /// The widget has answered a press on an element with this action; nil: without a failure.
  case pressEnded(action: String, failure: String?)
  /// The process has ended, and no other one will be started.
  case finished
}

/// The effects without `process` and `card`, so that a list of them is short.
nonisolated extension SessionEffect {
  static func launch(_ reason: LaunchReason) -> Self { .process(.launch(reason)) }
  static func send(_ message: HostMessage) -> Self { .process(.send(message)) }
  static func signal(_ signal: ProcessSignal) -> Self { .process(.signal(signal)) }
  static var suspend: Self { .process(.suspend) }
  static var closeInput: Self { .process(.closeInput) }
  static func arm(_ deadline: SessionDeadline, _ delay: Duration) -> Self {
    .process(.arm(deadline, delay))
  }
  static func disarm(_ deadline: SessionDeadline) -> Self { .process(.disarm(deadline)) }
  static func log(_ text: String, isKept: Bool = false) -> Self {
    .process(.log(text, isKept: isKept))
  }
  /// Notes a missing answer, and its most frequent cause.
  static func log(noAnswer method: String, _ limit: Duration) -> Self {
    .log(
      "no answer to \(method) in \(limit.components.seconds) s; standard output may be buffered: "
        + "flush it after each line"
    )
  }

  static func apply(_ content: ContentUpdate, _ source: ContentSource) -> Self {
    .card(.apply(content, source))
  }
  static var becameLive: Self { .card(.becameLive) }
  static var disappeared: Self { .card(.disappeared) }
  static func health(_ state: CardState, message: String?) -> Self {
    .card(.health(state, message: message))
  }
  static func marginInsets(_ insets: EdgeInsets) -> Self { .card(.marginInsets(insets)) }
  static func largestDisplayMode(_ mode: DisplayMode) -> Self { .card(.largestDisplayMode(mode)) }
  static func alongside(transition: Int, _ view: ViewNode?) -> Self {
    .card(.alongside(transition: transition, view))
  }
  static func updateEnded(_ outcome: UpdateOutcome) -> Self { .card(.updateEnded(outcome)) }
  static func open(url: String, id: MessageID) -> Self { .card(.open(url: url, id: id)) }
  static func hasContent(_ request: SetHasContentRequest, id: MessageID) -> Self {
    .card(.hasContent(request, id: id))
  }
  static var pressDropped: Self { .card(.pressDropped) }
  static func pressEnded(action: String, failure: String?) -> Self {
    .card(.pressEnded(action: action, failure: failure))
  }
  static var finished: Self { .card(.finished) }
}

nonisolated extension SessionEffect {
  /// Whether a widget must run to receive it; SIGKILL also ends a suspended process.
  var needsRunningWidget: Bool {
    switch self {
    case .process(.send), .process(.closeInput), .process(.signal(.terminate)): true
    case .process, .card: false
    }
  }
}

nonisolated extension ContentUpdate {
  /// Shows the content, if there is any.
  func effects(_ source: ContentSource) -> [SessionEffect] {
    isEmpty ? [] : [.apply(self, source)]
  }
}

nonisolated extension PreferredContentSize {
  /// The size as it is stated in an update of content; without a height, the widget takes it back.
  var stated: Stated<PreferredContentSize> { height == nil ? .null : .value(self) }
}
