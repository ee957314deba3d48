import WidgetKitCore

/// The card that owns a ``CardLife``.
protocol CardLifeOwner: AnyObject {
  var card: Card { get }
  /// Changes values that are drawn.
  func change(_ change: (inout Card) -> Void)
  /// Shows a text to the user.
  func say(_ words: SafeText)
  /// Ends what was said, because its cause is over.
  func unsay(_ words: SafeText)
}

/// What becomes of a card while the process of its widget appears, works, ends or fails: it performs the
/// effects of the session, and keeps the state that the heading shows.
///
/// A class because the card and the page share its state.
final class CardLife {
  /// The state and the problem in the heading.
  private(set) var health = CardHealth() {
    didSet { owner.change { ($0.state, $0.message) = (health.state, health.message) } }
  }

  /// Why the last press has failed, which was said.
  private var failureSaid: SafeText?

  private unowned let owner: any CardLifeOwner
  private unowned let page: any CardPage
  private let services: CardServices
  private let content: CardContent
  private let widget: CardWidget
  private let size: CardSize
  private let updates: CardUpdates
  private let presses: CardPresses
  private let input: CardInput
  private let intake: CardIntake
  private let requests: CardRequests

  init(
    owner: any CardLifeOwner,
    page: any CardPage,
    services: CardServices,
    content: CardContent,
    widget: CardWidget,
    size: CardSize,
    updates: CardUpdates,
    presses: CardPresses,
    input: CardInput,
    intake: CardIntake,
    requests: CardRequests
  ) {
    self.owner = owner
    self.page = page
    self.services = services
    self.content = content
    self.widget = widget
    self.size = size
    self.updates = updates
    self.presses = presses
    self.input = input
    self.intake = intake
    self.requests = requests
  }

  private var card: Card { owner.card }

  // MARK: - From the page

  /// Hides the card because the widget has nothing to show.
  func hide() {
    health.hide()
  }

  /// Shows the card again because the widget has something to show.
  func unhide() {
    health.unhide()
  }

  /// Called when the card shows its saved snapshot.
  func snapshotDidShow() {
    health.snapshotDidShow()
  }

  /// Called when another host has made a good update, whose content is shown.
  func didTakeOverGoodUpdate() {
    health.updateDidEnd(failure: nil)
    if widget.hasAppeared { setHealth(.live, nil) }
  }

  // MARK: - From the session

  /// Performs an effect that the session reports.
  func perform(_ effect: CardEffect) {
    switch effect {
    case .apply(let content, let source): intake.apply(content, source)
    case .becameLive:
      page.services.transfer(.resumed, of: card.id)
      viewDidAppear()
    case .disappeared:
      content.keep()
      noteRows()
    case .health(.snapshot, _): processDidEnd()
    case .health(let state, let message): setHealth(state, message)
    case .marginInsets(let insets): size.setMargins(insets)
    case .largestDisplayMode(let mode):
      widget.formsWereStated()
      size.setLargest(mode)
    case .alongside(let transition, let view): size.alongside(transition, view)
    case .updateEnded(let outcome):
      health.updateDidEnd(failure: outcome.failure)
      if outcome.reason == .user { endPressWords() }
      updates.ended(outcome)
      page.cardDidUpdate(card.id, outcome)
      presses.deliverWaiting()
    case .open(let url, let call):
      requests.open(url, call, for: card.name, sincePress: sincePress)
    case .pressDropped: presses.drop()
    case .pressEnded(let action, let failure):
      presses.ended(action, hasFailed: failure != nil)
      if let said = failureSaid { owner.unsay(said) }
      failureSaid = failure.map { SafeText($0) }
      if let failure { owner.say(SafeText(failure)) }
    case .leaving: page.cardDidFinish()
    case .suspended:
      page.services.transfer(.suspended, of: card.id)
      page.cardDidFinish()
    case .transferEventsHandled(let identifier, let refusal):
      page.services.transfer(.handled(identifier: identifier, refusal), of: card.id)
    case .listEnded(let change, let outcome): input.lists.ended(change, outcome)
    case .edited(let isEdited): setEdited(isEdited)
    // A card asks in words of its own.
    case .answered: break
    case .finished:
      page.services.transfer(.ended, of: card.id)
      content.keep()
      widget.didFinish()
      updates.schedule.releaseLock()
      page.cardDidFinish()
    }
    page.cardMayHaveSettled()
  }

  /// Performs a request of the widget that concerns the page.
  func perform(_ request: PageRequest, _ call: ServiceCall) {
    requests.perform(
      request,
      call,
      sincePress: page.environment.redactsPrivate ? nil : sincePress
    )
    page.cardMayHaveSettled()
  }

  /// The time since the user acted on the card; nil if the user has not.
  private var sincePress: Duration? { presses.last.map { $0.duration(to: services.clock.now) } }

  /// Called when the live view has replaced the snapshot.
  private func viewDidAppear() {
    widget.viewDidAppear()
    size.contentDidShow(isOther: false, isStated: false, lastPress: presses.last)
    health.viewDidAppear(hasView: card.view != nil)
    presses.clearCue()
    // After the first answers, inherited values that the process did not set are reset.
    if !widget.hasStatedForms { size.forgetInheritedForm() }
    if !widget.asksForMargins, card.marginInsets != .proposed { size.setMargins(.proposed) }
    owner.change {
      $0.pressCue = presses.cue
      $0.isInPartialSandbox = services.isInPartialSandbox($0.id)
    }
    page.cardDidChange()
    updates.refresh(.appear)
    updates.checkAge()
    noteRows()
    input.viewDidAppear()
    presses.deliverWaiting()
  }

  /// Ends what was said about a press, as the user has asked for something else since.
  private func endPressWords() {
    if let said = failureSaid { owner.unsay(said) }
    failureSaid = nil
    presses.clearCue()
    guard card.pressCue != presses.cue else { return }
    owner.change { $0.pressCue = presses.cue }
    page.cardDidChange()
  }

  /// The user has begun to edit the widget, or does not edit it any more.
  private func setEdited(_ isEdited: Bool) {
    owner.change { $0.isEdited = isEdited }
    noteRows()
    input.setEditing(isEdited)
    size.setEdited(isEdited)
    page.cardDidChange()
  }

  /// What the user can do with rows depends on what the process implements.
  private func noteRows() {
    owner.change {
      $0.allowsEditing = widget.session?.state.canBeEdited ?? false
      $0.removesRows = widget.implements(ListDidRemoveRowRequest.method)
      $0.movesRows = widget.implements(ListDidMoveRowRequest.method)
      $0.addsRows = widget.implements(WidgetListPerformAddActionRequest.method)
    }
  }

  /// Called when the process has ended normally: the content of the card is now a snapshot.
  private func processDidEnd() {
    widget.processDidEnd()
    input.processDidEnd()
    noteRows()
    size.finishMotion()
    if health.processDidEnd(hasView: card.view != nil) { page.cardDidChange() }
  }

  /// Shows the widget's state in the heading.
  private func setHealth(_ state: CardState, _ message: String?) {
    if state == .live, !widget.hasAppeared, widget.isVisible { return }
    if state == .failed || state == .stopped, widget.session?.state.hasProcess == false {
      widget.processDidEnd()
      size.finishMotion()
      presses.processDidEnd()
      input.processDidEnd()
      noteRows()
    }
    // An update without new data must not cause drawing.
    if health.set(state, message) { page.cardDidChange() }
  }
}
