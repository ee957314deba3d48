package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// What is to be done after an event: with the widget's process, or with its card.
package enum SessionEffect: Hashable, Sendable {
  /// Done by ``ExtensionSession``.
  case process(ProcessEffect)
  /// Done by the owner of the session's card.
  case card(CardReport)
}

/// What a session does with its process, its timers and its log.
package enum ProcessEffect: Hashable, Sendable {
  /// Start the program.
  case launch(LaunchReason)
  /// Send a message.
  case send(HostMessage)
  /// Send a signal to the process group.
  case signal(ProcessSignal)
  /// Stop the process group, unless it holds a lock that others need.
  case suspend
  /// Close standard input when everything was sent.
  case closeInput
  /// Set a deadline, or set it again.
  case arm(SessionDeadline, Duration)
  /// Cancel a deadline.
  case disarm(SessionDeadline)
  /// Perform a request, and answer it if it has an identifier.
  case perform(ServiceRequest, id: MessageID?)
  /// Write a line to the widget's log; one that is kept is the reason of an end, and is never dropped.
  case log(String, isKept: Bool = false)
}

/// What a session reports to the owner of its card.
package enum CardReport: Hashable, Sendable {
  /// Show other content.
  case apply(ContentUpdate, ContentSource)
  /// The live view has replaced the snapshot.
  case becameLive
  /// The view has left the screen; the content of the card is its last one.
  case disappeared
  /// The process was suspended.
  case suspended
  /// Show the widget's state in the heading; the message is nil if nothing is wrong.
  case health(CardStatus, message: String?)
  /// The margins that the widget asks for.
  case marginInsets(EdgeInsets)
  /// The largest display mode that the widget offers.
  case largestDisplayMode(DisplayMode)
  /// The view that a transition animates to; nil if the widget has answered without one.
  case alongside(transition: Int, ViewNode?)
  /// An update has ended.
  case updateEnded(CompletedUpdate)
  /// Open a URL, and answer with the result.
  case open(url: String, id: MessageID?)
  /// The widget has answered to the events of a session; `refusal` is nil if it has taken them.
  case transferEventsHandled(identifier: String, refusal: WireError?)
  /// A press could not be delivered.
  case pressDropped
  /// The widget has answered a press on an element with this action; `failure` is nil if it succeeded.
  case pressEnded(action: String, failure: String?)
  /// What a press on an element with this action asks for was not permitted, or not wanted after all, so that nothing
  /// has failed; `words` say why, nil if the user knows.
  case pressRefused(action: String, words: String?)
  /// The widget has answered to a change of a list, or could not be asked.
  case listEnded(ListChange, ListOutcome)
  /// The user has begun to edit the widget, or does not edit it any more.
  case edited(Bool)
  /// An extension without a card has answered what it was asked, or has not.
  case answered(HostReply)
  /// A share or action extension has sent something about its request; nil for a notification.
  case content(ContentRequest, id: MessageID?)
  /// The host quits, and nothing but activities is to be waited for.
  case leaving
  /// The process of a request has ended without being told to, or was not started, for this reason.
  case requestFailed(String)
  /// The process has ended, and no other one will be started.
  case finished
}

/// The effects on the process without `process`, so that a list of them is short.
extension SessionEffect {
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
}

extension PreferredContentSize {
  /// The size as it is stated in an update of content; without a height, the widget takes it back.
  var stated: Stated<PreferredContentSize> { height == nil ? .null : .value(self) }
}
