import WidgetKitCore

/// The card that owns a ``CardPresses``.
protocol CardPressesOwner: AnyObject {
  /// Whether the card shows something other than the widget's own view, which is still expected.
  var awaitsLiveView: Bool { get }
  /// The pressable elements of the shown view.
  var targets: [PressTarget] { get }
  /// Delivers a press on an element of the card to the widget, or opens the element's link.
  func deliver(press: PressTarget)
  /// Called when the drawing of presses has changed.
  func pressesDidChange()
}

/// Delivers each press to the element that it was meant for, or drops it.
final class CardPresses {
  /// The message for a press that waits or was dropped, or nil.
  private(set) var cue: SafeText?
  /// When the user last pressed an element or changed the display mode.
  private(set) var last: ContinuousClock.Instant?

  private unowned let owner: any CardPressesOwner
  private let clock: any HostClock
  private let waitingLimit: Int
  /// Presses that wait for the live view.
  private var waiting: [PressTarget] = []
  /// The newest presses that were delivered, the last one at the end.
  private var delivered: [PressTarget] = []
  /// Elements whose presses have started commands, which still run.
  private(set) var pending: [PressTarget] = []
  /// Elements that were just pressed, and toggles until they show the result.
  private var shown = ShownPresses()
  private var timer: (any HostTimer)?

  /// The number of presses among which that of a command is looked for.
  private static let memory = 8

  /// Creates the presses of a card, of which `waitingLimit` may wait for its live view.
  init(owner: any CardPressesOwner, clock: any HostClock, waitingLimit: Int) {
    self.waitingLimit = waitingLimit
    self.owner = owner
    self.clock = clock
  }

  /// The elements that are drawn as pressed.
  var pressed: [PressTarget] { shown.pressed }

  /// Whether an answer to a press is expected soon.
  var isAwaited: Bool { shown.isAwaited }

  /// The toggles that are shown in another state than in the widget's view.
  var switched: [PressTarget] { shown.switched }

  /// Records that the user acted on the card.
  func note() {
    last = clock.now
  }

  /// Handles a press on an element as it was drawn.
  ///
  /// If there is no live view, the press waits for it. It is delivered to the same element of the view
  /// that is then shown; if there is none, the press is dropped and the heading says so.
  func press(_ target: PressTarget) {
    guard !owner.awaitsLiveView else {
      guard waiting.count < waitingLimit else { return drop() }
      waiting.append(target)
      say("waiting")
      return
    }
    let targets = owner.targets
    // A toggle that is pressed twice in the same picture has changed its state by the first press.
    let again = targets.first { $0.isSameElement(as: target) && shown.isSwitched($0) }
    guard let found = targets.match(target) ?? again else { return drop() }
    deliver(found)
  }

  /// Delivers a press on an element that the card has.
  func deliver(_ target: PressTarget) {
    note()
    cue = nil
    shown.begin(target, at: clock.now)
    show()
    delivered = delivered.suffix(Self.memory - 1) + [target]
    owner.deliver(press: target)
    owner.pressesDidChange()
  }

  /// Delivers the presses that waited for the live view.
  func deliverWaiting() {
    guard !waiting.isEmpty, !owner.awaitsLiveView else { return }
    let presses = waiting
    waiting = []
    for target in presses { press(target) }
  }

  /// Shows the result of a press on an element with this action.
  func ended(_ action: String, hasFailed: Bool) {
    shown.end(action: action, hasFailed: hasFailed)
    show()
    if hasFailed { say("press failed") }
  }

  /// A command has started because of a press on an element with an action that `isIts` accepts: the element
  /// has a mark until the command has ended.
  func commandDidBegin(_ isIts: (String) -> Bool) {
    guard let target = delivered.last(where: { $0.action.map(isIts) ?? false }) else { return }
    pending.append(target)
    owner.pressesDidChange()
  }

  /// The command of an action that `isIts` accepts has ended.
  func commandDidEnd(_ isIts: (String) -> Bool) {
    guard let index = pending.firstIndex(where: { $0.action.map(isIts) ?? false }) else { return }
    pending.remove(at: index)
    owner.pressesDidChange()
  }

  /// Drops all waiting presses and says so.
  func drop() {
    waiting = []
    say("press dropped")
  }

  /// Called when a new view has come, which shows the result of the answered presses.
  func viewDidCome() {
    shown.viewDidCome()
  }

  /// Removes the message about presses unless some are waiting.
  func clearCue() {
    if waiting.isEmpty { cue = nil }
  }

  /// Discards all presses because the process has ended.
  func processDidEnd() {
    if !waiting.isEmpty { drop() }
    shown = ShownPresses()
    show()
  }

  private func say(_ words: SafeText) {
    cue = words
    owner.pressesDidChange()
  }

  /// Draws the current presses, and draws again when the next one has been shown long enough.
  private func show() {
    timer?.cancel()
    let rest = shown.forget(at: clock.now)
    owner.pressesDidChange()
    timer = rest.map { rest in clock.schedule(after: rest) { [weak self] in self?.show() } }
  }
}
