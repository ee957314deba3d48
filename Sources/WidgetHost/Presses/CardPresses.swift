import WidgetKitCore

/// The card whose elements are pressed.
protocol CardPressesOwner: AnyObject {
  /// Whether what the card shows is not the widget's own view, which is on its way.
  var awaitsLiveView: Bool { get }
  /// The elements of what the card shows.
  var targets: [PressTarget] { get }
  /// Gives a press on an element that the card has to the widget, or opens its link.
  func deliver(press: PressTarget)
  /// Something that is drawn of presses is different.
  func pressesDidChange()
}

/// What becomes of a press: it is delivered to the element that it was meant for, or to none.
///
/// A class because its timer calls it back.
final class CardPresses {
  /// The words for a press that waits or was dropped; nil where nothing is to be said.
  private(set) var cue: SafeText?
  /// When something was pressed last, or the display mode was changed by a person.
  private(set) var last: ContinuousClock.Instant?

  private unowned let owner: any CardPressesOwner
  private let clock: any HostClock
  private let waitingLimit: Int
  /// Presses that wait for the live view.
  private var waiting: [PressTarget] = []
  /// What was pressed a moment ago, and toggles until they show what came of it.
  private var shown = ShownPresses()
  private var timer: (any HostTimer)?

  /// Creates the presses of a card, of which `waitingLimit` may wait for its live view.
  init(owner: any CardPressesOwner, clock: any HostClock, waitingLimit: Int) {
    self.waitingLimit = waitingLimit
    self.owner = owner
    self.clock = clock
  }

  /// What looks pressed.
  var pressed: [PressTarget] { shown.pressed }

  /// The toggles that are shown in another state than the widget's view has.
  var switched: [PressTarget] { shown.switched }

  /// Whether a person did something on the card within the last while.
  func isRecent(within time: Duration) -> Bool {
    last.map { $0.duration(to: clock.now) < time } ?? false
  }

  /// Notes that a person did something on the card.
  func note() {
    last = clock.now
  }

  /// Takes a press on an element as it was drawn.
  ///
  /// While there is no live view it waits for that. It goes to the same element of the view that is
  /// there then; where there is none, it is dropped and the heading says so.
  func press(_ target: PressTarget) {
    guard !owner.awaitsLiveView else {
      guard waiting.count < waitingLimit else { return drop() }
      waiting.append(target)
      say("waiting")
      return
    }
    let targets = owner.targets
    // A toggle that was pressed twice on one picture is in another state by now, by its own press.
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
    owner.deliver(press: target)
    owner.pressesDidChange()
  }

  /// Delivers what waited for the live view, once that is there.
  func deliverWaiting() {
    guard !waiting.isEmpty, !owner.awaitsLiveView else { return }
    let presses = waiting
    waiting = []
    for target in presses { press(target) }
  }

  /// Shows what came of a press on an element with this action.
  func ended(_ action: String, hasFailed: Bool) {
    shown.end(action: action, hasFailed: hasFailed)
    show()
    if hasFailed { say("press failed") }
  }

  /// Says that a press came to nothing, with all that waited.
  func drop() {
    waiting = []
    say("press dropped")
  }

  /// A new view has come, which shows what came of the presses that were answered.
  func viewDidCome() {
    shown.viewDidCome()
  }

  /// Says nothing of presses any more, unless some wait.
  func clearCue() {
    if waiting.isEmpty { cue = nil }
  }

  /// The process is gone, and with it what was pressed.
  func processDidEnd() {
    if !waiting.isEmpty { drop() }
    shown = ShownPresses()
    show()
  }

  private func say(_ words: SafeText) {
    cue = words
    owner.pressesDidChange()
  }

  /// Draws presses as they are now, and again when the next one has been shown for long enough.
  private func show() {
    timer?.cancel()
    let rest = shown.forget(at: clock.now)
    owner.pressesDidChange()
    timer = rest.map { rest in clock.schedule(after: rest) { [weak self] in self?.show() } }
  }
}
