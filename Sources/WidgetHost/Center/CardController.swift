import FoundationEssentials
import WidgetKitCore

/// A card of the page: it joins the parts of the card.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``CardWidget`` | the session, and whether the view of its process is on the screen |
/// | ``CardLife`` | what the session reports; the state and the problem in the heading |
/// | ``CardContent`` | the content: from the widget, a timeline or a snapshot; and saving it |
/// | ``CardIntake`` | how new content and snapshots reach the parts |
/// | ``CardSize`` | width, height and form, and the transitions between heights |
/// | ``CardUpdates`` | when updates are requested, by this host or another one; the age of the content |
/// | ``CardPresses`` | the delivery and the result of a press |
/// | ``CardInput`` | what the user changes in the view: folds, rows, typed texts |
/// | ``CardImages`` | the pictures in the view |
/// | ``CardRequests`` | what the widget requests of the page |
///
/// This is a class because the session and the page share it.
final class CardController {
  /// What is drawn; each part's values are copied to it when they change.
  private(set) var card: Card
  /// What is shown in place of the content, unless a question is; nil for the content.
  private var cover: ViewNode?

  private(set) lazy var widget = CardWidget(
    page: page,
    clock: clock,
    awaitsFirstViews: !services.schedulesUpdates
  )
  private(set) lazy var size = CardSize(
    owner: self,
    page: page,
    margins: card.marginInsets,
    content: content,
    widget: widget,
    clock: clock,
    limits: services.limits
  )
  private(set) lazy var updates = CardUpdates(
    owner: self,
    id: card.id,
    content: content,
    widget: widget,
    services: services
  )
  private(set) lazy var content = CardContent(owner: self, store: services.store, clock: clock)
  private(set) lazy var presses = CardPresses(
    owner: self,
    clock: clock,
    waitingLimit: services.waitingPresses
  )
  private(set) lazy var input = CardInput(
    owner: self,
    folds: CardFolds(services.folders, card.id, clock: clock),
    clock: clock
  )
  private(set) lazy var intake = CardIntake(
    owner: self,
    page: page,
    content: content,
    widget: widget,
    size: size,
    updates: updates,
    presses: presses,
    input: input
  )
  private(set) lazy var images = CardImages(owner: self, id: card.id, library: services.images)
  private lazy var requests = CardRequests(id: card.id, widget: widget, page: page)
  /// The state of the widget, and what its session reports.
  private(set) lazy var life = CardLife(
    owner: self,
    page: page,
    services: services,
    content: content,
    widget: widget,
    size: size,
    updates: updates,
    presses: presses,
    input: input,
    intake: intake,
    requests: requests
  )

  /// Whether the card is shown while the page is locked, without its private content.
  private var isAllowedWhenLocked = false
  /// How long after a press what the widget sends is taken for the result.
  private static let pressTime: Duration = .seconds(10)

  private lazy var timer = WakeTimer(clock: clock) { [weak self] in self?.wake() }
  private let services: CardServices
  private unowned let page: any CardPage
  private var clock: any HostClock { services.clock }

  init(id: CardID, name: SafeText, services: CardServices, page: any CardPage) {
    card = Card(id: id, name: name)
    self.services = services
    self.page = page
  }

  /// Connects a session to a card that was drawn only from its snapshot so far.
  func attach(_ session: WidgetSession) {
    card.name = heading(of: session.bundle)
    card.hasSettings = !session.bundle.settings.isEmpty
    card.appName = session.bundle.openableAppName
    widget.attach(session)
    session.onEffect = { [weak self] in self?.life.perform($0) }
    session.onRequest = { [weak self] in self?.life.perform($0, $1) }
    session.bodySize = { [weak self] in self?.size.body ?? .zero }
    session.onUpdateChange = { [weak self] in
      self?.updates.endOfferedUpdate()
      self?.updates.updateMayHaveChanged()
      self?.page.cardMayHaveSettled()
    }
    session.onLaunch = { [weak self] in
      // Values of the previous process are used only until this one shows content.
      self?.content.processDidBegin()
      self?.widget.processDidBegin()
      self?.size.processDidBegin()
      self?.images.processDidBegin()
    }
    if noteContent() { contentDidChange(resizes: true) }
    updates.readShared()
    if content.hasLookedForSnapshot {
      updates.takeOver(updates.schedule.history)
      updates.settleHistory()
    } else if size.hasWidth, !content.owesSnapshot {
      intake.showSnapshot()
      size.resize(animated: false)
    }
    updates.plan()
  }

  /// Whether no change of the card is pending.
  var isSettled: Bool {
    widget.isSettled
      && (!widget.isRunning
        || size.isSettled && !widget.awaitsFirstView(hasContent: card.view != nil))
  }

  // MARK: - The timer of the parts

  /// Sets the timer for the part that is due first.
  func dueMayHaveChanged() {
    timer.set([size.due, content.due, updates.due].compactMap(\.self).min())
  }

  private func wake() {
    size.wake()
    content.wake()
    updates.wake()
    dueMayHaveChanged()
    page.cardMayHaveSettled()
  }

  // MARK: - Calls from the page

  /// Sets the width inside the card's border, and lays the card out at once, without an animation.
  ///
  /// A card without a live view shows its snapshot now if `showsSnapshot`, and later if not.
  func setInnerWidth(_ width: Int, showsSnapshot: Bool = true) {
    size.setInnerWidth(width)
    content.setOwed(!widget.hasAppeared && !showsSnapshot && card.view == nil)
    if !widget.hasAppeared, !content.owesSnapshot { intake.showSnapshot() }
    size.interruptMotion()
    size.resize(animated: false)
  }

  /// Tells the widget that the colours of the page have changed.
  func appearanceDidChange(_ appearance: Appearance) {
    widget.handle(.appearance(appearance))
  }

  /// Sets the number of columns that the card takes up.
  func setSpan(_ span: Int) {
    guard span != card.span else { return }
    card.span = span
    page.cardDidChange()
  }

  /// Sets the page on which the card is.
  func setPage(_ page: PageName) {
    card.page = page
  }

  /// Sets whether the card is shown while the page is locked, without its private content.
  func setAllowedWhenLocked(_ isAllowed: Bool) {
    guard isAllowed != isAllowedWhenLocked else { return }
    isAllowedWhenLocked = isAllowed
    page.cardDidChange()
  }

  /// Shows a question in place of the content, or the content again.
  func setQuestion(_ question: PermissionQuestion?) {
    card.asksForPermission = question != nil
    if let question {
      content.setCover { question.view(columns: $0) }
      contentDidChange(resizes: true)
    } else {
      setCover(cover)
    }
  }

  /// Shows a view in place of the content, or the content again; behind a question, when it is answered.
  func setCover(_ view: ViewNode?) {
    cover = view
    guard !card.asksForPermission else { return }
    content.setCover(view.map { view in { _ in view } })
    contentDidChange(resizes: true)
  }

  /// Sets whether a row of the card is on the screen.
  func setVisible(_ visible: Bool) {
    guard visible != widget.isOnPage else { return }
    changingVisibility { widget.setOnPage(visible, size: card.bodySize) }
  }

  /// Sets whether the page is shown, and has the focus of the terminal.
  func setHost(_ state: HostState) {
    if state == .background { size.finishMotion() }
    changingVisibility { widget.setHost(state, size: card.bodySize) }
  }

  private func changingVisibility(_ change: () -> Void) {
    let wasVisible = widget.isVisible
    change()
    guard widget.isVisible != wasVisible else { return }
    updates.setVisible(widget.isVisible)
    updates.plan()
  }

  /// Handles a press on an element as it was drawn.
  func press(_ target: PressTarget) {
    guard !isHidden, !input.take(target) else { return }
    presses.press(target)
  }

  /// Sends the action of a field with its text.
  func enter(_ field: FieldTarget, of target: PressTarget) {
    guard !isHidden else { return }
    input.fields.enter(field)
    if target.action != nil { presses.press(target) }
  }

  /// Switches between the compact and the expanded form.
  func toggleDisplayMode() {
    guard size.toggleForm() else { return }
    presses.note()
    size.userDidAct()
    contentDidChange(resizes: true)
    page.cardFormWasChosen()
  }

  /// Shows the form that the user has chosen on another page, if the card has it.
  func showForm(_ mode: DisplayMode) {
    if mode != card.displayMode, size.toggleForm() {
      size.userDidAct()
      contentDidChange(resizes: true)
    }
    size.note(choice: mode)
  }

  /// Makes the view disappear because the host is about to be suspended.
  func pause() {
    size.finishMotion()
    updates.yield()
    widget.pause()
  }

  /// Resumes after ``pause()``.
  func unpause() {
    widget.unpause(size: card.bodySize)
    updates.plan()
  }

  /// Makes up for missed updates, once and spread over time, after the machine slept or the wall clock
  /// was set, by `shift` seconds.
  func catchUp(hasSlept: Bool, shift: Double, place: Int) {
    if shift != 0 {
      content.clockWasSet(by: shift)
      card.contentDate = content.date
      // An update is as old as before.
      card.confirmationDate = card.confirmationDate?.addingTimeInterval(shift)
    }
    content.relayOut()
    if hasSlept, !card.isStale { updates.excuseAge() }
    updates.checkAge()
    content.advanceTimeline()
    updates.catchUp(notBefore: widget.isVisible ? Double(place) * 0.3 : 0)
  }

  /// Starts to end the widget; ``CardWidget/isFinished`` tells when that is done.
  func quit() {
    updates.stop()
    content.stop()
    input.stop()
    size.stop()
    // Content that was pushed while the card was off the screen is saved only here.
    content.keep()
    widget.quit()
  }

  /// Called when the page has a different bundle for the card.
  func replace(by bundle: WidgetBundle) {
    card.name = heading(of: bundle)
    card.hasSettings = !bundle.settings.isEmpty
    card.appName = bundle.openableAppName
    widget.session?.replace(by: bundle)
    updates.schedule.plan()
  }

  /// The machine on which its widget runs; nil for this one.
  var machine: RemoteDestination? {
    widget.session?.bundle.script?.options.host ?? page.host(of: card.id)
  }

  /// Its widget runs on another machine from now on.
  func machineDidChange() {
    guard let bundle = widget.session?.bundle else { return }
    card.name = heading(of: bundle)
    widget.handle(.bundleChanged)
    updates.refresh(.event)
    page.cardDidChange()
  }

  /// The name of the card, with the machine on which its widget runs.
  private func heading(of bundle: WidgetBundle) -> SafeText {
    let name = card.id.heading(bundle.displayName)
    guard let host = page.host(of: card.id) else { return name }
    return "\(name) · \(SafeText(host.machine))"
  }

  /// Opens a URL for the card's widget.
  func open(_ url: String) {
    requests.open(url, for: card.name) { _ in }
  }
}

// MARK: - Content

extension CardController: CardContentOwner {
  var isHidden: Bool { card.state == .hidden }

  var environment: LayoutEnvironment {
    var environment = page.environment
    environment.state = input.state
    environment.images = images.forLayout
    return environment
  }

  var isPageLocked: Bool { page.environment.redactsPrivate }

  /// Whether the page shows nothing of the card but its name.
  var isConcealed: Bool { isPageLocked && !isAllowedWhenLocked }

  /// The card as the page shows it.
  var shownCard: Card { isConcealed ? card.concealed : card }

  /// The body as the page shows it; nil without a view.
  func shownBody(at now: ContinuousClock.Instant) -> CardBody? {
    card.view == nil || isConcealed ? nil : size.body(at: now)
  }

  var wasPressedLately: Bool {
    presses.last.map { $0.duration(to: clock.now) < Self.pressTime } ?? false
  }

  var snapshotKey: Snapshot.Key {
    Snapshot.Key(card.id, displayMode: card.displayMode, locale: services.localeIdentifier)
  }

  func contentDidChange(resizes: Bool) {
    noteContent()
    if resizes { size.followContent() }
    page.cardDidChange()
  }

  func didLayOut(_ images: [ImageDrawing]) {
    self.images.want(images)
  }

  func pictureWasKept(_ picture: RefreshHistory.Picture) {
    updates.schedule.announce(picture)
  }
}

extension CardController: CardLifeOwner {
  func change(_ change: (inout Card) -> Void) {
    change(&card)
  }
}

extension CardController: CardIntakeOwner {
  @discardableResult
  func noteContent() -> Bool {
    card.view = content.view
    card.contentDate = content.date
    guard images.take(content.view) else { return false }
    content.relayOut()
    return true
  }

  func snapshotDidShow() {
    life.snapshotDidShow()
  }
}

// MARK: - Calls from the parts

extension CardController: CardSizeOwner {
  var lastPress: ContinuousClock.Instant? { presses.last }

  func heightWasFrozen(_ rows: Int) {
    let words: SafeText =
      "the height changes all the time: it stays at \(rows) rows until a press or the next start"
    widget.log("warning: \(words)")
    say(words)
  }

  func sizeDidChange() {
    card.bodySize = size.body
    card.hiddenRows = size.hiddenRows
    card.marginInsets = size.margins
    card.displayMode = size.displayMode
    card.chosenMode = size.chosenMode
    card.offersExpanded = size.offersExpanded
  }
}

extension CardController: CardImagesOwner {
  var imagePlaces: ImagePlaces? {
    ImagePlaces(
      bundle: widget.session?.bundle.path,
      containers: services.folders.containers(of: card.id, widget.session?.bundle)
    )
  }

  func imagesDidChange() {
    content.relayOut()
    page.cardDidChange()
    page.cardMayHaveSettled()
  }

  func imageFilesMayHaveChanged() {
    guard images.take(content.view) else { return }
    imagesDidChange()
  }

  func logImage(_ line: String) {
    widget.log(SafeText(line))
  }
}

extension CardController: CardUpdatesOwner {
  var isKeptCurrent: Bool { card.isKeptCurrent }

  func takeOverSnapshot() {
    intake.takeOverSnapshot()
  }

  func contentWasConfirmed(at date: Date?) {
    // The heading is drawn again when its age changes: nothing is drawn because nothing has changed.
    card.confirmationDate = date.flatMap { $0 <= clock.date ? $0 : nil }
  }

  func didTakeOverGoodUpdate() {
    life.didTakeOverGoodUpdate()
  }

  func freshnessDidChange(_ freshness: Freshness) {
    card.isUpdating = freshness.isUpdating
    card.hasMissedUpdate = freshness.hasMissedUpdate
    card.hasFailedUpdate = freshness.hasFailedUpdate
    card.isStale = freshness.isStale
    page.cardDidChange()
  }
}

extension CardController: CardInputOwner {
  var shownView: ViewNode? { content.view }

  func implements(_ method: String) -> Bool { widget.implements(method) }

  func send(_ event: SessionEvent) {
    presses.note()
    widget.handle(event)
  }

  func inputWillChange(_ work: () -> Void) {
    presses.note()
    intake.changingContent {
      work()
      content.relayOut()
      contentDidChange(resizes: true)
    }
  }

  func say(_ words: SafeText) {
    guard !isConcealed else { return }
    page.say("\(card.name): \(words)")
  }

  func unsay(_ words: SafeText) {
    page.unsay("\(card.name): \(words)")
  }
}

extension CardController: CardPressesOwner {
  var awaitsLiveView: Bool { widget.awaitsLiveView }

  var targets: [PressTarget] { size.bodyAtRest.targets }

  func deliver(press target: PressTarget) {
    size.userDidAct()
    if let action = target.action {
      var request = PerformActionRequest(action: action, value: target.newValue)
      if case .field(let field) = target.role { request.text = input.fields.text(of: field) }
      widget.handle(.press(request))
    } else if let link = target.link {
      open(link)
    }
  }

  func pressesDidChange() {
    card.pressCue = presses.cue
    card.pressed = presses.pressed
    card.pending = presses.pending
    content.setSwitched(presses.switched)
    page.cardDidChange()
  }
}
