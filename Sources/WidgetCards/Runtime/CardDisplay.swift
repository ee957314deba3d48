import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What a card shows: its heading, and its content in its size, with pictures, what the user changes in it, and
/// presses.
package struct CardDisplay {
  /// What is drawn; ``Card/show(_:_:_:)`` copies the values of the parts.
  var card: Card
  /// The state and the problem in the heading.
  var health = CardHealth()
  package var content = CardContent()
  package private(set) var size: CardSize
  var images: CardImages
  package var presses: CardPresses
  package var input = CardInput()

  private let keys: SnapshotKeys

  init(id: CardID, name: SafeText, limits: HostLimits, waitingPresses: Int, locale: String) {
    card = Card(id: id, name: name)
    size = CardSize(margins: card.marginInsets, limits: limits)
    images = CardImages(limit: limits.images.perView)
    presses = CardPresses(waitingLimit: waitingPresses)
    keys = SnapshotKeys(id: id, locale: locale)
  }

  /// What the card's snapshot depends on.
  var snapshotKey: Snapshot.Key { keys.shown(size.form) }

  /// Whether the widget has nothing to show, so that no snapshot is loaded.
  var isHidden: Bool { health.state == .hidden }

  /// When ``wake(_:)`` is to be called.
  var due: ContinuousClock.Instant? {
    [size.due, content.due, presses.due, input.due, images.due].compactMap(\.self).min()
  }

  /// Does what is due, but does not save content.
  mutating func wake(_ turn: inout CardTurn) {
    if let due = presses.due, due <= turn.now {
      presses.wake(at: turn.now)
      pressesDidChange(&turn)
    }
    sizing(&turn) { $0.wake(&$1, &$2) }
    if content.isEntryDue(at: turn.now) { advanceTimeline(&turn) }
    tell(input.wake(turn), &turn)
    if images.takesLook(at: turn.now), viewDidChange(&turn) { turn.draw() }
  }

  // MARK: - Layout

  /// What the content is laid out in.
  func environment(_ context: CardContext) -> LayoutEnvironment {
    var environment = context.environment
    environment.state = input.state
    environment.images = images.forLayout(context.readyImages)
    return environment
  }

  /// Returns the body at a moment.
  mutating func body(_ context: CardContext) -> CardBody {
    size.body(&content, environment(context), at: context.moment.now)
  }

  /// Lets the size do something, which knows what it depends on.
  mutating func sizing(
    _ turn: inout CardTurn,
    _ work: (inout CardSize, inout CardContent, inout CardTurn) -> Void
  ) {
    turn.environment = environment(turn.context)
    turn.lastPress = presses.last
    work(&size, &content, &turn)
  }

  /// Draws other content.
  ///
  /// `resizes` says whether the height of the content may have changed.
  mutating func contentDidChange(resizes: Bool, _ turn: inout CardTurn) {
    turn.draw()
    if resizes { sizing(&turn) { $0.followContent(&$1, &$2) } }
  }

  /// Takes over the view that is to be drawn, and looks for the files of its pictures.
  ///
  /// - Returns: Whether they are others than before: a widget may write another file at the same path.
  mutating func viewDidChange(_ turn: inout CardTurn) -> Bool {
    card.view = content.view
    if card.view != nil { input.readFolds(turn.queries.folds) }
    guard images.look(for: card.view, &turn) else { return false }
    content.relayOut()
    return true
  }

  /// Makes a change of what is drawn; a change of height that follows starts from what is on the screen
  /// now.
  mutating func changingContent(
    _ turn: inout CardTurn,
    _ work: (inout CardDisplay, inout CardTurn) -> Void
  ) {
    guard turn.widget.hasAppeared, content.view != nil else { return work(&self, &turn) }
    size.motion.hold(body(turn.context))
    work(&self, &turn)
    size.motion.release()
  }

  /// Sets the width inside the card's border and the rows of a card that is shown alone, and lays the card out
  /// at once, without an animation.
  ///
  /// A card without a live view shows its snapshot now if `showsSnapshot`, and later if not.
  ///
  /// - Returns: Whether the snapshot was looked for.
  mutating func setFrame(
    innerWidth: Int,
    leastRows: Int?,
    showsSnapshot: Bool,
    _ turn: inout CardTurn
  ) -> Bool {
    size.setFrame(innerWidth: innerWidth, leastRows: leastRows, &content, &turn)
    content.setOwed(!turn.widget.hasAppeared && !showsSnapshot && card.view == nil)
    let looks = !turn.widget.hasAppeared && !content.owesSnapshot
    if looks { showSnapshot(&turn) }
    sizing(&turn) {
      $0.endMotion(finished: false, &$1, &$2)
      $0.resize(animated: false, &$1, &$2)
    }
    turn.draw()
    return looks
  }

  // MARK: - Content

  /// Applies new content from the widget.
  mutating func apply(
    _ update: ContentUpdate,
    _ source: ContentSource,
    _ turn: inout CardTurn
  ) {
    var update = update
    if let view = update.view {
      input.readFolds(turn.queries.folds)
      // What was found for an older text than the newest is not shown.
      if input.fields.isStale(view, source) { update.view = nil }
    }
    presses.clearCue()
    size.form.contentDidCome(hasView: update.view != nil)
    changingContent(&turn) { [update] in $0.takeIn(update, source, &$1) }
  }

  private mutating func takeIn(
    _ update: ContentUpdate,
    _ source: ContentSource,
    _ turn: inout CardTurn
  ) {
    let inputBefore = input.state
    if let view = update.view {
      input.viewDidCome(view, source, after: content.view, &turn)
      presses.viewDidCome()
      content.setSwitched(presses.switched)
      turn.widget.ownViewDidCome()
    }
    let hasOtherInput = input.state != inputBefore
    if hasOtherInput { content.relayOut() }
    let isAnswer = presses.isRecent(at: turn.now)
    let isOther = content.apply(update, source, isAnswer: isAnswer, at: turn.moment)
    let hasOtherImages = viewDidChange(&turn)
    let changed = isOther || hasOtherInput || hasOtherImages
    sizing(&turn) {
      $0.contentDidShow(
        isOther: changed && update.view != nil,
        isStated: changed && update.view == nil && source == .push,
        &$1,
        &$2
      )
    }
    if changed {
      contentDidChange(resizes: true, &turn)
    } else if source == .update {
      turn.draw()
    }
  }

  /// Shows a view alongside a transition, whose animation begins.
  mutating func alongside(_ transition: Int, _ view: ViewNode?, _ turn: inout CardTurn) {
    if size.motion.isNewest(transition), let view, content.apply(alongside: view) {
      _ = viewDidChange(&turn)
      contentDidChange(resizes: content.followsView, &turn)
    }
    sizing(&turn) { $0.alongside(transition, &$1, &$2) }
  }

  /// Shows the saved snapshot if there is no live view.
  mutating func showSnapshot(_ turn: inout CardTurn) {
    guard !isHidden else { return }
    // Where the page has room the card was expanded when it was last shown, and will be again.
    let key = content.isEmpty ? keys.expanded(size.form) : nil
    let expanded = key.flatMap { turn.queries.snapshot($0, nil) }
    guard content.showSnapshot(snapshotKey, orNewer: expanded, turn) else { return }
    snapshotDidShow(&turn)
    guard let expanded else { return }
    let rows = content.rows(of: expanded, in: environment(turn.context))
    size.noteExpanded(rows: rows)
  }

  /// Shows the snapshot if loading it was deferred and no content has come since; returns whether it was looked
  /// for.
  mutating func showOwedSnapshot(_ turn: inout CardTurn) -> Bool {
    let isOwed = content.owesSnapshot
    content.setOwed(false)
    guard isOwed, !turn.widget.hasAppeared else { return false }
    showSnapshot(&turn)
    sizing(&turn) { $0.resize(animated: false, &$1, &$2) }
    return true
  }

  /// Shows the snapshot that another host saved if it is newer than the shown content.
  mutating func takeOverSnapshot(_ turn: inout CardTurn) {
    guard !isHidden, let changed = content.showNewerSnapshot(snapshotKey, turn) else { return }
    snapshotDidShow(&turn)
    contentDidChange(resizes: changed, &turn)
  }

  private mutating func snapshotDidShow(_ turn: inout CardTurn) {
    _ = viewDidChange(&turn)
    health.snapshotDidShow()
  }

  /// Shows the current entry of the timeline.
  mutating func advanceTimeline(_ turn: inout CardTurn) {
    entryDidShow(content.advanceTimeline(at: turn.moment), &turn)
  }

  /// Follows the timeline of an update that brought new data.
  mutating func take(_ timeline: Timeline?, _ turn: inout CardTurn) {
    entryDidShow(content.take(timeline, at: turn.moment), &turn)
  }

  private mutating func entryDidShow(_ changed: Bool?, _ turn: inout CardTurn) {
    guard let changed else { return }
    contentDidChange(resizes: viewDidChange(&turn) || changed, &turn)
  }

  /// Stores the shown content if it is not stored yet; returns whether it was not.
  mutating func save(_ turn: inout CardTurn) -> Bool {
    let isLocked = turn.context.environment.redactsPrivate
    let snapshot = content.save(snapshotKey, isLocked: isLocked, at: turn.now)
    if let snapshot { turn.effects.append(.keepSnapshot(snapshot)) }
    return snapshot != nil
  }
}
