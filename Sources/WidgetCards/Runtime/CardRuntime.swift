package import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
import WidgetPlatform
package import WidgetSessions

/// Performs what the state of one card decides, with its session, a timer, files and the page.
///
/// Every event goes through one queue: one that comes while effects of another are performed is handled when all of
/// them are, so that none finds half of them done. A class because it owns the session.
package final class CardRuntime {
  package let id: CardID
  package private(set) var state: CardState
  /// The session, or nil while the card is drawn only from its snapshot.
  package private(set) var session: WidgetSession?

  private let services: CardServices
  private let queries: CardQueries
  private let folds: StoredFolds
  private unowned let page: any CardPage
  private lazy var timer = WakeTimer(clock: clock) { [weak self] in self?.send(.timer) }
  /// The lock for the updates of the widget, while this host holds it.
  private var lock: RefreshLock?
  /// The drawings that the library was asked for.
  private var drawings: Set<ImageDrawing> = []
  /// Those of the layouts for others, by their widths.
  private var publicDrawings: [Int: Set<ImageDrawing>] = [:]
  /// The events that wait, in their order.
  private var events: [CardEvent] = []
  private var isPerforming = false
  private var trace = CardTrace()
  private var clock: any HostClock { services.clock }

  package init(id: CardID, name: SafeText, services: CardServices, page: any CardPage) {
    self.id = id
    state = CardState(
      id: id,
      name: name,
      limits: services.limits,
      waitingPresses: services.waitingPresses,
      locale: services.localeIdentifier,
      isFollowed: services.schedulesUpdates(id)
    )
    self.services = services
    self.page = page
    queries = services.queries(of: id, on: page)
    folds = StoredFolds(services.folders)
  }

  /// Connects a session to a card that was drawn only from its snapshot so far.
  package func attach(_ session: WidgetSession) {
    self.session = session
    session.onChange = { [weak self] in self?.sessionDidChange() }
    session.onReport = { [weak self] in self?.send(.report($0)) }
    session.onRequest = { [weak self] in self?.send(.request($0, $1)) }
    session.onLaunch = { [weak self] in self?.send(.launch) }
    session.bodySize = { [weak self] in self?.card.bodySize ?? .zero }
    sessionDidChange()
    send(.attached(session.bundle, name: heading(of: session.bundle)))
  }

  private func sessionDidChange() {
    guard let session else { return }
    let awaitedUpdate = state.widget.session.awaitsUpdate
    state.widget.session = SessionFacts(session.state)
    if state.widget.session.awaitsUpdate != awaitedUpdate { send(.updateChanged) }
  }

  // MARK: - Events

  /// Takes an event, and performs what follows from it.
  package func send(_ event: CardEvent) {
    events.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    while !events.isEmpty { take(events.removeFirst()) }
    isPerforming = false
    wantDrawings()
    setTimer()
  }

  private func take(_ event: CardEvent) {
    trace.note(event, of: session)
    let revision = state.revision
    let effects = state.handle(event, in: context(at: clock.moment), queries)
    if state.revision != revision { page.cardDidChange() }
    for effect in effects { perform(effect) }
  }

  /// Passes an event to the session, if there is one.
  package func tell(_ event: SessionEvent) {
    session?.handle(event)
  }

  private func setTimer() {
    timer.set(state.due)
  }

  private func context(at moment: Moment) -> CardContext {
    CardContext(
      moment: moment,
      environment: page.environment,
      readyImages: services.images.ready,
      animates: page.animates
    )
  }

  // MARK: - For the page

  /// What is drawn.
  package var card: Card { state.display.card }

  /// Whether the widget has nothing to show.
  package var isHidden: Bool { state.display.isHidden }

  /// Whether the process has ended for good, so that a page that closes need not wait for it.
  package var isFinished: Bool { state.widget.isFinished }

  /// Whether the host is quitting, and nothing but expiring activities is to be waited for.
  package var isLeaving: Bool { state.widget.session.isLeaving }

  /// Whether the page is locked, so that no private content is shown.
  package var isPageLocked: Bool { page.environment.redactsPrivate }

  /// Whether the page shows nothing of the card but its name.
  package var isConcealed: Bool { isPageLocked && !state.isAllowedWhenLocked }

  /// The card as the page shows it.
  package var shownCard: Card { isConcealed ? card.concealed : card }

  /// The body as the page shows it; nil without a view.
  package func shownBody(at now: ContinuousClock.Instant) -> CardBody? {
    card.view == nil || isConcealed ? nil : body(at: now)
  }

  /// Returns the body at a moment.
  package func body(at now: ContinuousClock.Instant) -> CardBody {
    defer { wantDrawings() }
    return state.display.body(context(at: Moment(now: now, date: clock.date)))
  }

  /// Returns the view as others may see it, with what is private covered, and nothing to press but links to the web;
  /// nil without a view.
  ///
  /// Its pictures are drawn as those of the card are. With `isSpoken` it is for screen readers, with the labels of
  /// elements in place of their pictures.
  package func publicLayout(width: Int, isSpoken: Bool) -> LaidOutView? {
    guard let view = card.view else {
      publicDrawings = [:]
      return nil
    }
    var environment = state.display.environment(context(at: clock.moment))
    environment.redactsPrivate = true
    environment.takesTurns = false
    if isSpoken { (environment.showsLabels, environment.glyphs) = (true, .ascii) }
    let layout = ViewLayout.layOut(
      view.forReaders(WebLink.isAllowed),
      width: width,
      in: environment
    )
    if !isSpoken {
      publicDrawings[width] = layout.images.isEmpty ? nil : Set(layout.images)
      wantDrawings()
    }
    return layout
  }

  /// The view for others who lay it out themselves; nil without one, and if a part of it is private, or a file.
  package var publicView: ViewNode? {
    guard let view = card.view, !view.hasPrivateContent else { return nil }
    let hasFiles = view.imageSources.contains { if case .path = $0 { true } else { false } }
    return hasFiles ? nil : view.forReaders(WebLink.isAllowed)
  }

  /// Whether no change of the card is pending.
  package var isSettled: Bool {
    defer { setTimer() }
    return state.isSettled(at: clock.now)
  }

  /// What the updates depend on at present.
  package var updateFacts: UpdateFacts {
    UpdateFacts(state, services.refreshPolicy.value, at: clock.moment)
  }

  /// When the next update is scheduled, which may be in the past; nil if none is.
  package var nextUpdate: Date? { state.updates.schedule.nextUpdate(updateFacts) }

  /// The machine on which its widget runs; nil for this one.
  package var machine: RemoteDestination? {
    session?.bundle.script?.options.host ?? page.host(of: id)
  }

  /// The page has a different bundle for the card.
  package func replace(by bundle: WidgetBundle) {
    session?.replace(by: bundle)
    send(.replaced(bundle, name: heading(of: bundle)))
  }

  /// Its widget runs on another machine from now on.
  package func machineDidChange() {
    if let bundle = session?.bundle { send(.moved(name: heading(of: bundle))) }
  }

  /// The name of the card, with the machine on which its widget runs.
  private func heading(of bundle: WidgetBundle) -> SafeText {
    let name = id.heading(bundle.displayName)
    // A card that was added for a machine is named after it.
    guard let host = page.host(of: id), host.machine != id.instance?.rawValue else { return name }
    return "\(name) · \(SafeText(host.machine))"
  }

  // MARK: - Earlier contents

  /// The largest size of the body, of which the widget is told.
  package var maximumSize: Size {
    state.display.size.toldMaximum(isCovered: state.display.content.isCovered)
  }

  /// The contents of the card in its present form during the last day.
  package var pastContents: PastContents { services.store.past(of: state.display.snapshotKey) }

  /// When the widget sent what the card shows, or shows again after a look back; nil if it shows nothing.
  package var pictureDate: Date? { state.display.content.pictureDate }

  /// Whether an earlier content is the same as the one that is shown.
  package func isShown(_ content: PastContent) -> Bool {
    card.view?.withoutPrivateContent == content.view
  }

  // MARK: - Pictures

  /// Whether a picture of the card will be drawn, or refused, in a moment.
  package var hasPendingImages: Bool { drawings.contains(where: services.images.isInProgress) }

  /// A drawing is there or was refused; nil if all must be drawn again.
  package func libraryDidChange(_ drawing: ImageDrawing?) {
    guard drawing.map(drawings.contains) ?? !state.display.images.found.isEmpty else { return }
    if drawing == nil { services.images.want(drawings, for: id) }
    send(.imageDrawn(drawing, drawing.flatMap(services.images.fault)))
  }

  /// Has the pictures of the last layout drawn.
  private func wantDrawings() {
    let wanted = publicDrawings.values.reduce(state.display.content.drawings) { $0.union($1) }
    guard !wanted.isEmpty || !drawings.isEmpty else { return }
    drawings = wanted
    services.images.want(wanted, for: id)
  }

  // MARK: - Effects

  private func perform(_ effect: CardEffect) {
    switch effect {
    case .session(let event): tell(event)
    case .quitSession: session?.quit()
    case .log(let words): log(words)
    case .requestUpdate(let reason):
      tell(.update(reason))
      // The session may be performing what has led to this, and takes the request later.
      session?.afterEvents { [weak self] in self?.send(.updateRequested(reason)) }
    case .tryLock(let reason): send(.lock(tryLock(), reason))
    case .keepLock:
      let isKept = services.histories.locks.keep(id) { [weak self] in self?.send(.lockWanted) }
      if !isKept { send(.lockNotKept) }
    case .endKeepingLock: services.histories.locks.end(id)
    case .releaseLock: lock = nil
    case .keepSnapshot(let snapshot): services.store.keep(snapshot)
    case .keepHistory(let history, let releasesLock):
      services.histories.keep(history, of: id, releasing: releasesLock ? lock : nil)
      if releasesLock { lock = nil }
    case .announce(let picture): services.histories.announce(picture, of: id)
    case .keepFolds(let change, let today):
      // What cannot be written is kept until the program ends.
      Worker.writing.async { [folds, id] in try? folds.change(id, today: today, change) }
    case .open(let url, let call, let isPress, let age):
      isPress ? open(url) : open(url, call, sincePress: age)
    case .perform(let request, let call, let age): perform(request, call, sincePress: age)
    case .transfer(let event): page.services.transfer(event, of: id)
    case .say(let words): say(words)
    case .unsay(let words): page.unsay("\(card.name): \(words)")
    case .didUpdate(let outcome): page.cardDidUpdate(id, outcome)
    case .formWasChosen: page.cardFormWasChosen()
    case .beginToMove: page.cardDidBeginToMove()
    case .didFinish: page.cardDidFinish()
    case .mayHaveSettled: page.cardMayHaveSettled()
    }
  }

  private func tryLock() -> LockAttempt {
    switch services.histories.locks.attempt(id) {
    case .held(let lock):
      self.lock = lock
      return .held
    case .busy: return .busy
    case .foreign(let holder): return .foreign(holder)
    case .unavailable: return .unavailable
    }
  }

  /// Writes a line to the widget's log.
  package func log(_ words: SafeText) {
    session?.log.write(words)
  }

  /// Shows words about the card to the user.
  package func say(_ words: SafeText) {
    if !isConcealed { page.say("\(card.name): \(words)") }
  }
}

// MARK: - Requests of the widget

extension CardRuntime {
  /// Answers a request to open a URL, which is allowed only shortly after a press by the user, unless the
  /// user trusts the app.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - call: The identifier of the request; nil for a notification, which has no answer.
  ///   - sincePress: The time since the last press, or nil if there was none.
  private func open(_ url: String, _ call: MessageID?, sincePress: Duration?) {
    if let refusal = OpenURLPolicy.refusal(sincePress: sincePress),
      !page.services.isTrusted(sender)
    {
      log(SafeText("openURL refused: \(refusal)"))
      session?.answer(open: call, success: false)
      return
    }
    open(url) { [weak self] in self?.session?.answer(open: call, success: $0 == nil) }
  }

  private var sender: URLSender {
    URLSender(id: id, name: card.name, app: session?.bundle.containingApp)
  }

  /// Opens a URL for the widget; if it is refused, the log and the line below the page say why.
  package func open(_ url: String, completion: @escaping (URLRefusal?) -> Void = { _ in }) {
    page.services.open(url, for: sender) { [weak self, weak page, name = card.name] refusal in
      if let refusal {
        self?.log(SafeText("openURL refused: \(refusal)"))
        if !refusal.isKnownToUser { page?.say(SafeText("\(name): not opened: \(refusal)")) }
      }
      completion(refusal)
    }
  }

  /// Answers a request that the session passes on.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - call: Takes the answer.
  ///   - sincePress: The time since the last press; nil if there was none, or the page is locked.
  private func perform(_ request: PageRequest, _ call: ServiceCall, sincePress: Duration?) {
    switch request {
    case .setHasContent(let request): setHasContent(request, call)
    case .transfer(let request): page.services.transfer(.request(request, call), of: id)
    case .signal(let request): signal(request, call, sincePress: sincePress)
    case .alert(let request): page.services.alert(request, call, of: id)
    case .notice(let request):
      page.services.notice(request, call, of: id, sincePress: sincePress)
    case .configuration(let request):
      page.services.configure(request, call, of: id, sincePress: sincePress)
    case .update:
      guard session?.bundle.script != nil else {
        return call.answer(refusal: .methodNotFound(RequestUpdateRequest.method))
      }
      call.answer(with: RequestUpdateRequest.Reply())
      tell(.update(.event))
    case .search:
      guard session?.bundle.script != nil else {
        return call.answer(refusal: .methodNotFound(SearchScriptsRequest.method))
      }
      page.services.searchScripts { call.answer(with: SearchScriptsRequest.Reply()) }
    case .command(let request):
      page.services.run(request, call, of: id, sincePress: sincePress)
    }
  }

  /// Sends a signal to a process, which is allowed only shortly after a press by the user.
  private func signal(_ request: SendSignalRequest, _ call: ServiceCall, sincePress: Duration?) {
    let signal = SentSignal(request: request)
    let isPermitted = page.services.isGranted(.processSignal, to: id)
    let refusal =
      signal.refusal(isPermitted: isPermitted, sincePress: sincePress) ?? signal.send()
    if let refusal { return call.answer(refusal: refusal) }
    log("sent signal \(request.signal) to process \(request.process)")
    call.answer(with: SendSignalRequest.Reply())
  }

  /// Shows or hides a card.
  private func setHasContent(_ request: SetHasContentRequest, _ call: ServiceCall) {
    if let refusal = page.services.refusal(of: request, from: id) {
      return call.answer(refusal: refusal)
    }
    // The widget that hides itself is ended, and has the answer before.
    call.answer(with: SetHasContentRequest.Reply())
    page.services.setHasContent(request, from: id)
  }
}
