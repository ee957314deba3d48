import WidgetKitCore

/// Presses as the card shows them: at once, before the widget has said anything to them.
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

  /// How long a press is shown at least.
  private static let shortest: Duration = .milliseconds(150)
  /// How long a press is shown that is not answered.
  private static let longest: Duration = .seconds(1)

  /// What looks pressed.
  var pressed: [PressTarget] { presses.map(\.target) }

  /// The toggles that are shown in another state than the widget's view has, with that state.
  var switched: [PressTarget] { switches.map(\.target) }

  /// Whether a toggle is shown in a state that the widget has not confirmed.
  func isSwitched(_ target: PressTarget) -> Bool {
    switches.contains { $0.target.isSameElement(as: target) }
  }

  /// Notes a press.
  mutating func begin(_ target: PressTarget, at now: ContinuousClock.Instant) {
    presses.append(Press(target: target, start: now, isAnswered: target.action == nil))
    guard target.newValue != nil else { return }
    switches.removeAll { $0.target.isSameElement(as: target) }
    switches.append(Switch(target: target))
  }

  /// Notes an answer; after a failure a toggle is in its old state again.
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

  /// Notes a new view, which shows what came of the presses that were answered.
  mutating func viewDidCome() { switches.removeAll(where: \.isAnswered) }

  /// Forgets what has been shown for long enough; returns when there is more to forget.
  mutating func forget(at now: ContinuousClock.Instant) -> Duration? {
    func end(_ press: Press) -> ContinuousClock.Instant {
      press.start + (press.isAnswered ? Self.shortest : Self.longest)
    }
    presses.removeAll { end($0) <= now }
    return presses.map { now.duration(to: end($0)) }.min()
  }
}
