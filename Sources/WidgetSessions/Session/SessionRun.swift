import WidgetExtensions
import WidgetKitCore

/// One process of a widget: its life, with what the Today view adds to it.
///
/// Everything that is known of a process is in here, so that nothing of it remains when the value is
/// dropped. What the page wants of the widget outlives the process, and is passed in.
///
/// | part | job |
/// | --- | --- |
/// | ``ExtensionLife`` | the process: its start and end, its limits |
/// | ``ProcessChannel`` | what is said to it: messages, deadlines and suspension |
/// | ``ViewAppearance`` | margins, and how the view appears and disappears |
/// | ``OpenWork`` | presses, changes of lists and transitions that are not finished |
/// | ``WidgetEditing`` | whether the user edits the widget |
struct SessionRun {
  private(set) var process: ExtensionLife
  private(set) var view = ViewAppearance()
  private(set) var editing = WidgetEditing()
  private var work = OpenWork()
  /// Whether it said in its answer to `initialize` that the user can edit it.
  private var allowsEditing = false
  /// Whether an update was not answered in time, and nothing has come since.
  private(set) var doesNotAnswer = false

  /// A process that is about to be started.
  init(_ process: ExtensionLife) {
    self.process = process
  }

  /// Whether it can be told of a transition; a suspended one is told its size when it appears.
  var receivesTransitions: Bool {
    !process.isSuspended && process.channel.sends(ViewWillTransitionToSizeRequest.method)
  }

  /// Whether the widget works on something that it was asked for.
  func isAtWork(_ demand: SessionDemand) -> Bool {
    process.isAtWork(demand.updates.isUpdating || !work.isEmpty)
  }

  /// Whether the page needs it at this moment.
  private func isInUse(_ demand: SessionDemand) -> Bool {
    view.state != .off || demand.view != nil || view.waitsForMargins || demand.updates.isUpdating
  }

  /// Ends an event, and hands out what is to be done.
  mutating func settle(
    _ demand: SessionDemand,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    process.settle(
      isInUse: isInUse(demand),
      isBusy: !work.isEmpty,
      view: (view.state, isWanted: demand.view != nil),
      at: now
    )
  }

  /// Passes on what happens to the process, whatever it shows.
  mutating func handle(_ event: SessionEvent, at now: ContinuousClock.Instant) {
    process.handle(event, at: now)
  }

  // MARK: - Start and end

  private mutating func initialized(
    _ reply: InitializeRequest.Reply,
    _ demand: inout SessionDemand
  ) {
    guard process.initialized(reply) else { return }
    allowsEditing = reply.allowsEditing ?? false
    if let mode = reply.largestAvailableDisplayMode {
      process.channel.report(.largestDisplayMode(mode))
    }
    process.channel.apply(reply.content, .appearance)
    guard process.channel.knowsSettings else { return restartForSettings() }
    process.channel.tellChanges()
    if !view.requestMargins(&process.channel) { begin(&demand) }
  }

  private mutating func marginsEnded(_ demand: inout SessionDemand) {
    if view.marginsEnded(&process.channel) { begin(&demand) }
  }

  /// Starts what the page has wanted since before the process was ready.
  private mutating func begin(_ demand: inout SessionDemand) {
    willAppear(&demand)
    if let reason = demand.updates.takeNext() { request(reason, &demand) }
  }

  /// The program on disk is another one.
  mutating func bundleChanged() {
    guard process.channel.isUp else { return }
    process.channel.disarm(.initialize)
    restart("the bundle has changed: the process was ended, the new one starts")
  }

  private mutating func restart(_ words: String) {
    process.channel.log(words)
    editing.end(&process.channel)
    process.shutdown()
  }

  private mutating func restartForSettings() {
    restart("the settings have changed: the process was ended, the new one starts")
  }

  /// Ends a process that does not answer, so that another one takes its place.
  mutating func replace() {
    process.channel.log("does not answer: the process is ended, and a new one starts", isKept: true)
    process.channel.disarm(.widgetPerformUpdate)
    editing.end(&process.channel)
    process.terminate()
  }

  /// The host quits; `isHeldBack`: it does not read what the widget sends.
  mutating func quit(isHeldBack: Bool, _ demand: inout SessionDemand) {
    let isRunning = process.stage == .running
    process.quit()
    guard isRunning else { return }
    // Answers are not read, so nothing is waited for.
    if isHeldBack, process.activities.granted.isEmpty { return process.terminate() }
    if view.isVisible, !isHeldBack { disappear(&demand) } else { process.leave() }
  }

  // MARK: - View

  /// The card is on the screen.
  mutating func appear(_ demand: inout SessionDemand) {
    if process.stage == .running, !view.waitsForMargins { willAppear(&demand) }
  }

  /// The card is off the screen, or the host is about to be suspended or to quit.
  mutating func disappear(_ demand: inout SessionDemand) {
    guard view.state == .on || demand.isQuitting && view.state == .appearing else { return }
    editing.end(&process.channel)
    move(&demand) { $0.willDisappear(&$1) }
  }

  private mutating func willAppear(_ demand: inout SessionDemand) {
    guard view.state == .off, let wanted = demand.view else { return }
    move(&demand) { $0.willAppear(wanted, &$1) }
  }

  /// Moves the view, and does what follows if it has come on the screen or left it.
  private mutating func move(
    _ demand: inout SessionDemand,
    _ step: (inout ViewAppearance, inout ProcessChannel) -> Void
  ) {
    let state = view.state
    step(&view, &process.channel)
    guard view.state != state else { return }
    switch view.state {
    case .appearing, .disappearing: break
    case .on:
      for press in demand.presses.takeAll() { self.press(press, &demand) }
      if demand.view == nil { disappear(&demand) }
    case .off: demand.isQuitting ? process.leave() : willAppear(&demand)
    }
  }

  // MARK: - From the page

  /// Sends a press, or lets it wait for the live view, which may be that of the next process.
  mutating func press(_ press: PerformActionRequest, _ demand: inout SessionDemand) {
    switch process.stage {
    case .running where view.acceptsPresses: work.press(press, &process.channel)
    case .ending where demand.isQuitting, .ending(failure: _?):
      process.channel.report(.pressDropped)
    case .initializing, .running, .ending(failure: nil):
      let isHeld = demand.presses.hold(press, limit: process.channel.policy.openPresses)
      if !isHeld { process.channel.report(.pressDropped) }
    }
  }

  /// Tells the widget of a change of a list, which is not done if it cannot be told now.
  mutating func change(_ change: ListChange) {
    guard process.stage == .running, view.acceptsPresses else {
      return process.channel.report(.listEnded(change, .failed("The widget is not ready.")))
    }
    work.change(change, &process.channel)
  }

  /// Whether the user can edit the widget now.
  var canBeEdited: Bool { process.stage == .running && allowsEditing && view.state == .on }

  /// The user begins to edit the widget, or has finished.
  mutating func edit(_ begins: Bool) {
    if !begins {
      editing.end(&process.channel)
    } else if canBeEdited {
      editing.begin(&process.channel)
    }
  }

  /// Asks for an update now or later.
  mutating func request(_ reason: UpdateReason, _ demand: inout SessionDemand) {
    switch process.stage {
    case .running where !demand.isPaused && !view.waitsForMargins:
      demand.updates.begin(reason, &process.channel)
    case .ending where demand.isQuitting && !demand.isPaused: break
    case .initializing, .running, .ending: demand.updates.wait(for: reason)
    }
  }

  /// Does something with the update in progress, and begins the one that has waited for its end.
  private mutating func endUpdate(
    _ demand: inout SessionDemand,
    _ end: (inout UpdateQueue, inout ProcessChannel) -> Void
  ) {
    let wasUpdating = demand.updates.isUpdating
    end(&demand.updates, &process.channel)
    guard wasUpdating, !demand.isPaused, let next = demand.updates.takeNext() else { return }
    request(next, &demand)
  }

  /// Tells the widget of a transition, if it can be told.
  mutating func transition(_ request: ViewWillTransitionToSizeRequest) {
    if receivesTransitions { work.transition(request, &process.channel) }
  }

  /// Tells the widget of the end of a transition that it was told of.
  mutating func transitionEnded(_ id: Int, finished: Bool) {
    work.transitionEnded(id, finished: finished, &process.channel)
  }

  /// Tells the widget of other settings, a suspended one later; one that cannot be told is ended, and
  /// the next process has them.
  mutating func configurationDidChange(_ configuration: WidgetConfiguration) {
    if !process.channel.configurationDidChange(configuration) { restartForSettings() }
  }

  /// The page was hidden, is shown again, or has got or lost the focus, also because the host is about to be suspended
  /// or continues.
  mutating func hostDidChange(_ demand: SessionDemand) {
    process.channel.hostDidChange(demand.host, isPaused: demand.isPaused)
  }

  /// The host is about to be suspended: the view disappears, and open activities get a last moment.
  mutating func pause(_ demand: inout SessionDemand) {
    disappear(&demand)
    process.channel.expireActivities()
  }

  /// The host continues: what it was suspended in goes on.
  mutating func unpause(_ demand: SessionDemand) {
    if process.stage == .initializing || process.stage == .running && isInUse(demand) {
      process.channel.resume()
    }
  }

  // MARK: - From the widget

  /// Takes an answer to a request of the host.
  mutating func replied(_ reply: HostReply, _ demand: inout SessionDemand) {
    doesNotAnswer = false
    switch reply {
    case .initialize(let reply): initialized(reply, &demand)
    case .widgetMarginInsets(let insets):
      process.channel.report(.marginInsets(insets))
      marginsEnded(&demand)
    case .viewWillAppear(let content):
      process.channel.apply(content, .appearance)
      move(&demand) { $0.didAppear(&$1) }
    case .viewWillDisappear(let content):
      guard view.state == .disappearing else { return }
      process.channel.apply(content, .disappearance)
      move(&demand) { $0.didDisappear(&$1) }
    case .widgetPerformUpdate(let reply): endUpdate(&demand) { $0.replied(reply, &$1) }
    case .viewWillTransitionToSize(let transition, let reply):
      process.channel.report(.alongside(transition: transition, reply.alongside))
    case .performAction(let action, let reply): work.pressEnded(action, reply, &process.channel)
    case .handleEvents(let identifier): process.eventsHandled(identifier, refusal: nil)
    case .list(let change, let isAllowed, let content):
      work.changeEnded(change, isAllowed ? .done : .refused, &process.channel)
      process.channel.apply(content, .action)
    // A card has no request.
    case .content: break
    case .refused(let call, let error):
      process.channel.log("\(call.method): \(error)")
      refused(call, error, &demand)
    }
  }

  /// Takes an error, which counts as an answer.
  private mutating func refused(
    _ call: HostCall,
    _ error: WireError,
    _ demand: inout SessionDemand
  ) {
    switch call {
    case .initialize: process.initializeFailed(error)
    case .widgetMarginInsets: marginsEnded(&demand)
    case .viewWillAppear: move(&demand) { $0.didAppear(&$1) }
    case .viewWillDisappear: move(&demand) { $0.didDisappear(&$1) }
    case .widgetPerformUpdate: endUpdate(&demand) { $0.refused(error, &$1) }
    case .viewWillTransitionToSize(let id): process.channel.report(.alongside(transition: id, nil))
    case .performAction(let action):
      work.pressEnded(action, error, &process.channel)
    case .list(let change): work.changeEnded(change, .failed(error.message), &process.channel)
    case .handleEvents(let identifier): process.eventsHandled(identifier, refusal: error)
    case .content: break
    }
  }

  /// Takes a notification or a request.
  mutating func received(_ message: WidgetMessage) {
    doesNotAnswer = false
    switch message {
    case .setView where process.stage == .initializing:
      process.channel.log("setView before initialize was answered: dropped")
    case .setView(let view): process.channel.apply(ContentUpdate(view: view), .push)
    case .setPreferredContentSize(let size):
      process.channel.apply(ContentUpdate(preferredContentSize: size.stated), .push)
    case .setLargestAvailableDisplayMode(let mode):
      process.channel.report(.largestDisplayMode(mode))
    default: process.received(message)
    }
  }

  /// The time for something has run out.
  mutating func ranOut(_ deadline: SessionDeadline, _ demand: inout SessionDemand) {
    switch deadline {
    case .widgetMarginInsets:
      process.channel.log("slow: no answer to widgetMarginInsets")
      marginsEnded(&demand)
    case .viewWillAppear: move(&demand) { $0.appearTimedOut(&$1) }
    case .viewWillDisappear: move(&demand) { $0.disappearTimedOut(&$1) }
    case .widgetPerformUpdate:
      doesNotAnswer = demand.updates.isUpdating && process.stage == .running
      endUpdate(&demand) { $0.timedOut(&$1) }
    default: process.ranOut(deadline)
    }
  }
}
