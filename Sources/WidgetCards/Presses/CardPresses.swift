import WidgetKitCore

/// The presses on a card: each is delivered to the element that it was meant for, or dropped.
package struct CardPresses {
  /// The message for a press that waits or was dropped, or nil.
  private(set) var cue: SafeText?
  /// When the user last pressed an element or changed the display mode.
  private(set) var last: ContinuousClock.Instant?
  /// Elements whose presses have started commands, which still run.
  private(set) var pending: [PressTarget] = []
  /// When ``wake(at:)`` is to be called, because a press has been shown long enough.
  private(set) var due: ContinuousClock.Instant?

  private let waitingLimit: Int
  /// Presses that wait for the live view.
  private var waiting: [PressTarget] = []
  /// The newest presses that were delivered, the last one at the end.
  private var delivered: [PressTarget] = []
  /// Elements that were just pressed, and toggles until they show the result.
  private var shown = ShownPresses()

  /// The number of presses among which that of a command is looked for.
  private static let memory = 8
  /// How long after a press what the widget sends is taken for the result.
  private static let resultTime: Duration = .seconds(10)

  /// Creates the presses of a card, of which `waitingLimit` may wait for its live view.
  init(waitingLimit: Int) {
    self.waitingLimit = waitingLimit
  }

  /// The elements that are drawn as pressed.
  var pressed: [PressTarget] { shown.pressed }

  /// Whether an answer to a press is expected soon.
  package var isAwaited: Bool { shown.isAwaited }

  /// The toggles that are shown in another state than in the widget's view.
  var switched: [PressTarget] { shown.switched }

  /// The time since the user acted on the card; nil if the user has not.
  func age(at now: ContinuousClock.Instant) -> Duration? { last.map { $0.duration(to: now) } }

  /// Whether the user has pressed something so lately that what the widget sends may be the result.
  func isRecent(at now: ContinuousClock.Instant) -> Bool {
    age(at: now).map { $0 < Self.resultTime } ?? false
  }

  /// Records that the user acted on the card.
  mutating func note(at now: ContinuousClock.Instant) {
    last = now
  }

  /// Keeps a press on an element as it was drawn until there is a live view; it is delivered to the same element
  /// of that view.
  mutating func wait(_ target: PressTarget) {
    guard waiting.count < waitingLimit else { return drop() }
    waiting.append(target)
    cue = "waiting"
  }

  /// Returns the element of the live view, of which `targets` are the elements, for a press on an element as it
  /// was drawn; nil if there is none, so that the press is to be dropped.
  func element(for target: PressTarget, in targets: [PressTarget]) -> PressTarget? {
    // A toggle that is pressed twice in the same picture has changed its state by the first press.
    targets.match(target)
      ?? targets.first { $0.isSameElement(as: target) && shown.isSwitched($0) }
  }

  /// Shows a press on an element that the card has, and that is delivered.
  mutating func begin(_ target: PressTarget, at now: ContinuousClock.Instant) {
    note(at: now)
    cue = nil
    shown.begin(target, at: now)
    wake(at: now)
    delivered = delivered.suffix(Self.memory - 1) + [target]
  }

  /// Hands out the presses that waited for the live view.
  mutating func takeWaiting() -> [PressTarget] {
    defer { waiting = [] }
    return waiting
  }

  /// What came of a press.
  enum End {
    case done
    case failed
    /// It was not permitted, or the user has declined it: nothing has failed, and nothing was done.
    case refused
  }

  /// Shows the result of a press on an element with this action.
  mutating func ended(_ action: String, _ end: End, at now: ContinuousClock.Instant) {
    shown.end(action: action, hasFailed: end != .done)
    wake(at: now)
    if end == .failed { cue = "press failed" }
  }

  /// A command of an action that `isIts` accepts has started because of a press on an element, which has a mark
  /// until the command has ended.
  ///
  /// - Returns: Whether there is such an element.
  mutating func setCommand(isRunning: Bool, _ isIts: (String) -> Bool) -> Bool {
    if isRunning {
      guard let target = delivered.last(where: { $0.action.map(isIts) ?? false }) else {
        return false
      }
      pending.append(target)
    } else {
      guard let index = pending.firstIndex(where: { $0.action.map(isIts) ?? false }) else {
        return false
      }
      pending.remove(at: index)
    }
    return true
  }

  /// Drops all waiting presses and says so.
  mutating func drop() {
    waiting = []
    cue = "press dropped"
  }

  /// A new view has come, which shows the result of the answered presses.
  mutating func viewDidCome() {
    shown.viewDidCome()
  }

  /// Removes the message about presses unless some are waiting.
  mutating func clearCue() {
    if waiting.isEmpty { cue = nil }
  }

  /// Discards all presses because the process has ended.
  mutating func processDidEnd() {
    if !waiting.isEmpty { drop() }
    shown = ShownPresses()
    due = nil
  }

  /// Does not show presses any longer that have been shown long enough.
  mutating func wake(at now: ContinuousClock.Instant) {
    due = shown.forget(at: now).map { now + $0 }
  }
}
