import FoundationEssentials
import WidgetKitCore

/// The card that owns a ``CardSize``.
protocol CardSizeOwner: AnyObject {
  /// When the user last acted on the card; nil before that.
  var lastPress: ContinuousClock.Instant? { get }
  /// Called when the size, the margins or the form has changed.
  func sizeDidChange()
  /// Called when the content must be laid out again, and drawn.
  func contentDidChange(resizes: Bool)
  /// Called when the height is frozen, because the widget changes it all the time.
  func heightWasFrozen(_ rows: Int)
  /// Called when ``CardSize/due`` may be another one.
  func dueMayHaveChanged()
}

/// The size of a card: the width that the page gives it, its margins, its form, and its height, with
/// the transitions between heights.
///
/// This is a class because its parts call it.
final class CardSize {
  /// The size of the body without a transition.
  private(set) var body = Size.zero {
    didSet { if body != oldValue { owner.sizeDidChange() } }
  }
  /// Empty cells between the border and the body.
  private(set) var margins: EdgeInsets {
    didSet { if margins != oldValue { owner.sizeDidChange() } }
  }

  /// How many rows of its content the card is too low to show, which its frame says.
  private(set) var hiddenRows = 0 {
    didSet { if hiddenRows != oldValue { owner.sizeDidChange() } }
  }

  private unowned let owner: any CardSizeOwner
  private unowned let page: any CardPage
  private let content: CardContent
  private let widget: CardWidget
  private let clock: any HostClock
  private let limits: HostLimits
  /// The width inside the card's border, or 0 before the page has set it.
  private(set) var innerWidth = 0
  /// The rows between heading and border of a card that is shown alone.
  private(set) var leastRows: Int?
  /// Whether the user edits the widget, so that all of its rows are shown.
  private var isEdited = false
  /// Whether the page has set other rows, which the widget has not been told of yet.
  private var hasOtherFrame = false
  private var storm = HeightStorm()
  private var remarks = SizeRemarks()
  private var form = CardForm() {
    didSet { owner.dueMayHaveChanged() }
  }
  private var motion: CardMotion {
    didSet { owner.dueMayHaveChanged() }
  }

  /// The most rows of a margin.
  private static let marginRows = 4
  /// The time after the first content in which changes, such as a preferred height, are not animated.
  static let placingTime: Duration = .milliseconds(100)
  /// The time after a press in which a change of height is its result.
  private static let pressTime: Duration = .seconds(1)

  /// Creates the size of a card with the given margins.
  init(
    owner: any CardSizeOwner,
    page: any CardPage,
    margins: EdgeInsets,
    content: CardContent,
    widget: CardWidget,
    clock: any HostClock,
    limits: HostLimits
  ) {
    self.owner = owner
    self.page = page
    self.margins = margins
    self.content = content
    self.widget = widget
    self.clock = clock
    self.limits = limits
    motion = CardMotion(pause: limits.heightPause)
  }

  // MARK: - The form

  /// The form that is shown.
  var displayMode: DisplayMode { form.displayMode }
  /// The form that the user has chosen.
  var chosenMode: DisplayMode { form.chosenMode }
  /// Whether the expanded form is offered.
  var offersExpanded: Bool { form.offersExpanded }

  /// Restores what the card had when the program last ran.
  func restore(_ mode: DisplayMode, offersExpanded: Bool, margins: EdgeInsets) {
    form.restore(mode, offersExpanded: offersExpanded)
    self.margins = margins
    owner.sizeDidChange()
  }

  /// The user has chosen a form on another page.
  func note(choice: DisplayMode) {
    form.note(choice: choice)
    owner.sizeDidChange()
  }

  /// Called when the widget has sent its content.
  func contentDidCome() {
    form.contentDidCome()
  }

  /// Sets the largest form that the widget offers.
  func setLargest(_ mode: DisplayMode) {
    form.setLargest(mode, isLive: widget.hasAppeared, at: clock.now).map(formDidChange)
  }

  /// Gives up the expanded form that only an earlier process has offered.
  func forgetInheritedForm() {
    form.forgetInherited().map(formDidChange)
  }

  /// Switches between the compact and the expanded form; returns whether the card has both.
  ///
  /// The caller lays out the content.
  func toggleForm() -> Bool {
    guard offersExpanded else { return false }
    content.keep()
    form.toggle()
    owner.sizeDidChange()
    tellDisplayMode()
    return true
  }

  private func tellDisplayMode() {
    widget.handle(.displayMode(displayMode, maximumSize: maximum))
  }

  // MARK: - Width and height

  /// Whether the page has set the width.
  var hasWidth: Bool { innerWidth > 0 }

  /// The largest size of the body.
  var maximum: Size {
    Size(columns: body.columns, rows: maximumRows(isFixed: hasFixedHeight))
  }

  /// Whether the host alone determines the height; what covers the content, and what is edited, is always shown
  /// as a whole.
  private var hasFixedHeight: Bool { form.hasFixedHeight && !content.isCovered && !isEdited }

  private func maximumRows(isFixed: Bool) -> Int {
    if let leastBodyRows { return max(limits.bodyRows, leastBodyRows) }
    return isFixed ? CardForm.compactRows : limits.bodyRows
  }

  /// The rows of the body of a card that is shown alone, without the margins.
  private var leastBodyRows: Int? { leastRows.map { max(0, $0 - margins.rows) } }

  /// Sets the rows that a card fills which is shown alone, or nil for any other; the caller sets the
  /// width.
  ///
  /// Alone, a compact card is as high as its content.
  func setLeastRows(_ rows: Int?) {
    guard rows != leastRows else { return }
    let before = maximum.rows
    leastRows = rows
    hasOtherFrame = true
    if maximum.rows != before { tellDisplayMode() }
  }

  /// Sets whether the user edits the widget; a compact card is then as high as its content.
  func setEdited(_ edited: Bool) {
    guard edited != isEdited else { return }
    let before = maximum.rows
    isEdited = edited
    if maximum.rows != before { tellDisplayMode() }
    owner.contentDidChange(resizes: true)
  }

  /// Sets the width inside the card's border; the caller lays out the content.
  func setInnerWidth(_ width: Int) {
    innerWidth = width
    content.setWidth(width - margins.columns)
  }

  /// Applies the margins that the widget requests, within the limits.
  func setMargins(_ insets: EdgeInsets) {
    var clamped = insets
    clamped.left = min(insets.left, innerWidth / 2)
    clamped.right = min(insets.right, innerWidth / 2)
    clamped.top = min(insets.top, Self.marginRows)
    clamped.bottom = min(insets.bottom, Self.marginRows)
    margins = clamped
    content.setWidth(innerWidth - clamped.columns)
    owner.contentDidChange(resizes: true)
  }

  /// Sets the height that the content prefers, with an animation if the card is on the screen.
  func followContent() {
    resize(animated: widget.hasAppeared && widget.isVisible && page.animates && !isPlacing)
  }

  /// Whether the card has only just got its first content, or does not show it yet, so that changes are
  /// not animated.
  private var isPlacing: Bool {
    guard content.view != nil else { return true }
    guard let firstShown = content.firstShown, owner.lastPress == nil else { return false }
    return page.isGatheringFirstContent || firstShown.duration(to: clock.now) < Self.placingTime
  }

  /// Whether the user has just acted on the card.
  private var wasJustPressed: Bool {
    owner.lastPress.map { $0.duration(to: clock.now) < Self.pressTime } ?? false
  }

  /// Sets the height that the content prefers, within the limits, and moves there.
  func resize(animated: Bool) {
    setHeight(animated: animated)
    let followsContent = content.followsView && !hasFixedHeight
    let isLow = !followsContent || body.rows >= maximum.rows || storm.isFrozen
    // Rows that are granted in a moment are not missing.
    hiddenRows = isLow && motion.isSettled ? content.rowsCut(at: body.rows) : 0
    remark()
  }

  /// Writes to the log what the widget cannot have.
  private func remark() {
    guard !remarks.isExhausted, widget.isRunning, widget.hasOwnView, motion.isSettled else {
      return
    }
    let isFixed = hasFixedHeight && leastRows == nil
    // The compact form shows a part of the view by its nature; only a stated height is not granted.
    let isCompact = isFixed && content.followsView
    let sizes = SizeRemarks.Sizes(
      wantedRows: isCompact || storm.isFrozen ? 0 : content.wantedRows,
      granted: body,
      maximumRows: maximum.rows,
      isFixed: isFixed,
      rowsCut: hiddenRows,
      neededColumns: bodyAtRest.neededColumns
    )
    for line in remarks.remarks(on: sizes) { widget.log(line) }
  }

  /// Called when a process starts.
  func processDidBegin() {
    storm.reset()
    remarks = SizeRemarks()
  }

  /// Called when the user has acted on the card.
  func userDidAct() {
    let wasFrozen = storm.isFrozen
    storm.reset()
    if wasFrozen { owner.contentDidChange(resizes: true) }
  }

  /// Notes content of the running process for the log; `isStated`: a height came without a view.
  func contentDidShow(isOther: Bool, isStated: Bool, lastPress: ContinuousClock.Instant?) {
    guard widget.hasOwnView, widget.hasAppeared else { return }
    guard isStated else { return remarks.pictureDidShow(isOther: isOther, at: clock.now) }
    let rows = content.wantedRows
    if let line = remarks.lateHeight(rows, lastPress: lastPress, at: clock.now) { widget.log(line) }
  }

  private func setHeight(animated: Bool) {
    let isNewFrame = body.columns != content.width || hasOtherFrame
    hasOtherFrame = false
    body.columns = content.width
    guard content.hasHeight else { return }
    let isFixed = hasFixedHeight && leastRows == nil
    let wanted = isFixed ? CardForm.compactRows : content.wantedRows
    let rows = storm.isFrozen ? body.rows : min(max(leastBodyRows ?? 0, wanted), maximum.rows)
    if !isNewFrame, widget.hasAppeared, !isPlacing, !wasJustPressed,
      storm.note(rows, at: clock.now)
    {
      motion.stop()
      owner.heightWasFrozen(body.rows)
      return
    }
    guard rows != body.rows || isNewFrame else { return }
    guard widget.hasAppeared else {
      body.rows = rows
      return
    }
    if isNewFrame {
      move(to: rows, because: .width, animated: animated && rows != body.rows)
    } else if isPlacing {
      move(to: rows, because: .placing, animated: false)
    } else {
      move(to: rows, because: wasJustPressed ? .press : .content, animated: animated)
    }
  }

  // MARK: - Transitions

  /// Whether an animation is running.
  var isMoving: Bool { motion.isMoving }

  /// Whether no change of height or form is pending.
  var isSettled: Bool { motion.isSettled && form.isSettled }

  /// When ``wake()`` is to be called.
  var due: ContinuousClock.Instant? { [form.due, motion.due].compactMap(\.self).min() }

  /// Does what is due.
  func wake() {
    form.wake(at: clock.now).map(formDidChange)
    perform(motion.wake(at: clock.now))
  }

  /// The body without a transition, with the height that was set last.
  var bodyAtRest: LaidOutView { content.laidOut(rows: body.rows) }

  /// Returns the body at a moment.
  func body(at now: ContinuousClock.Instant) -> CardBody { motion.body(bodyAtRest, at: now) }

  /// Applies content; a change of height that follows starts from what is on the screen now.
  func takingIn(_ apply: () -> Void) {
    motion.hold(body(at: clock.now))
    apply()
    motion.release()
  }

  /// Applies what the widget animates alongside a transition.
  func alongside(_ id: Int, _ view: ViewNode?) {
    if motion.isNewest(id), let view, content.apply(alongside: view) {
      owner.contentDidChange(resizes: content.followsView)
    }
    perform(motion.alongside(id, at: clock.now))
  }

  /// Ends the transition at its final height.
  func finishMotion() {
    perform(motion.finish())
  }

  /// Ends the transition at its final height because the card gets another frame; the widget is told
  /// that it has not finished.
  func interruptMotion() {
    perform(motion.interrupt())
  }

  /// Makes no more changes of height by itself.
  func stop() {
    motion.stop()
    finishMotion()
  }

  private func move(to rows: Int, because cause: CardMotion.Cause, animated: Bool) {
    let effects = motion.go(
      to: Size(columns: body.columns, rows: rows),
      because: cause,
      animated: animated,
      from: bodyAtRest,
      isHeard: widget.hearsTransitions,
      at: clock.now
    )
    perform(effects)
  }

  private func perform(_ effects: [CardMotion.Effect]) {
    for effect in effects {
      switch effect {
      case .resize(let rows): body.rows = rows
      case .willBegin(let request): widget.handle(.transition(request))
      case .didEnd(let id, let finished):
        widget.handle(.transitionEnded(transition: id, finished: finished))
      case .animate: page.cardDidBeginToMove()
      case .draw: page.cardDidChange()
      case .askAgain: owner.contentDidChange(resizes: true)
      }
    }
  }

  private func formDidChange(_ change: CardForm.Change) {
    owner.sizeDidChange()
    // The host itself made this change, so the limit on a widget's requests does not delay it.
    if change.isShortened { motion.liftLimit() }
    if maximum.rows != maximumRows(isFixed: change.hadFixedHeight) || change.changesMode {
      tellDisplayMode()
    }
    owner.contentDidChange(resizes: true)
  }
}
