import WidgetExtensions
import WidgetKitCore

/// What the page has asked one process for, and what is not finished: presses, changes of lists, transitions.
struct OpenWork {
  /// Presses that are not answered.
  private var presses = 0
  /// Changes of lists that are not answered.
  private var changes = 0
  /// Transitions that the widget was told of, and of whose end it was not told.
  private var transitions: Set<Int> = []

  /// Whether nothing is open.
  var isEmpty: Bool { presses == 0 && changes == 0 && transitions.isEmpty }

  /// Sends a press; it is dropped if too many are not answered.
  mutating func press(_ press: PerformActionRequest, _ process: inout ProcessChannel) {
    guard process.sends(PerformActionRequest.method) else {
      return process.log("a press on “\(press.action)”, but performAction is not implemented")
    }
    guard presses < process.policy.openPresses else { return process.report(.pressDropped) }
    presses += 1
    process.send(.performAction(press))
  }

  /// A press was answered.
  mutating func pressEnded(
    _ action: String,
    _ reply: PerformActionRequest.Reply,
    _ process: inout ProcessChannel
  ) {
    let words = reply.error.flatMap { SafeText($0).isEmpty ? nil : $0 }
    let failure = reply.result == .failed ? words ?? "the widget reported a failure" : nil
    if let failure { process.log("performAction “\(action)”: \(failure)") }
    pressEnded(action, failure: failure, &process)
    process.apply(reply.content, .action)
  }

  /// A press was answered; `failure` is shown to the user.
  mutating func pressEnded(_ action: String, failure: String?, _ process: inout ProcessChannel) {
    presses = max(0, presses - 1)
    process.report(.pressEnded(action: action, failure: failure))
  }

  /// A press was answered with an error.
  mutating func pressEnded(_ action: String, _ error: WireError, _ process: inout ProcessChannel) {
    switch error.code {
    case .declined, .notPermitted:
      presses = max(0, presses - 1)
      let words = error.code == .declined ? nil : error.message
      process.report(.pressRefused(action: action, words: words))
    default: pressEnded(action, failure: error.message, &process)
    }
  }

  /// Tells the widget of a change of a list; it is not done if too many are not answered.
  mutating func change(_ change: ListChange, _ process: inout ProcessChannel) {
    guard process.sends(change.method) else {
      let words = "The widget does not implement \(change.method)."
      return process.report(.listEnded(change, .failed(words)))
    }
    guard changes < process.policy.openPresses else {
      return process.report(.listEnded(change, .failed("The widget has not answered yet.")))
    }
    changes += 1
    process.send(.list(change))
  }

  /// A change of a list was answered.
  mutating func changeEnded(
    _ change: ListChange,
    _ outcome: ListOutcome,
    _ process: inout ProcessChannel
  ) {
    changes = max(0, changes - 1)
    process.report(.listEnded(change, outcome))
  }

  /// Tells the widget of a transition.
  mutating func transition(
    _ request: ViewWillTransitionToSizeRequest,
    _ process: inout ProcessChannel
  ) {
    transitions.insert(request.transition)
    process.send(.viewWillTransitionToSize(request))
  }

  /// Tells the widget of the end of a transition, if it was told of the transition.
  mutating func transitionEnded(_ id: Int, finished: Bool, _ process: inout ProcessChannel) {
    guard transitions.remove(id) != nil else { return }
    process.tell(.transitionDidComplete(.init(transition: id, finished: finished)))
  }
}
