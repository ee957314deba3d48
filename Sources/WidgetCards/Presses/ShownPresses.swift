import WidgetKitCore

/// Presses as the card shows them immediately, before the widget answers.
nonisolated struct ShownPresses {
  private struct Press {
    var target: PressTarget
    var start: ContinuousClock.Instant
    var isAnswered: Bool
  }

  private struct Switch {
    var target: PressTarget
    var isAnswered = false
  }

  private var presses: [Press] = []
  private var switches: [Switch] = []

  /// The shortest time for which a press is shown.
  private static let shortest: Duration = .milliseconds(150)
  /// The longest time for which an unanswered press is shown.
  private static let longest: Duration = .seconds(1)

  /// The elements that are drawn as pressed.
  var pressed: [PressTarget] { presses.map(\.target) }

  /// Whether the widget has not answered a press that is shown.
  var isAwaited: Bool { presses.contains { !$0.isAnswered } }

  /// The toggles that are shown in another state than in the widget's view, with that state.
  var switched: [PressTarget] { switches.map(\.target) }

  /// Whether a toggle is shown in a state that the widget has not confirmed.
  func isSwitched(_ target: PressTarget) -> Bool {
    switches.contains { $0.target.isSameElement(as: target) }
  }

  /// Records a press.
  mutating func begin(_ target: PressTarget, at now: ContinuousClock.Instant) {
    presses.append(Press(target: target, start: now, isAnswered: target.action == nil))
    guard target.newValue != nil else { return }
    switches.removeAll { $0.target.isSameElement(as: target) }
    switches.append(Switch(target: target))
  }

  /// Records an answer; after a failure, a toggle returns to its old state.
  mutating func end(action: String, hasFailed: Bool) {
    if let index = presses.firstIndex(where: { !$0.isAnswered && $0.target.action == action }) {
      presses[index].isAnswered = true
    }
    if hasFailed {
      switches.removeAll { $0.target.action == action }
    } else {
      for index in switches.indices where switches[index].target.action == action {
        switches[index].isAnswered = true
      }
    }
  }

  /// Handles a new view, which shows the result of the answered presses.
  mutating func viewDidCome() { switches.removeAll(where: \.isAnswered) }

  /// Removes presses that have been shown long enough; returns when to call it again.
  mutating func forget(at now: ContinuousClock.Instant) -> Duration? {
    func end(_ press: Press) -> ContinuousClock.Instant {
      press.start + (press.isAnswered ? Self.shortest : Self.longest)
    }
    presses.removeAll { end($0) <= now }
    return presses.map { now.duration(to: end($0)) }.min()
  }
}
