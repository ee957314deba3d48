import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// A card of the page as a value: ``handle(_:in:_:)`` takes an event and returns what is to be done.
///
/// The session, timers and files only perform that, so that all decisions are tested without them.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``CardWidget`` | what the process is doing, and whether its view is on the screen |
/// | ``CardDisplay`` | what is shown: heading, content, size, pictures, presses and input |
/// | ``CardUpdates`` | when updates are requested, by this host or another one; the age of the content |
package struct CardState {
  package internal(set) var widget: CardWidget
  package internal(set) var display: CardDisplay
  package private(set) var updates: CardUpdates
  /// Changes whenever the card must be drawn again; the time alone does not change it.
  private(set) var revision = 0

  /// Whether the card is shown while the page is locked, without its private content.
  private(set) var isAllowedWhenLocked = false
  private var pressFailure = PressFailure()

  /// Creates a card without a widget.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - name: The name in the heading.
  ///   - limits: The limits on what the widget may want.
  ///   - waitingPresses: The most presses that wait for the live view.
  ///   - locale: The user's locale.
  ///   - isFollowed: Whether updates are made when they are due, as on an interactive page.
  init(
    id: CardID,
    name: SafeText,
    limits: HostLimits,
    waitingPresses: Int,
    locale: String,
    isFollowed: Bool
  ) {
    widget = CardWidget(awaitsFirstViews: !isFollowed)
    display = CardDisplay(
      id: id,
      name: name,
      limits: limits,
      waitingPresses: waitingPresses,
      locale: locale
    )
    updates = CardUpdates(id: id, isFollowed: isFollowed)
  }

  // MARK: - What is known

  /// When ``CardEvent/timer`` is to be sent.
  var due: ContinuousClock.Instant? {
    [widget.due, display.due, updates.due].compactMap(\.self).min()
  }

  /// Whether no change of the card is pending; a wait for the first view begins with the first call.
  mutating func isSettled(at now: ContinuousClock.Instant) -> Bool {
    guard widget.isSettled else { return false }
    return !widget.isRunning
      || display.size.isSettled
        && !widget.awaitsFirstView(hasContent: display.card.view != nil, at: now)
  }

  // MARK: - Events

  /// Takes an event and returns what is to be done, in order.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - context: What holds around the card at this moment.
  ///   - queries: What can be looked up.
  /// - Returns: What is to be done, in its order.
  mutating func handle(
    _ event: CardEvent,
    in context: CardContext,
    _ queries: CardQueries
  ) -> [CardEffect] {
    var turn = CardTurn(context, queries, widget)
    handle(event, &turn)
    widget = turn.widget
    display.card.confirmationDate = updates.confirmationDate
    display.card.show(display, updates.freshness, widget)
    if turn.isDrawn { revision += 1 }
    return turn.effects
  }

  private mutating func handle(_ event: CardEvent, _ turn: inout CardTurn) {
    switch event {
    case .attached(let bundle, let name): attach(bundle, name, &turn)
    case .replaced(let bundle, let name):
      display.card.setHeading(name, bundle)
      turn.widget.bundle = bundle
      updates.planSchedule(&display, &turn)
    case .moved(let name):
      display.card.name = name
      turn.send(.bundleChanged)
      turn.send(.update(.event))
      turn.draw()
    case .restored(let mode, let offersExpanded, let margins):
      display.sizing(&turn) { size, _, _ in
        size.restore(mode, offersExpanded: offersExpanded, margins: margins)
      }
    case .mark(let mark): display.card.mark = mark
    case .page(let page): display.card.page = page
    case .span(let span):
      if span != display.card.span { turn.draw() }
      display.card.span = span
    case .frame(let width, let leastRows, let showsSnapshot):
      // Alone, the form is another one, and so is its snapshot.
      if display.size.form.isAlone != (leastRows != nil) { updates.keepContent(&display, &turn) }
      let looks = display.setFrame(
        innerWidth: width,
        leastRows: leastRows,
        showsSnapshot: showsSnapshot,
        &turn
      )
      if looks { updates.snapshotMayHaveCome(&display, &turn) }
    case .growth(let growth):
      // The snapshot of the other form is another one.
      if growth != display.size.form.growth { updates.keepContent(&display, &turn) }
      display.sizing(&turn) { $0.setGrowth(growth, &$1, &$2) }
      turn.draw()
    case .snapshotTurn:
      if display.showOwedSnapshot(&turn) { updates.snapshotMayHaveCome(&display, &turn) }
    case .allowedWhenLocked(let isAllowed):
      if isAllowed != isAllowedWhenLocked { turn.draw() }
      isAllowedWhenLocked = isAllowed
    case .hidden(true): display.health.hide()
    case .hidden(false): display.health.unhide()
    case .discarded: display.content.discardPicture()
    case .question(let question):
      display.content.setQuestion(question)
      coverDidChange(&turn)
    case .cover(let view):
      display.content.setCover(view)
      coverDidChange(&turn)
    case .past(let past):
      display.changingContent(&turn) { display, turn in
        display.content.setPast(past)
        _ = display.viewDidChange(&turn)
        display.contentDidChange(resizes: true, &turn)
      }
    case .visible(let isVisible):
      guard isVisible != turn.widget.isOnPage else { return }
      let now = turn.now
      changeVisibility(&turn) { $0.setOnPage(isVisible, size: $1, at: now) }
    case .host(let state):
      if state == .background { finishMotion(&turn) }
      changeVisibility(&turn) { $0.setHost(state, size: $1) }
    case .environmentChanged: relayOut(&turn)
    case .keep: updates.keepContent(&display, &turn)
    case .pause:
      finishMotion(&turn)
      updates.yield(&display, &turn)
      turn.widget.pause()
      turn.send(.pause)
    case .unpause:
      turn.send(.unpause(showing: turn.widget.viewToShow(display.size.body)))
      updates.plan(&display, &turn)
    case .clockJumped(let hasSlept, let shift, let place):
      if shift != 0 { display.content.clockWasSet(by: shift) }
      relayOut(&turn)
      let delay = turn.widget.isVisible ? Double(place) * 0.3 : 0
      updates.catchUp(hasSlept: hasSlept, shift: shift, notBefore: delay, &display, &turn)
    case .quit: quit(&turn)
    case .refresh(.appear): updates.viewDidAppear(&display, &turn)
    case .refresh(let reason): turn.send(.update(reason))
    case .refreshIfDue(let reason): updates.refreshIfDue(reason, &display, &turn)
    case .plan: updates.plan(&display, &turn)
    case .checkAge: updates.checkAge(display, &turn)
    case .madeElsewhere(let history?): updates.takeOver(history, &display, &turn)
    case .madeElsewhere(nil): display.takeOverSnapshot(&turn)
    case .imageDrawn(let drawing, let fault):
      if let drawing, let fault { display.images.note(fault, of: drawing, &turn) }
      relayOut(&turn)
      turn.effects.append(.mayHaveSettled)
    case .command(let isRunning, let isIts):
      if display.presses.setCommand(isRunning: isRunning, isIts) {
        display.pressesDidChange(&turn)
      }
    case .press(let target): display.press(target, &turn)
    case .deliver(let target): display.deliver(target, &turn)
    case .type(let edit, let field): display.type(edit, in: field, &turn)
    case .enter(let field, let target): display.enter(field, of: target, &turn)
    case .removeRow(let row): changeLists(&turn) { lists, _, methods in lists.remove(row, methods) }
    case .moveRow(let row, let distance):
      changeLists(&turn) { $0.move(row, by: distance, in: $1, $2) }
    case .addRow(let list): changeLists(&turn) { lists, _, methods in lists.add(to: list, methods) }
    case .toggleForm:
      guard display.size.form.offersExpanded else { return }
      display.presses.note(at: turn.now)
      choose(display.size.form.nextChoice, &turn)
      turn.effects.append(.formWasChosen)
    case .leaveForm:
      guard display.size.form.chosenMode != nil else { return }
      choose(nil, &turn)
      turn.effects.append(.formWasChosen)
    case .form(let mode):
      if display.size.form.takes(mode) { choose(mode, &turn) }
      display.sizing(&turn) { size, _, _ in size.form.note(choice: mode) }
    case .report(let report):
      take(report, &turn)
      turn.effects.append(.mayHaveSettled)
    case .request(let request, let call):
      let isLocked = turn.context.environment.redactsPrivate
      let age = isLocked ? nil : display.presses.age(at: turn.now)
      turn.effects += [.perform(request, call, sincePress: age), .mayHaveSettled]
    case .launch:
      // Values of the previous process are used only until this one shows content.
      display.content.processDidBegin()
      turn.widget.processDidBegin()
      display.sizing(&turn) { size, _, _ in size.processDidBegin() }
      display.images.processDidBegin()
    case .updateChanged:
      updates.updateDidChange(display, &turn)
      turn.effects.append(.mayHaveSettled)
    case .timer:
      if turn.widget.wake(at: turn.now) { turn.send(.disappear) }
      display.wake(&turn)
      if display.content.takesSaving(at: turn.now) { updates.keepContent(&display, &turn) }
      updates.wake(&display, &turn)
      turn.effects.append(.mayHaveSettled)
    case .lock(let attempt, let reason):
      updates.lockWasTried(attempt, reason, &display, &turn)
    case .lockNotKept: updates.lockIsNotKept(&display, &turn)
    case .lockWanted: updates.lockIsWanted(&display, &turn)
    case .updateRequested(let reason): updates.updateWasRequested(reason, &display, &turn)
    }
  }

  private mutating func attach(_ bundle: WidgetBundle, _ name: SafeText, _ turn: inout CardTurn) {
    display.card.setHeading(name, bundle)
    turn.widget.bundle = bundle
    if turn.widget.host != .active { turn.send(.host(turn.widget.host, showing: nil)) }
    // With the bundle it is known where the pictures of a snapshot are.
    if display.viewDidChange(&turn) { display.contentDidChange(resizes: true, &turn) }
    updates.readShared(display, turn)
    if display.content.hasLookedForSnapshot {
      updates.takeOver(updates.schedule.history, &display, &turn)
      updates.settleHistory(&display, &turn)
    } else if display.size.room.hasWidth, !display.content.owesSnapshot {
      display.showSnapshot(&turn)
      display.sizing(&turn) { $0.resize(animated: false, &$1, &$2) }
      updates.snapshotMayHaveCome(&display, &turn)
    }
    updates.plan(&display, &turn)
  }

  /// Something is shown in place of the content, or the content again.
  private mutating func coverDidChange(_ turn: inout CardTurn) {
    _ = display.viewDidChange(&turn)
    display.contentDidChange(resizes: true, &turn)
  }

  /// Lays out the content again because the environment changed.
  private mutating func relayOut(_ turn: inout CardTurn) {
    display.content.relayOut()
    turn.draw()
  }

  private mutating func changeVisibility(
    _ turn: inout CardTurn,
    _ change: (inout CardWidget, Size) -> SessionEvent?
  ) {
    let wasVisible = turn.widget.isVisible
    if let event = change(&turn.widget, display.size.body) { turn.send(event) }
    guard turn.widget.isVisible != wasVisible else { return }
    updates.setVisible(turn.widget.isVisible, at: turn.now)
    updates.plan(&display, &turn)
  }

  private mutating func finishMotion(_ turn: inout CardTurn) {
    display.sizing(&turn) { $0.endMotion(finished: true, &$1, &$2) }
  }

  private mutating func changeLists(
    _ turn: inout CardTurn,
    _ change: (inout CardLists, ViewNode?, Set<String>) -> [CardLists.Step]
  ) {
    guard !display.isHidden else { return }
    let (view, methods) = (display.content.view, turn.widget.implemented)
    display.perform(change(&display.input.lists, view, methods), &turn)
  }

  private mutating func choose(_ mode: DisplayMode?, _ turn: inout CardTurn) {
    // The snapshot of the other form is another one.
    updates.keepContent(&display, &turn)
    display.choose(mode, &turn)
  }

  private mutating func quit(_ turn: inout CardTurn) {
    updates.stop(&display, &turn)
    display.content.stop()
    display.input.stop()
    display.images.stop()
    display.sizing(&turn) { size, _, _ in size.motion.stop() }
    finishMotion(&turn)
    // Content that was pushed while the card was off the screen is saved only here.
    updates.keepContent(&display, &turn)
    turn.widget.quit()
    turn.effects.append(.quitSession)
  }

  // MARK: - Reports of the session

  private mutating func take(_ report: CardReport, _ turn: inout CardTurn) {
    switch report {
    case .apply(let content, let source):
      display.apply(content, source, &turn)
      updates.checkAge(display, &turn)
      display.deliverWaiting(&turn)
    case .becameLive:
      turn.effects.append(.transfer(.resumed))
      display.viewDidAppear(&turn)
      updates.viewDidAppear(&display, &turn)
      display.tell(display.input.viewDidAppear(turn), &turn)
      display.deliverWaiting(&turn)
    case .disappeared: updates.keepContent(&display, &turn)
    case .health(.snapshot, _):
      display.processDidEnd(&turn)
      if display.health.processDidEnd(hasView: display.card.view != nil) { turn.draw() }
    case .health(let state, let message): setHealth(state, message, &turn)
    case .marginInsets(let insets): display.sizing(&turn) { $0.setMargins(insets, &$1, &$2) }
    case .largestDisplayMode(let mode):
      turn.widget.formsWereStated()
      display.sizing(&turn) { $0.setLargest(mode, &$1, &$2) }
    case .alongside(let transition, let view): display.alongside(transition, view, &turn)
    case .updateEnded(let outcome):
      display.health.updateDidEnd(failure: outcome.failure)
      if outcome.reason == .user { endPressWords(&turn) }
      updates.ended(outcome, &display, &turn)
      turn.effects.append(.didUpdate(outcome))
      display.deliverWaiting(&turn)
    case .open(let url, let call):
      let age = display.presses.age(at: turn.now)
      turn.effects.append(.open(url: url, call: call, isPress: false, sincePress: age))
    case .pressDropped:
      display.presses.drop()
      display.pressesDidChange(&turn)
    case .pressEnded(let action, let failure):
      pressEnded(action, failure == nil ? .done : .failed, failure, &turn)
    case .pressRefused(let action, let words): pressEnded(action, .refused, words, &turn)
    case .leaving: turn.effects.append(.didFinish)
    case .suspended: turn.effects += [.transfer(.suspended), .didFinish]
    case .transferEventsHandled(let identifier, let refusal):
      turn.effects.append(.transfer(.handled(identifier: identifier, refusal)))
    case .listEnded(let change, let outcome):
      display.perform(display.input.lists.ended(change, outcome), &turn)
    case .edited(let isEdited): display.setEdited(isEdited, &turn)
    // A card asks in words of its own, and has no request.
    case .answered, .content, .requestFailed: break
    case .finished:
      turn.effects.append(.transfer(.ended))
      updates.keepContent(&display, &turn)
      turn.widget.didFinish()
      updates.didFinish(&turn)
      turn.effects.append(.didFinish)
    }
  }

  /// Shows what came of a press; `words` are said below the page until the next one.
  private mutating func pressEnded(
    _ action: String,
    _ end: CardPresses.End,
    _ words: String?,
    _ turn: inout CardTurn
  ) {
    display.presses.ended(action, end, at: turn.now)
    display.pressesDidChange(&turn)
    pressFailure.say(words, &turn)
  }

  /// Ends what was said about a press, as the user has asked for something else since.
  private mutating func endPressWords(_ turn: inout CardTurn) {
    pressFailure.end(&turn)
    display.presses.clearCue()
    if display.card.pressCue != display.presses.cue { turn.draw() }
  }

  /// Shows the widget's state in the heading.
  private mutating func setHealth(
    _ state: CardStatus,
    _ message: String?,
    _ turn: inout CardTurn
  ) {
    if state == .live, !turn.widget.hasAppeared, turn.widget.isVisible { return }
    if state == .failed || state == .stopped, !turn.widget.session.hasProcess {
      display.processDidEnd(&turn)
      display.presses.processDidEnd()
      display.pressesDidChange(&turn)
    }
    // An update without new data must not cause drawing.
    if display.health.set(state, message) { turn.draw() }
  }
}
