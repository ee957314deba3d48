import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The size of a card: the width that the page gives it, its margins, its form, and its height, with
/// the transitions between heights.
package struct CardSize {
  /// The size of the body without a transition.
  private(set) var body = Size.zero
  /// The room that the page gives the card.
  package private(set) var room: CardRoom
  /// How many rows of its content the card is too low to show, which its frame says.
  private(set) var hiddenRows = 0

  private let limits: HostLimits
  /// Whether the page has set other rows, which the widget has not been told of yet.
  private var hasOtherFrame = false
  private var storm = HeightStorm()
  private var remarks = SizeRemarks()
  /// The form that is shown, and those that are offered.
  package internal(set) var form = CardForm()
  /// The transitions between heights.
  var motion: CardMotion

  /// The time after the first content in which changes, such as a preferred height, are not animated.
  static let placingTime: Duration = .milliseconds(100)
  /// The time after a press in which a change of height is its result.
  private static let pressTime: Duration = .seconds(1)

  /// Creates the size of a card with the given margins.
  init(margins: EdgeInsets, limits: HostLimits) {
    room = CardRoom(margins: margins, bodyRows: limits.bodyRows)
    self.limits = limits
    motion = CardMotion(pause: limits.heightPause)
  }

  // MARK: - The form

  /// Restores what the card had when the program last ran.
  mutating func restore(_ mode: DisplayMode?, offersExpanded: Bool, margins: EdgeInsets) {
    form.restore(mode, offersExpanded: offersExpanded)
    room.restore(margins)
  }

  /// A stored view of the expanded form is known, which is that high.
  mutating func noteExpanded(rows: Int) {
    form.expanded.note(min(rows, limits.bodyRows))
  }

  /// Sets the largest form that the widget offers.
  mutating func setLargest(
    _ mode: DisplayMode,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    let change = form.setLargest(mode, isLive: turn.widget.hasAppeared, at: turn.now)
    formDidChange(change, &content, &turn)
  }

  /// Gives up the expanded form that only an earlier process has offered.
  mutating func forgetInheritedForm(_ content: inout CardContent, _ turn: inout CardTurn) {
    formDidChange(form.forgetInherited(), &content, &turn)
  }

  /// Chooses one of the forms of a card that has both, or none; the caller lays out the content.
  mutating func choose(_ mode: DisplayMode?, isCovered: Bool, _ turn: inout CardTurn) {
    tellingMaximum(isCovered, &turn) { $0.form.choose(mode) }
  }

  /// Sets what the page does with the card while the user has chosen no form; the widget is told as if it had
  /// been chosen.
  mutating func setGrowth(
    _ growth: CardGrowth,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    let before = form.shownMode
    tellingMaximum(content.isCovered, &turn) { $0.form.setGrowth(growth) }
    guard form.shownMode != before else { return }
    // The page makes this change, so the limit on a widget's requests does not delay it.
    motion.liftLimit()
    hasOtherFrame = !form.isHeld
    followContent(&content, &turn)
  }

  private mutating func tellDisplayMode(_ isCovered: Bool, _ turn: inout CardTurn) {
    if turn.widget.isRunning { form.expanded.formWasTold(form.displayMode, at: turn.now) }
    turn.send(.displayMode(form.displayMode, maximumSize: toldMaximum(isCovered: isCovered)))
  }

  private mutating func formDidChange(
    _ change: CardForm.Change?,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    guard let change else { return }
    // The host itself made this change, so the limit on a widget's requests does not delay it.
    if change.isShortened { motion.liftLimit() }
    let rows = room.maximumRows(isFixed: change.hadFixedHeight)
    if maximum(isCovered: content.isCovered).rows != rows || change.changesMode {
      tellDisplayMode(content.isCovered, &turn)
    }
    followContent(&content, &turn)
  }

  // MARK: - Width and height

  /// The largest size of the body.
  func maximum(isCovered: Bool) -> Size {
    let isFixed = room.hasFixedHeight(form, isCovered: isCovered)
    return Size(columns: body.columns, rows: room.maximumRows(isFixed: isFixed))
  }

  /// The largest size of which the widget is told; a card that is shown alone has the size of the screen, and scrolls
  /// what is higher.
  func toldMaximum(isCovered: Bool) -> Size {
    var size = maximum(isCovered: isCovered)
    if let leastBodyRows = room.leastBodyRows { size.rows = leastBodyRows }
    return size
  }

  /// Makes a change that may give the widget another largest size, which it is told.
  private mutating func tellingMaximum(
    _ isCovered: Bool,
    _ turn: inout CardTurn,
    _ change: (inout CardSize) -> Void
  ) {
    let before = (toldMaximum(isCovered: isCovered).rows, form.displayMode)
    change(&self)
    if (toldMaximum(isCovered: isCovered).rows, form.displayMode) != before {
      tellDisplayMode(isCovered, &turn)
    }
  }

  /// Sets the width inside the card's border, and the rows that a card fills which is shown alone; the caller
  /// lays out the content.
  ///
  /// Alone, a card that offers more is expanded, and a compact one is as high as its content.
  mutating func setFrame(
    innerWidth: Int,
    leastRows: Int?,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    if leastRows != room.leastRows {
      tellingMaximum(content.isCovered, &turn) {
        $0.room.leastRows = leastRows
        $0.form.setAlone(leastRows != nil)
        $0.hasOtherFrame = true
      }
    }
    room.innerWidth = innerWidth
    layOut(&content)
  }

  /// Lays out the content in the room that the card has.
  private func layOut(_ content: inout CardContent) {
    content.setScreen(rows: room.leastBodyRows)
    content.setWidth(room.bodyColumns)
  }

  /// Sets whether the user edits the widget; a compact card is then as high as its content.
  mutating func setEdited(_ edited: Bool, _ content: inout CardContent, _ turn: inout CardTurn) {
    guard edited != room.isEdited else { return }
    tellingMaximum(content.isCovered, &turn) { $0.room.isEdited = edited }
    followContent(&content, &turn)
  }

  /// Applies the margins that the widget requests, within the limits.
  mutating func setMargins(
    _ insets: EdgeInsets,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    room.setMargins(insets)
    layOut(&content)
    followContent(&content, &turn)
  }

  /// Gives up margins that only an earlier process has requested.
  mutating func resetMargins(_ content: inout CardContent, _ turn: inout CardTurn) {
    if room.margins != .proposed { setMargins(.proposed, &content, &turn) }
  }

  /// Sets the height that the content prefers, with an animation if the card is on the screen, and draws it.
  mutating func followContent(_ content: inout CardContent, _ turn: inout CardTurn) {
    let animated =
      turn.widget.hasAppeared && turn.widget.isVisible && turn.context.animates
      && !isPlacing(content, turn)
    resize(animated: animated, &content, &turn)
    turn.draw()
  }

  /// Whether the card has only just got its first content, or does not show it yet, so that changes are
  /// not animated.
  private func isPlacing(_ content: CardContent, _ turn: CardTurn) -> Bool {
    guard content.view != nil else { return true }
    guard let firstShown = content.firstShown, turn.lastPress == nil else { return false }
    return turn.queries.isGatheringFirstContent()
      || firstShown.duration(to: turn.now) < Self.placingTime
  }

  /// Sets the height that the content prefers, within the limits, and moves there.
  mutating func resize(animated: Bool, _ content: inout CardContent, _ turn: inout CardTurn) {
    setHeight(animated: animated, &content, &turn)
    let isCovered = content.isCovered
    let isFixed = room.hasFixedHeight(form, isCovered: isCovered)
    let followsContent = content.followsView && !isFixed && !form.isHeld
    let maximumRows = maximum(isCovered: isCovered).rows
    let isLow = !followsContent || body.rows >= maximumRows || storm.isFrozen
    // Rows that are granted in a moment are not missing.
    hiddenRows =
      isLow && motion.isSettled ? content.rowsCut(at: body.rows, in: turn.environment) : 0
    remark(&content, &turn)
  }

  /// Writes to the log what the widget cannot have.
  private mutating func remark(_ content: inout CardContent, _ turn: inout CardTurn) {
    guard !remarks.isExhausted, turn.widget.isRunning, turn.widget.hasOwnView, motion.isSettled
    else { return }
    let isFixed = room.isLow(form, isCovered: content.isCovered)
    // The compact form shows a part of the view by its nature; only a stated height is not granted.
    let isCompact = isFixed && content.followsView
    let sizes = SizeRemarks.Sizes(
      wantedRows: isCompact || storm.isFrozen ? 0 : content.wantedRows(in: turn.environment),
      granted: body,
      maximumRows: maximum(isCovered: content.isCovered).rows,
      isFixed: isFixed,
      rowsCut: hiddenRows,
      neededColumns: bodyAtRest(&content, turn.environment).neededColumns
    )
    for line in remarks.remarks(on: sizes) { turn.log(line) }
  }

  /// A process starts.
  mutating func processDidBegin() {
    storm.reset()
    remarks = SizeRemarks()
  }

  /// The user has acted on the card; returns whether its height was frozen, and follows the content again.
  mutating func userDidAct() -> Bool {
    defer { storm.reset() }
    return storm.isFrozen
  }

  /// Notes content of the running process for the log; `isStated`: a height came without a view.
  mutating func contentDidShow(
    isOther: Bool,
    isStated: Bool,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    guard turn.widget.hasOwnView, turn.widget.hasAppeared else { return }
    guard isStated else { return remarks.pictureDidShow(isOther: isOther, at: turn.now) }
    let rows = content.wantedRows(in: turn.environment)
    if let line = remarks.lateHeight(rows, lastPress: turn.lastPress, at: turn.now) {
      turn.log(line)
    }
  }

  private mutating func setHeight(
    animated: Bool,
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    let isNewFrame = body.columns != content.width || hasOtherFrame
    hasOtherFrame = false
    body.columns = content.width
    guard content.hasHeight else { return }
    noteExpanded(&content, turn)
    let isLow = room.isLow(form, isCovered: content.isCovered)
    let wanted = isLow ? CardForm.compactRows : content.wantedRows(in: turn.environment)
    let rows =
      storm.isFrozen
      ? body.rows
      : min(max(room.leastBodyRows ?? 0, wanted), maximum(isCovered: content.isCovered).rows)
    let isPlacing = isPlacing(content, turn)
    let wasJustPressed = turn.lastPress.map { $0.duration(to: turn.now) < Self.pressTime } ?? false
    if !isNewFrame, turn.widget.hasAppeared, !isPlacing, !wasJustPressed,
      storm.note(rows, at: turn.now)
    {
      return freeze(&turn)
    }
    guard rows != body.rows || isNewFrame else { return }
    guard turn.widget.hasAppeared else {
      body.rows = rows
      return
    }
    let cause: CardMotion.Cause =
      isNewFrame ? .width : isPlacing ? .placing : wasJustPressed ? .press : .content
    let effects = motion.go(
      to: Size(columns: body.columns, rows: rows),
      because: cause,
      animated: isNewFrame ? animated && rows != body.rows : !isPlacing && animated,
      from: bodyAtRest(&content, turn.environment),
      isHeard: turn.widget.session.receivesTransitions,
      at: turn.now
    )
    perform(effects, &content, &turn)
  }

  /// The view of the widget has appeared; one that it sent before may be that of the expanded form.
  mutating func viewDidAppear(_ content: inout CardContent, _ turn: CardTurn) {
    if turn.widget.hasOwnView { noteExpanded(&content, turn) }
  }

  /// Remembers how high the expanded form is, if that is what the widget shows.
  private mutating func noteExpanded(_ content: inout CardContent, _ turn: CardTurn) {
    guard form.displayMode == .expanded, turn.widget.hasAppeared, room.leastRows == nil,
      !content.isCovered, !room.isEdited, !form.expanded.isAwaited
    else { return }
    noteExpanded(rows: content.wantedRows(in: turn.environment))
  }

  private mutating func freeze(_ turn: inout CardTurn) {
    motion.stop()
    let words: SafeText =
      "the height changes all the time: it stays at \(body.rows) rows until a press or the next start"
    turn.log("warning: \(words)")
    turn.effects.append(.say(words))
  }

  // MARK: - Transitions

  /// Whether an animation is running.
  package var isMoving: Bool { motion.isMoving }

  /// Whether no change of height or form is pending.
  var isSettled: Bool { motion.isSettled && form.isSettled }

  /// When ``wake(_:_:)`` is to be called.
  var due: ContinuousClock.Instant? { [form.due, motion.due].compactMap(\.self).min() }

  /// Does what is due.
  mutating func wake(_ content: inout CardContent, _ turn: inout CardTurn) {
    formDidChange(form.wake(at: turn.now), &content, &turn)
    if form.expanded.wake(at: turn.now) { followContent(&content, &turn) }
    perform(motion.wake(at: turn.now), &content, &turn)
  }

  /// The body without a transition, with the height that was set last.
  func bodyAtRest(_ content: inout CardContent, _ environment: LayoutEnvironment) -> LaidOutView {
    content.laidOut(rows: body.rows, in: environment)
  }

  /// Returns the body at a moment.
  func body(
    _ content: inout CardContent,
    _ environment: LayoutEnvironment,
    at now: ContinuousClock.Instant
  ) -> CardBody {
    motion.body(bodyAtRest(&content, environment), at: now)
  }

  /// Starts the animation of a transition, as what the widget animates alongside is shown.
  mutating func alongside(_ id: Int, _ content: inout CardContent, _ turn: inout CardTurn) {
    perform(motion.alongside(id, at: turn.now), &content, &turn)
  }

  /// Ends the transition at its final height; if the card gets another frame, the widget is told that it has not
  /// finished.
  mutating func endMotion(finished: Bool, _ content: inout CardContent, _ turn: inout CardTurn) {
    perform(finished ? motion.finish() : motion.interrupt(), &content, &turn)
  }

  private mutating func perform(
    _ effects: [CardMotion.Effect],
    _ content: inout CardContent,
    _ turn: inout CardTurn
  ) {
    for effect in effects {
      switch effect {
      case .resize(let rows): body.rows = rows
      case .willBegin(let request): turn.send(.transition(request))
      case .didEnd(let id, let finished):
        turn.send(.transitionEnded(transition: id, finished: finished))
      case .animate: turn.effects.append(.beginToMove)
      case .draw: turn.draw()
      case .askAgain: followContent(&content, &turn)
      }
    }
  }
}
