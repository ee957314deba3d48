import WidgetKitCore

/// The widget of a card: its session, what its process has shown so far, and whether its view is on the
/// screen.
///
/// The other parts of the card send events to the session and ask about its state here. This is a class
/// because its timers call it.
final class CardWidget {
  /// The session, or nil while the card is drawn only from its snapshot.
  private(set) var session: WidgetSession?
  /// Whether a row of the card is on the page, as far as that is not hidden.
  private(set) var isOnPage = false
  /// Whether the page is shown, and has the focus.
  private(set) var host = HostState.active
  /// Whether the live view of the present process has replaced the snapshot.
  private(set) var hasAppeared = false
  /// Whether the process has ended for good, so that a page that closes need not wait for it.
  private(set) var isFinished = false

  private unowned let page: any CardPage
  private let clock: any HostClock
  /// Whether the first view of a process without updates is waited for, as on a printed page.
  private let awaitsFirstViews: Bool
  private var run = CardRun()
  private var disappearTimer: (any HostTimer)?

  /// How long a card may be off the screen before its view is told to disappear.
  private static let offScreenPatience: Duration = .seconds(5)

  init(page: any CardPage, clock: any HostClock, awaitsFirstViews: Bool) {
    self.page = page
    self.clock = clock
    self.awaitsFirstViews = awaitsFirstViews
  }

  /// Connects the session.
  func attach(_ session: WidgetSession) {
    self.session = session
    if host != .active { handle(.host(host, showing: nil)) }
  }

  /// Passes an event to the session, if there is one.
  func handle(_ event: SessionEvent) {
    session?.handle(event)
  }

  /// Whether the process runs and implements an optional method.
  func implements(_ method: String) -> Bool {
    isRunning && session?.state.implements.contains(method) == true
  }

  /// Writes a line to the widget's log.
  func log(_ words: SafeText) {
    session?.log.write(words)
  }

  // MARK: - Appearing and disappearing

  /// Whether a row of the card is on the screen.
  var isVisible: Bool { isOnPage && host != .background }

  /// Sets whether a row of the card is on the page; a view that is off it for some time is told to
  /// disappear.
  func setOnPage(_ isOnPage: Bool, size: Size) {
    self.isOnPage = isOnPage
    stopTimer()
    guard host != .background else { return }
    if isOnPage {
      handle(.appear(size: size, animated: false))
    } else {
      disappearTimer = clock.schedule(after: Self.offScreenPatience) { [weak self] in
        self?.handle(.disappear)
      }
    }
  }

  /// Sets whether the page is shown, and has the focus; the view disappears at once when the page is
  /// hidden, and appears when it is shown again.
  func setHost(_ state: HostState, size: Size) {
    guard state != host else { return }
    let wasHidden = host == .background
    host = state
    if state == .background { stopTimer() }
    handle(.host(state, showing: wasHidden ? viewToShow(size) : nil))
  }

  private func viewToShow(_ size: Size) -> SessionDemand.View? {
    isVisible ? SessionDemand.View(size: size, isAnimated: false) : nil
  }

  private func stopTimer() {
    disappearTimer?.cancel()
    disappearTimer = nil
  }

  /// Makes the view disappear because the host is about to be suspended.
  func pause() {
    stopTimer()
    handle(.pause)
  }

  /// Resumes after ``pause()``.
  func unpause(size: Size) {
    handle(.unpause(showing: viewToShow(size)))
  }

  /// Called when the live view has replaced the snapshot.
  func viewDidAppear() {
    hasAppeared = true
  }

  /// Called when the process has ended, so that the card shows the last content.
  func processDidEnd() {
    hasAppeared = false
  }

  // MARK: - The present process

  /// Called when a process starts.
  func processDidBegin() {
    run = CardRun()
  }

  /// Called when the process has shown a view of its own.
  func ownViewDidCome() {
    run.hasOwnView = true
  }

  /// Called when the process has set the forms that it offers.
  func formsWereStated() {
    run.hasStatedForms = true
  }

  /// Whether the process has shown a view of its own, as opposed to a snapshot of an earlier one.
  var hasOwnView: Bool { run.hasOwnView }

  /// Whether the process has set the forms that it offers.
  var hasStatedForms: Bool { run.hasStatedForms }

  /// Whether the process may still push its first view, for which a printed page waits.
  ///
  /// The wait begins with the first call.
  func awaitsFirstView(hasContent: Bool) -> Bool {
    guard awaitsFirstViews, !run.hasOwnView, let takesUpdates, !hasContent || !takesUpdates else {
      return false
    }
    let now = clock.now
    let deadline = run.firstViewDeadline ?? now + CardRun.firstViewPatience
    run.firstViewDeadline = deadline
    guard now < deadline else { return false }
    if run.firstViewTimer == nil {
      run.firstViewTimer = clock.schedule(after: now.duration(to: deadline)) { [weak self] in
        self?.page.cardMayHaveSettled()
      }
    }
    return true
  }

  // MARK: - The end

  /// Starts to end the widget; ``isFinished`` tells when that is done.
  func quit() {
    isFinished = session == nil
    for timer in [run.firstViewTimer, disappearTimer] { timer?.cancel() }
    session?.quit()
  }

  /// Called when the process has ended and no other one will be started.
  func didFinish() {
    isFinished = true
  }

  /// Whether the host is quitting, and nothing but expiring activities is to be waited for.
  var isLeaving: Bool { session?.state.activitiesToContinue != nil }

  // MARK: - The state of the session

  /// Whether the process runs and has been initialized.
  var isRunning: Bool { session?.state.phase == .running }

  /// Whether the process has failed, and is started again later or not at all.
  var isHeldBack: Bool {
    switch session?.state.phase {
    case .pausing, .stopped: true
    default: false
    }
  }

  /// Whether no answer or update of the widget is pending.
  var isSettled: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .pausing, .stopped: return true
    case .idle: return !isVisible && state.nextUpdate == nil
    case .initializing, .ending: return false
    case .running:
      return (state.appearance == .on || !isVisible) && state.update == nil
        && state.nextUpdate == nil
    }
  }

  /// Whether the card shows something other than the widget's own view, which is still expected.
  var awaitsLiveView: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .idle, .pausing, .initializing, .ending(failure: nil): return !state.isQuitting
    case .ending, .stopped: return false
    case .running:
      if state.waitsForMargins || state.appearance == .appearing { return true }
      guard isVisible else { return state.appearance == .disappearing }
      // A view that the current process has not sent is still the saved snapshot.
      return !hasAppeared || !run.hasOwnView && state.update != nil
    }
  }

  /// Whether the widget is suspended.
  var isAtRest: Bool { session?.state.isAtRest ?? true }

  /// Whether the widget is being ended.
  var isQuitting: Bool { session?.state.isQuitting ?? true }

  /// Whether the widget implements `viewWillTransitionToSize`.
  var hearsTransitions: Bool { session?.state.hearsTransitions ?? false }

  /// Whether the widget determines its margins.
  var asksForMargins: Bool {
    session?.state.implements.contains(WidgetMarginInsetsRequest.method) ?? false
  }

  /// Whether the running widget supports updates; nil until it has said so.
  var takesUpdates: Bool? {
    guard let state = session?.state, state.phase == .running else { return nil }
    return state.implements.contains(WidgetPerformUpdateRequest.method)
  }

  /// Whether the result of an update is awaited.
  var awaitsUpdate: Bool { session?.state.awaitsUpdate ?? false }

  /// Whether an update is in progress.
  var isUpdating: Bool { session?.state.update != nil }

  /// Whether an update is in progress or waits for the previous one.
  var hasUpdate: Bool {
    session.map { $0.state.update != nil || $0.state.nextUpdate != nil } ?? false
  }

  /// The number of columns that the manifest asks for: 1 if it asks for none, nil if it is not known.
  var bundleSpan: Int? { session.map { $0.bundle.infoPlist.widgetExtension?.span ?? 1 } }

  /// The seconds between updates that the user has chosen for a script.
  var chosenInterval: Double? { session?.bundle.script?.interval }

  /// The seconds between updates that the widget's bundle requests, or nil.
  var bundleInterval: Double? { session?.bundle.infoPlist.widgetExtension?.refreshInterval }
}
