import WidgetKitCore
import WidgetSessions

/// The widget of a card: what its process is doing and has shown so far, and whether its view is on the screen.
package struct CardWidget {
  /// The bundle, or nil while the card is drawn only from its snapshot.
  var bundle: WidgetBundle?
  package var session = SessionFacts()
  /// Whether a row of the card is on the page, as far as that is not hidden.
  private(set) var isOnPage = false
  /// Whether the page is shown, and has the focus.
  private(set) var host = HostState.active
  /// Whether the live view of the present process has replaced the snapshot.
  private(set) var hasAppeared = false
  /// Whether the process has ended for good, so that a page that closes need not wait for it.
  private(set) var isFinished = false
  /// Whether the process has shown a view of its own, as opposed to a snapshot of an earlier one.
  package private(set) var hasOwnView = false
  /// Whether the process has set the forms that it offers.
  private(set) var hasStatedForms = false

  /// Whether the first view of a process without updates is waited for, as on a printed page.
  private let awaitsFirstViews: Bool
  /// Until when the first view is waited for; nil if the wait has not been requested.
  private var firstViewDeadline: ContinuousClock.Instant?
  private var hasWaitedForFirstView = false
  /// When the view is told to disappear.
  private var disappearance: ContinuousClock.Instant?

  /// How long a card may be off the screen before its view is told to disappear.
  private static let offScreenPatience: Duration = .seconds(5)
  /// How long a process whose answers contain no view has to push its first one.
  private static let firstViewPatience: Duration = .seconds(1)

  init(awaitsFirstViews: Bool) {
    self.awaitsFirstViews = awaitsFirstViews
  }

  // MARK: - Time

  /// When ``wake(at:)`` is to be called.
  var due: ContinuousClock.Instant? {
    [firstViewDeadline, disappearance].compactMap(\.self).min()
  }

  /// Does what is due; returns whether the view disappears.
  mutating func wake(at now: ContinuousClock.Instant) -> Bool {
    if let deadline = firstViewDeadline, deadline <= now {
      (firstViewDeadline, hasWaitedForFirstView) = (nil, true)
    }
    guard let disappearance, disappearance <= now else { return false }
    self.disappearance = nil
    return true
  }

  // MARK: - Appearing and disappearing

  /// Whether a row of the card is on the screen.
  package var isVisible: Bool { isOnPage && host != .background }

  /// Sets whether a row of the card is on the page, and returns what the session is told; a view that is off it
  /// for some time is told to disappear.
  mutating func setOnPage(
    _ isOnPage: Bool,
    size: Size,
    at now: ContinuousClock.Instant
  ) -> SessionEvent? {
    self.isOnPage = isOnPage
    disappearance = isOnPage || host == .background ? nil : now + Self.offScreenPatience
    return isOnPage && host != .background ? .appear(size: size, animated: false) : nil
  }

  /// Sets whether the page is shown, and has the focus, and returns what the session is told; the view disappears
  /// at once when the page is hidden, and appears when it is shown again.
  mutating func setHost(_ state: HostState, size: Size) -> SessionEvent? {
    guard state != host else { return nil }
    let wasHidden = host == .background
    host = state
    if state == .background { disappearance = nil }
    return .host(state, showing: wasHidden ? viewToShow(size) : nil)
  }

  /// The view that appears when the page is shown.
  func viewToShow(_ size: Size) -> SessionDemand.View? {
    isVisible ? SessionDemand.View(size: size, isAnimated: false) : nil
  }

  /// The view does not disappear by itself, as the host is about to be suspended.
  mutating func pause() { disappearance = nil }

  /// The live view has replaced the snapshot.
  mutating func viewDidAppear() { hasAppeared = true }

  // MARK: - The present process

  /// A process starts.
  mutating func processDidBegin() {
    (hasOwnView, hasStatedForms) = (false, false)
    (firstViewDeadline, hasWaitedForFirstView) = (nil, false)
  }

  /// The process has shown a view of its own.
  mutating func ownViewDidCome() { hasOwnView = true }

  /// The process has set the forms that it offers.
  mutating func formsWereStated() { hasStatedForms = true }

  /// The process has ended, so that the card shows the last content.
  mutating func processDidEnd() { hasAppeared = false }

  /// The widget is to be ended.
  mutating func quit() {
    isFinished = bundle == nil
    (firstViewDeadline, disappearance) = (nil, nil)
  }

  /// The process has ended and no other one will be started.
  mutating func didFinish() { isFinished = true }

  // MARK: - What is known

  /// Whether the process runs and has been initialized.
  var isRunning: Bool { session.phase == .running }

  /// The optional methods of the process; none while it does not run.
  var implemented: Set<String> { isRunning ? session.implements : [] }

  /// Whether the process has failed, and is started again later or not at all.
  package var isHeldBack: Bool { session.phase == .pausing || session.phase == .stopped }

  /// Whether no answer or update of the widget is pending.
  var isSettled: Bool {
    guard bundle != nil else { return true }
    switch session.phase {
    case .pausing, .stopped: return true
    case .idle: return !isVisible && session.nextUpdate == nil
    case .initializing, .ending: return false
    case .running:
      return (session.appearance == .on || !isVisible) && !hasUpdate
    }
  }

  /// Whether the process may still push its first view, for which a printed page waits.
  ///
  /// The wait begins with the first call.
  mutating func awaitsFirstView(hasContent: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard awaitsFirstViews, !hasOwnView, !hasWaitedForFirstView, let takesUpdates,
      !hasContent || !takesUpdates
    else { return false }
    let deadline = firstViewDeadline ?? now + Self.firstViewPatience
    firstViewDeadline = deadline
    return now < deadline
  }

  /// Whether the card shows something other than the widget's own view, which is still expected.
  var awaitsLiveView: Bool {
    guard bundle != nil else { return true }
    switch session.phase {
    case .idle, .pausing, .initializing, .ending(failure: nil): return !session.isQuitting
    case .ending, .stopped: return false
    case .running:
      if session.waitsForMargins || session.appearance == .appearing { return true }
      guard isVisible else { return session.appearance == .disappearing }
      // A view that the current process has not sent is still the saved snapshot.
      return !hasAppeared || !hasOwnView && session.update != nil
    }
  }

  /// Whether a scheduled update can be requested: there is a widget, and a card on the screen has appeared.
  var canBeScheduled: Bool { bundle != nil && (!isVisible || hasAppeared) }

  /// Whether the widget is being ended.
  var isQuitting: Bool { bundle == nil || session.isQuitting }

  /// Whether the widget determines its margins.
  var asksForMargins: Bool { session.implements.contains(WidgetMarginInsetsRequest.method) }

  /// Whether the running widget supports updates; nil until it has said so.
  package var takesUpdates: Bool? {
    isRunning ? session.implements.contains(WidgetPerformUpdateRequest.method) : nil
  }

  /// Whether an update is in progress or waits for the previous one.
  package var hasUpdate: Bool { session.update != nil || session.nextUpdate != nil }

  /// The number of columns that the manifest asks for: 1 if it asks for none, nil if it is not known.
  package var bundleSpan: Int? { bundle.map { $0.infoPlist.widgetExtension?.span ?? 1 } }

  /// The seconds between updates that the user has chosen for a script.
  var chosenInterval: Double? { bundle?.script?.interval }

  /// The seconds between updates that the widget's bundle requests, or nil.
  var bundleInterval: Double? { bundle?.infoPlist.widgetExtension?.refreshInterval }
}
