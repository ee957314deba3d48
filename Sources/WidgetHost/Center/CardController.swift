import FoundationEssentials
import WidgetKitCore

/// One card of the page: its content and height, its motion, and the session behind it.
///
/// A class because it stands between a session and the page, which both hold on to it.
final class CardController {
  private(set) var card: Card
  private(set) var session: WidgetSession?
  private var layout = CardLayout()
  private var transition: CardTransition?
  private var transitionCount = 0
  private var lastResize: ContinuousClock.Instant?
  private var heldResize: (any HostTimer)?
  private(set) var lastPress: ContinuousClock.Instant?
  private var innerWidth = 0
  private var isVisible = false
  private var hasAppeared = false
  private var failures = 0
  private var wish: Duration?
  private var refreshTimer: (any HostTimer)?
  private var staleTimer: (any HostTimer)?
  private var disappearTimer: (any HostTimer)?
  private unowned let page: any CardPage

  /// How long a card may be off the screen before its view disappears (B13).
  private static let offScreenPatience: Duration = .seconds(5)
  /// Rows of a compact card that offers an expanded form.
  private static let compactRows = 4

  init(id: CardID, name: SafeText, page: any CardPage) {
    card = Card(id: id, name: name)
    self.page = page
  }

  /// Puts the widget itself behind a card that was drawn from its snapshot so far.
  func attach(_ session: WidgetSession, name: SafeText) {
    card.name = name
    self.session = session
    session.onEffect = { [weak self] in self?.carryOut($0) }
    session.bodySize = { [weak self] in self?.card.bodySize ?? .zero }
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

  /// Gives the card's inside another width: laid out at once, without an animation (C15).
  func setInnerWidth(_ width: Int) {
    innerWidth = width
    layout.setWidth(width - card.marginInsets.columns)
    if !hasAppeared { showSnapshot() }
    finishTransition()
    resize(animated: false)
  }

  /// Lays everything out anew, because the environment changed.
  func relayOut() {
    layout.invalidate()
  }

  /// Shows the last view that was kept at this width, while there is no live one.
  private func showSnapshot() {
    guard let snapshot = page.snapshot(for: snapshotKey) else { return }
    let height = snapshot.preferredHeight.map { PreferredContentSize(height: $0) }
    _ = layout.apply(
      ContentUpdate(
        view: snapshot.view,
        preferredContentSize: height.map { .value($0) } ?? .null
      )
    )
    card.view = snapshot.view
    card.contentDate = snapshot.date
    card.bodySize.rows = snapshot.rows
    if card.state == .starting { card.state = .snapshot }
    checkAge()
  }

  /// Says whether the card has a row on the screen.
  func setVisible(_ visible: Bool) {
    guard visible != isVisible else { return }
    isVisible = visible
    disappearTimer?.cancel()
    disappearTimer = nil
    if visible {
      session?.handle(.appear(size: card.bodySize, animated: false))
    } else {
      disappearTimer = page.clock.schedule(after: Self.offScreenPatience) { [weak self] in
        self?.session?.handle(.disappear)
      }
    }
  }

  /// Delivers a press.
  func press(_ target: PressTarget) {
    lastPress = page.clock.now
    card.pressCue = nil
    if let action = target.action {
      let isLive = card.state == .live || card.state == .failed && hasAppeared
      if !isLive { card.pressCue = "waiting" }
      session?.handle(.press(PerformActionRequest(action: action, value: target.newValue)))
    } else if let link = target.link {
      page.open(link, from: self) { _ in }
    }
    page.cardDidChange()
  }

  /// Asks for new data.
  func refresh(_ reason: UpdateReason) {
    session?.handle(.update(reason))
  }

  /// Starts a stopped widget again.
  func retry() {
    session?.handle(.retry)
  }

  /// Show more or show less.
  func toggleDisplayMode() {
    guard card.offersExpanded else { return }
    card.displayMode = card.displayMode == .compact ? .expanded : .compact
    session?.handle(.displayMode(card.displayMode, maximumSize: maximumSize))
    lastPress = page.clock.now
    contentDidChange(resizes: true)
  }

  /// Begins the end; ``isFinished`` says when it is done.
  func quit() {
    isFinished = session == nil
    for timer in [refreshTimer, staleTimer, disappearTimer, heldResize] { timer?.cancel() }
    finishTransition()
    session?.handle(.quit)
  }

  /// Ends the process at once.
  func kill() {
    session?.handle(.deadline(.terminate))
  }

  private(set) var isFinished = false

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
    }
  }

  /// The largest body that the card may have.
  var maximumSize: Size {
    let isCompact = card.offersExpanded && card.displayMode == .compact
    return Size(
      columns: card.bodySize.columns,
      rows: isCompact ? Self.compactRows : page.limits.bodyRows
    )
  }

  // MARK: - What the session says

  private func carryOut(_ effect: SessionEffect) {
    switch effect {
    case .apply(let content, let source): apply(content, source)
    case .becameLive: becameLive()
    case .disappeared: keepSnapshot()
    case .health(let state, let message): health(state, message)
    case .marginInsets(let insets): setMarginInsets(insets)
    case .largestDisplayMode(let mode): setLargest(mode)
    case .alongside(let transition, let view): alongside(transition, view)
    case .updateEnded(let outcome): updateEnded(outcome)
    case .open(let url, let id): open(url, id)
    case .pressDropped:
      card.pressCue = "press dropped"
      page.cardDidChange()
    case .finished:
      isFinished = true
      page.cardDidFinish()
    default: break
    }
    page.cardMayHaveSettled()
  }

  private func apply(_ content: ContentUpdate, _ source: ContentSource) {
    card.pressCue = nil
    if content.view != nil, source != .appearance, source != .disappearance || hasAppeared {
      if source != .disappearance { card.contentDate = page.clock.date }
    } else if card.contentDate == nil, content.view != nil {
      card.contentDate = page.clock.date
    }
    let changed = layout.apply(content)
    if let view = content.view { card.view = view }
    checkAge()
    if changed {
      contentDidChange(resizes: true)
    } else if source == .update {
      page.cardDidChange()
    }
    if source == .update { keepSnapshot() }
  }

  private func contentDidChange(resizes: Bool) {
    if resizes { resize(animated: hasAppeared && isVisible && page.animates) }
    page.cardDidChange()
  }

  private func becameLive() {
    hasAppeared = true
    if card.view != nil || card.state != .failed {
      card.state = .live
      card.message = nil
    }
    card.pressCue = nil
    page.cardDidChange()
    refresh(.appear)
  }

  private func health(_ state: CardState, _ message: String?) {
    if state == .live, !hasAppeared, isVisible { return }
    let words = message.map { SafeText($0) }
    if card.state != state || card.message != words {
      card.state = state
      card.message = words
      page.cardDidChange()
    }
    if state == .failed || state == .stopped, session?.state.hasProcess == false {
      hasAppeared = false
      finishTransition()
    }
  }

  private func setMarginInsets(_ insets: EdgeInsets) {
    var clamped = insets
    clamped.left = min(insets.left, innerWidth / 2)
    clamped.right = min(insets.right, innerWidth / 2)
    clamped.top = min(insets.top, 4)
    clamped.bottom = min(insets.bottom, 4)
    card.marginInsets = clamped
    layout.setWidth(innerWidth - clamped.columns)
    contentDidChange(resizes: true)
  }

  private func setLargest(_ mode: DisplayMode) {
    let offers = mode == .expanded
    guard offers != card.offersExpanded else { return }
    card.offersExpanded = offers
    if !offers { card.displayMode = .compact }
    contentDidChange(resizes: true)
  }

  private func open(_ url: String, _ id: MessageID) {
    // F11: only on the user's own press.
    let isAsked = lastPress.map { $0.duration(to: page.clock.now) < .seconds(10) } ?? false
    guard isAsked else {
      session?.answer(open: id, success: false)
      return
    }
    page.open(url, from: self) { [weak self] success in
      self?.session?.answer(open: id, success: success)
    }
  }

  // MARK: - Updates

  private func updateEnded(_ outcome: UpdateOutcome) {
    failures = outcome.result == .failed ? failures + 1 : 0
    if outcome.result != .failed { wish = outcome.refreshAfter }
    let pause = page.schedule.pause(wish: wish, failures: failures)
    refreshTimer?.cancel()
    refreshTimer = page.clock.schedule(after: pause) { [weak self] in
      self?.refresh(.schedule)
    }
    checkAge()
    page.cardDidUpdate(card.id, outcome)
  }

  /// Marks the content as stale when its time has come.
  private func checkAge() {
    staleTimer?.cancel()
    staleTimer = nil
    guard let date = card.contentDate else { return }
    let age = Duration.seconds(max(0, page.clock.date.timeIntervalSince(date)))
    let isStale = failures > 0 && page.schedule.isStale(age: age, wish: wish)
    if isStale != card.isStale {
      card.isStale = isStale
      page.cardDidChange()
    }
    guard failures > 0, !isStale else { return }
    let rest = page.schedule.interval(wish: wish) * 2 - age + .seconds(1)
    staleTimer = page.clock.schedule(after: rest) { [weak self] in self?.checkAge() }
  }

  private var snapshotKey: Snapshot.Key {
    Snapshot.Key(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance,
      width: max(0, innerWidth - card.marginInsets.columns),
      displayMode: card.displayMode,
      locale: page.localeIdentifier
    )
  }

  private func keepSnapshot() {
    guard let view = layout.view, let date = card.contentDate else { return }
    page.keep(
      Snapshot(
        key: snapshotKey,
        date: date,
        view: view,
        preferredHeight: layout.preferredHeight,
        rows: card.bodySize.rows
      )
    )
  }

  // MARK: - Height

  /// Grants the height that the content wants, within bounds, and goes there.
  private func resize(animated: Bool) {
    let isNewWidth = card.bodySize.columns != layout.width
    card.bodySize.columns = layout.width
    guard layout.view != nil || layout.preferredHeight != nil else { return }
    let isCompact = card.offersExpanded && card.displayMode == .compact
    let wanted = isCompact ? Self.compactRows : layout.wantedRows(in: page.environment)
    let rows = min(max(0, wanted), maximumSize.rows)
    guard rows != card.bodySize.rows || isNewWidth else { return }
    guard hasAppeared else {
      card.bodySize.rows = rows
      return
    }
    let now = page.clock.now
    // Another width is the page's doing, so the limit on a widget's wishes does not hold it up.
    if isNewWidth {
      begin(rows: rows, animated: animated && rows != card.bodySize.rows, at: now)
      return
    }
    if let lastResize, lastResize.duration(to: now) < .seconds(1),
      lastPress.map({ $0.duration(to: now) >= .seconds(1) }) ?? true
    {
      hold(until: lastResize + .seconds(1), from: now)
      return
    }
    lastResize = now
    begin(rows: rows, animated: animated, at: now)
  }

  /// One change of height a second unless the user acted: the last wish is granted then.
  private func hold(until moment: ContinuousClock.Instant, from now: ContinuousClock.Instant) {
    guard heldResize == nil else { return }
    heldResize = page.clock.schedule(after: now.duration(to: moment)) { [weak self] in
      guard let self else { return }
      heldResize = nil
      contentDidChange(resizes: true)
    }
  }

  private func begin(rows: Int, animated: Bool, at now: ContinuousClock.Instant) {
    let present = body(at: now)
    let from = present.to ?? present.from
    endTransition(finished: false)
    transitionCount += 1
    card.bodySize.rows = rows
    let id = transitionCount
    let isHeard = session?.state.implements.contains(ViewWillTransitionToSizeRequest.method) ?? false
    if animated {
      transition = CardTransition(
        id: id,
        from: from,
        fromRows: present.size.rows,
        toRows: rows
      )
    }
    session?.handle(
      .transition(
        ViewWillTransitionToSizeRequest(
          size: card.bodySize,
          transition: id,
          duration: animated ? CardTransition.duration.seconds : 0,
          curve: CardTransition.curve,
          animated: animated
        )
      )
    )
    if !animated {
      unanimated = id
      if !isHeard { unanimatedEnded(id) }
    } else if isHeard {
      transition?.timer = page.clock.schedule(after: CardTransition.patience) { [weak self] in
        self?.setOff(id)
      }
    } else {
      setOff(id)
    }
  }

  /// The transition that is over at once and waits for what the widget shows at its end (C8).
  private var unanimated: Int?

  private func unanimatedEnded(_ id: Int) {
    guard unanimated == id else { return }
    unanimated = nil
    session?.handle(.transitionEnded(transition: id, finished: true))
  }

  private func alongside(_ id: Int, _ view: ViewNode?) {
    if let view, id == transitionCount, layout.apply(ContentUpdate(view: view)) {
      card.view = view
      if layout.preferredHeight == nil { contentDidChange(resizes: true) }
      page.cardDidChange()
    }
    setOff(id)
    unanimatedEnded(id)
  }

  private func setOff(_ id: Int) {
    guard transition?.id == id, transition?.start == nil else { return }
    transition?.timer?.cancel()
    transition?.start = page.clock.now
    transition?.timer = page.clock.schedule(after: CardTransition.duration) { [weak self] in
      guard let self, transition?.id == id else { return }
      finishTransition()
    }
    page.cardDidChange()
  }

  private func finishTransition() {
    guard transition != nil || unanimated != nil else { return }
    endTransition(finished: true)
    page.cardDidChange()
  }

  private func endTransition(finished: Bool) {
    if let id = unanimated {
      unanimated = nil
      session?.handle(.transitionEnded(transition: id, finished: finished))
    }
    guard let ended = transition else { return }
    transition = nil
    ended.timer?.cancel()
    session?.handle(.transitionEnded(transition: ended.id, finished: finished))
  }
}
