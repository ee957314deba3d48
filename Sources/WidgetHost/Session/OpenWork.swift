import WidgetKitCore

/// What one process was asked for or has asked for, and what is not finished: presses, transitions, URLs.
///
/// Parameters named `methods` are those that the widget can be sent.
nonisolated struct OpenWork {
  /// Presses that are not answered.
  private var presses = 0
  /// Changes of lists that are not answered.
  private var changes = 0
  /// Transitions that the widget was told of, and of whose end it was not told.
  private var transitions: Set<Int> = []
  /// URLs that the widget asked to open, and that were neither opened nor refused.
  private var urls = 0

  /// Events of transfers that are not answered.
  private var events = 0

  /// Whether nothing is open.
  var isEmpty: Bool { isWidgetIdle && urls == 0 && events == 0 }

  /// Whether the widget works on nothing: no press and no change of a list is unanswered, and no transition in progress.
  var isWidgetIdle: Bool { presses == 0 && changes == 0 && transitions.isEmpty }

  /// Sends a press; it is dropped if `limit` presses are not answered.
  mutating func press(
    _ press: PerformActionRequest,
    _ methods: Set<String>,
    limit: Int
  ) -> [SessionEffect] {
    guard methods.contains(PerformActionRequest.method) else {
      return [.log("a press on “\(press.action)”, but performAction is not implemented")]
    }
    guard presses < limit else { return [.pressDropped] }
    presses += 1
    return [.send(.performAction(press))]
  }

  /// A press was answered.
  mutating func pressEnded(
    _ action: String,
    _ reply: PerformActionRequest.Reply
  ) -> [SessionEffect] {
    let words = reply.error.flatMap { SafeText($0).isEmpty ? nil : $0 }
    let failure = reply.result == .failed ? words ?? "the widget reported a failure" : nil
    let log = failure.map { [SessionEffect.log("performAction “\(action)”: \($0)")] } ?? []
    return log + pressEnded(action, failure: failure) + reply.content.effects(.action)
  }

  /// A press was answered; `failure` is shown to the user.
  mutating func pressEnded(_ action: String, failure: String?) -> [SessionEffect] {
    presses = max(0, presses - 1)
    return [.pressEnded(action: action, failure: failure)]
  }

  /// Tells the widget of a change of a list; it is not done if `limit` of them are not answered.
  mutating func change(
    _ change: ListChange,
    _ methods: Set<String>,
    limit: Int
  ) -> [SessionEffect] {
    guard methods.contains(change.method) else {
      return [.listEnded(change, .failed("The widget does not implement \(change.method)."))]
    }
    guard changes < limit else {
      return [.listEnded(change, .failed("The widget has not answered yet."))]
    }
    changes += 1
    return [.send(.list(change))]
  }

  /// A change of a list was answered.
  mutating func changeEnded(_ change: ListChange, _ outcome: ListOutcome) -> [SessionEffect] {
    changes = max(0, changes - 1)
    return [.listEnded(change, outcome)]
  }

  /// Tells the widget of a transition.
  mutating func transition(_ request: ViewWillTransitionToSizeRequest) -> [SessionEffect] {
    transitions.insert(request.transition)
    return [.send(.viewWillTransitionToSize(request))]
  }

  /// Tells the widget of the end of a transition, if it was told of the transition.
  mutating func transitionEnded(
    _ id: Int,
    finished: Bool,
    _ methods: Set<String>
  ) -> [SessionEffect] {
    guard transitions.remove(id) != nil,
      methods.contains(TransitionDidCompleteNotification.method)
    else { return [] }
    return [.send(.transitionDidComplete(.init(transition: id, finished: finished)))]
  }

  /// Tells the widget of transfers that have ended.
  mutating func handleEvents(
    _ request: HandleEventsForBackgroundURLSessionRequest
  ) -> [SessionEffect] {
    events += 1
    return [.send(.handleEvents(request))]
  }

  /// The widget has answered to that.
  mutating func eventsHandled(_ identifier: String, refusal: WireError?) -> [SessionEffect] {
    events = max(0, events - 1)
    return [.card(.transferEventsHandled(identifier: identifier, refusal: refusal))]
  }

  /// The widget asks to open a URL.
  mutating func open(url: String, id: MessageID?) -> [SessionEffect] {
    urls += 1
    return [.open(url: url, id: id)]
  }

  /// A URL was opened or refused.
  mutating func opened() {
    urls = max(0, urls - 1)
  }
}
