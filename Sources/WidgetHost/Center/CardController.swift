import FoundationEssentials
import WidgetKitCore

/// One card of the page: its content and height, its motion, and the session behind it.
///
/// A class because it stands between a session and the page, which both hold on to it.
final class CardController {
  var card: Card
  var session: WidgetSession?
  var layout = CardLayout()
  var transition: CardTransition?
  var transitionCount = 0
  var lastResize: ContinuousClock.Instant?
  var heldResize: (any HostTimer)?
  var lastPress: ContinuousClock.Instant?
  var innerWidth = 0
  var isVisible = false
  var hasAppeared = false
  /// What came of the widget's updates, here and in other hosts.
  var history = RefreshHistory()
  /// The right to a scheduled update while it is under way.
  var refreshLock: RefreshLock?
  /// Since when the lock was never free; nil where it was when it was last asked for.
  var busySince: ContinuousClock.Instant?
  var timeline: Timeline?
  var shownEntry: Date?
  var entryTimer: (any HostTimer)?
  /// Until when old content is not called stale, because an update is about to come.
  var excusedUntil: ContinuousClock.Instant?
  var refreshTimer: (any HostTimer)?
  /// What looks at the content's age again, and when.
  var ageTimer: (any HostTimer)?
  var ageMoment: ContinuousClock.Instant?
  /// When the update that is under way was asked for; nil where none is.
  var updateStart: ContinuousClock.Instant?
  /// Whether the scheduled update is left to another host, which is at it.
  var waitsForOtherHost = false
  /// Whether the process that runs has shown a view of its own.
  var hasOwnView = false
  /// Whether the process that runs has said which forms it offers.
  var hasStatedForms = false
  /// What ends the time that a process has for its first view, where somebody waits for that.
  var firstViewTimer: (any HostTimer)?
  var firstViewDeadline: ContinuousClock.Instant?
  /// Since when the card has a row on the screen.
  var visibleSince: ContinuousClock.Instant?
  var disappearTimer: (any HostTimer)?
  var snapshotTimer: (any HostTimer)?
  /// Whether the picture that was kept is to be looked for later.
  var owesSnapshot = false
  /// Whether the picture that was kept was looked for.
  var hasLookedForSnapshot = false
  /// When the widget sent what is shown, to whichever host; nil where nothing is shown.
  var pictureDate: Date?
  /// What of it was kept last, or was taken over as it was kept.
  var keptPicture: RefreshHistory.Picture?
  /// Whether something is shown that is to be kept and is not.
  var hasUnkeptPicture = false
  /// Whether what is shown came from another host while this one runs.
  var isPictureForeign = false
  /// When something was kept last.
  var lastKeeping: ContinuousClock.Instant?
  /// Whether the last picture is of no account any more.
  var keepsNothing = false
  /// Whether the process is gone, so that a page that ends need not wait for it.
  var isFinished = false
  /// What is wrong with the bundle that was to take the present one's place.
  var bundleProblem: SafeText?
  /// The transition that is over at once and waits for what the widget shows at its end.
  var unanimated: Int?
  /// What ends it where the widget does not answer.
  var unanimatedTimer: (any HostTimer)?
  /// Presses that wait for the live view.
  var earlyPresses: [PressTarget] = []
  /// What was pressed a moment ago, and toggles until they show what came of it.
  var shownPresses = ShownPresses()
  var pressTimer: (any HostTimer)?
  /// When the card showed something for the first time; nil before, and where a snapshot came first.
  var firstContent: ContinuousClock.Instant?
  /// What was on the screen before the content that is being taken in.
  var pictureBefore: LaidOutView?
  /// What takes over the tallest form that the widget stated last.
  var largestTimer: (any HostTimer)?
  /// Whether the card was made short by the host, until the widget has said what it shows then.
  var isCollapsed = false
  /// When the last update ended.
  var lastUpdate: ContinuousClock.Instant?
  unowned let page: any CardPage

  /// How long a card may be off the screen before its view disappears.
  static let offScreenPatience: Duration = .seconds(5)
  /// The least time from one view that was pushed and kept to the next.
  static let pushPatience: Duration = .seconds(30)
  /// How long one that is pushed after a longer time waits for more.
  static let firstPushPatience: Duration = .milliseconds(500)
  /// Rows of a compact card that offers an expanded form.
  static let compactRows = 4

  init(id: CardID, name: SafeText, page: any CardPage) {
    card = Card(id: id, name: name)
    self.page = page
  }

  /// Puts the widget itself behind a card that was drawn from its snapshot so far.
  func attach(_ session: WidgetSession, name: SafeText) {
    card.name = name
    self.session = session
    session.onEffect = { [weak self] in self?.perform($0) }
    session.bodySize = { [weak self] in self?.card.bodySize ?? .zero }
    session.onUpdateChange = { [weak self] in
      self?.endOfferedUpdate()
      self?.followUpdate()
      self?.page.cardMayHaveSettled()
    }
    session.onLaunch = { [weak self] in self?.beginRun() }
    history = page.history(of: card.id)
    if hasLookedForSnapshot {
      takeOver(history)
      settleHistory()
    } else if innerWidth > 0, !owesSnapshot {
      showSnapshot()
      resize(animated: false)
    }
    schedule()
    checkAge()
  }

  /// Takes over how the card was when the program last ran.
  func restore(_ entry: PageRecord.Entry) {
    card.displayMode = entry.displayMode
    card.offersExpanded = entry.offersExpanded
    card.marginInsets = entry.marginInsets
  }

  /// What to know of the card before its bundle is read next time.
  var pageEntry: PageRecord.Entry {
    PageRecord.Entry(
      bundleIdentifier: card.id.bundleIdentifier,
      name: card.name,
      displayMode: card.displayMode,
      offersExpanded: card.offersExpanded,
      marginInsets: card.marginInsets
    )
  }

  // MARK: - What is drawn

  /// Whether something moves.
  var isMoving: Bool { transition?.start != nil }

  /// The body at a moment.
  func body(at now: ContinuousClock.Instant) -> CardBody {
    let environment = page.environment
    let final = layout.laidOut(rows: card.bodySize.rows, in: environment)
    guard let transition else { return CardBody(final) }
    // Until it sets off, the picture stays as it was.
    guard transition.start != nil else { return CardBody(transition.from) }
    return CardBody(
      size: Size(columns: card.bodySize.columns, rows: transition.rows(at: now)),
      from: transition.from,
      to: final,
      progress: transition.progress(at: now)
    )
  }

  /// When a date on the card will look different.
  var nextChange: Date? {
    layout.laidOut(rows: card.bodySize.rows, in: page.environment).nextChange
  }

  // MARK: - What the page does

  /// Gives the card's inside another width: laid out at once, without an animation.
  ///
  /// - Parameters:
  ///   - width: The width.
  ///   - showsSnapshot: Whether a card without a live view is to show its picture now, not later.
  func setInnerWidth(_ width: Int, showsSnapshot: Bool = true) {
    innerWidth = width
    layout.setWidth(width - card.marginInsets.columns)
    owesSnapshot = !hasAppeared && !showsSnapshot && card.view == nil
    if !hasAppeared, !owesSnapshot { showSnapshot() }
    finishTransition()
    resize(animated: false)
  }

  /// Lays everything out anew, because the environment changed.
  func relayOut() {
    layout.invalidate()
  }

  /// Says whether the card has a row on the screen.
  func setVisible(_ visible: Bool) {
    guard visible != isVisible else { return }
    isVisible = visible
    visibleSince = visible ? page.clock.now : nil
    disappearTimer?.cancel()
    disappearTimer = nil
    if visible {
      excuse()
      session?.handle(.appear(size: card.bodySize, animated: false))
    } else {
      disappearTimer = page.clock.schedule(after: Self.offScreenPatience) { [weak self] in
        self?.session?.handle(.disappear)
      }
    }
    schedule()
    checkAge()
  }

  /// Asks for new data.
  func refresh(_ reason: UpdateReason) {
    guard reason == .appear else {
      session?.handle(.update(reason))
      return
    }
    if !wantsUpdate(.appear) {
      schedule()
    } else if page.schedulesUpdates {
      refreshIfDue(.appear)
    } else {
      session?.handle(.update(.appear))
    }
  }

  /// Starts a stopped widget again.
  func retry() {
    session?.handle(.retry)
  }

  /// Show more or show less.
  func toggleDisplayMode() {
    guard card.offersExpanded else { return }
    keepSnapshot()
    card.displayMode = card.displayMode == .compact ? .expanded : .compact
    session?.handle(.displayMode(card.displayMode, maximumSize: maximumSize))
    lastPress = page.clock.now
    contentDidChange(resizes: true)
  }

  /// Lets the view disappear, because the host is about to be suspended.
  func pause() {
    disappearTimer?.cancel()
    disappearTimer = nil
    finishTransition()
    session?.handle(.pause)
  }

  /// Goes on after ``pause()``.
  func unpause() {
    session?.handle(.unpause)
    if isVisible { session?.handle(.appear(size: card.bodySize, animated: false)) }
  }

  /// Begins the end; ``isFinished`` says when it is done.
  func quit() {
    isFinished = session == nil
    // What was pushed off the screen has no other occasion to be kept.
    for timer in [
      firstViewTimer, refreshTimer, ageTimer, disappearTimer, heldResize, snapshotTimer, entryTimer,
    ] {
      timer?.cancel()
    }
    finishTransition()
    keepSnapshot()
    session?.quit()
  }

  /// Ends the process at once.
  func kill() {
    session?.handle(.deadline(.terminate))
  }

  /// Whether nothing is on its way that would change the card.
  var isSettled: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .pausing, .stopped: return true
    case .idle: return !isVisible && state.nextUpdate == nil
    case .initializing, .ending: return false
    case .running:
      return (state.appearance == .on || !isVisible) && state.update == nil
        && state.nextUpdate == nil && unanimated == nil && heldResize == nil
        && largestTimer == nil && !awaitsFirstView()
    }
  }

  /// The largest body that the card may have.
  var maximumSize: Size {
    Size(
      columns: card.bodySize.columns,
      rows: hasFixedHeight ? Self.compactRows : page.limits.bodyRows
    )
  }
}
