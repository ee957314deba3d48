import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The content of a card, laid out at the card's width: from its widget, from a timeline, or from a
/// snapshot; and what of it is saved.
package struct CardContent {
  /// When the content was made, or nil if there is none.
  private(set) var date: Date?
  /// When content was first shown; nil before that, and if a snapshot was shown first.
  private(set) var firstShown: ContinuousClock.Instant?
  /// The pictures of the last layout.
  private(set) var drawings: Set<ImageDrawing> = []

  private var snapshots = SnapshotKeeper()
  private var timeline = TimelinePlayer()
  private var layout = CardLayout()
  /// A question that is shown in place of the content, and a view that is, unless a question is.
  private var question: PermissionQuestion?
  private var cover: ViewNode?
  /// The earlier content that is shown in place of the present one, unless one of them is.
  private var past: PastContent?
  /// The one of them that is shown.
  private var coverLayout = CardLayout()

  /// When something is to be done: an entry of the timeline is due, or pushed content is to be saved.
  var due: ContinuousClock.Instant? { [snapshots.due, timeline.due].compactMap(\.self).min() }

  /// Whether an entry of the timeline is due.
  func isEntryDue(at now: ContinuousClock.Instant) -> Bool {
    timeline.due.map { $0 <= now } ?? false
  }

  /// Whether pushed content is to be saved now; it is asked once.
  mutating func takesSaving(at now: ContinuousClock.Instant) -> Bool {
    guard let due = snapshots.due, due <= now else { return false }
    snapshots.stop()
    return true
  }

  // MARK: - Shown content

  var view: ViewNode? { shown.view }
  /// Whether a question is shown in place of the content.
  var isAsking: Bool { question != nil }
  /// Whether a question or another view is shown in place of the content; an earlier content has the card as it is.
  var isCovered: Bool { isAsking || cover != nil }
  /// The earlier content that is shown; nil while the present one is, or something else.
  var shownPast: PastContent? { isAsking || cover != nil ? nil : past }
  private var shown: CardLayout { showsOther ? coverLayout : layout }
  private var showsOther: Bool { isCovered || past != nil }
  /// Whether there was no snapshot when the page opened, so that the first content arrives while it is
  /// open.
  package var isWithoutPicture: Bool { layout.view == nil || firstShown != nil }
  /// The width of the layout, in columns.
  var width: Int { layout.width }
  /// Whether the content determines a height.
  var hasHeight: Bool { shown.view != nil || shown.preferredHeight != nil }
  /// Whether the height depends only on the view.
  var followsView: Bool { shown.preferredHeight == nil }

  /// The height of the content, in rows.
  mutating func wantedRows(in environment: LayoutEnvironment) -> Int {
    guard showsOther else { return layout.wantedRows(in: environment) }
    return coverLayout.wantedRows(in: environment.atTime(of: shownPast))
  }

  /// Returns how many rows of the view a height of `rows` cuts off.
  func rowsCut(at rows: Int, in environment: LayoutEnvironment) -> Int {
    shown.rowsCut(at: rows, in: environment)
  }

  /// Returns the view laid out with a height of `rows`.
  mutating func laidOut(rows: Int, in environment: LayoutEnvironment) -> LaidOutView {
    var view: LaidOutView
    if let past = shownPast {
      let environment = environment.atTime(of: past)
      view = coverLayout.laidOut(rows: rows, in: environment).asPast(
        after: past.before.map { coverLayout.laidOut($0, rows: rows, in: environment) }
      )
    } else {
      view =
        isCovered
        ? coverLayout.laidOut(rows: rows, in: environment)
        : layout.laidOut(rows: rows, in: environment)
    }
    if !view.images.isEmpty || !drawings.isEmpty { drawings = Set(view.images) }
    return view
  }

  /// Lays out the content at another width.
  mutating func setWidth(_ width: Int) {
    layout.setWidth(width)
    layOutCover()
  }

  /// Gives the content rows of a screen to itself, or none again.
  mutating func setScreen(rows: Int?) {
    layout.screenRows = rows
  }

  /// Lays out the content again because the environment changed.
  mutating func relayOut() {
    layout.invalidate()
    coverLayout.invalidate()
  }

  /// Shows a question in place of the content, or what was shown before; what the widget sends and what is
  /// saved stay as they are.
  mutating func setQuestion(_ question: PermissionQuestion?) {
    self.question = question
    layOutCover()
  }

  /// Shows a view in place of the content, or the content again; behind a question, when it is answered.
  mutating func setCover(_ view: ViewNode?) {
    cover = view
    layOutCover()
  }

  /// Shows an earlier content in place of the present one, or the present one again, which goes on behind it.
  mutating func setPast(_ past: PastContent?) {
    self.past = past
    layOutCover()
  }

  private mutating func layOutCover() {
    let view = question?.view(columns: layout.width) ?? cover
    guard
      let update = view.map({ ContentUpdate(view: $0, preferredContentSize: .null) })
        ?? past?.update
    else { return }
    coverLayout.setWidth(layout.width)
    _ = coverLayout.apply(update)
  }

  /// Shows toggles in a state that differs from the view's.
  mutating func setSwitched(_ switched: [PressTarget]) {
    layout.switched = switched
  }

  /// A process starts: the previous process's preferred height is used until this one shows content.
  mutating func processDidBegin() {
    layout.inheritHeight()
  }

  // MARK: - Content from the widget

  /// Applies content from the widget; returns whether anything changed.
  ///
  /// `isAnswer` says whether the user has just pressed something, of which it may be the result.
  mutating func apply(
    _ content: ContentUpdate,
    _ source: ContentSource,
    isAnswer: Bool,
    at moment: Moment
  ) -> Bool {
    if content.view != nil {
      if layout.view == nil { firstShown = moment.now }
      snapshots.setOwed(false)
    }
    let changed = layout.apply(content)
    if content.view != nil { note(source, changed: changed, at: moment.date) }
    if layout.view != nil, changed || content.view != nil && !source.isAppearance {
      snapshots.note(source.origin, at: moment.date)
    }
    // Content that comes with an update is saved together with the update's result.
    switch source {
    case .action: snapshots.keepLater(isAnswer: true, at: moment.now)
    case .push: snapshots.keepLater(isAnswer: isAnswer, at: moment.now)
    case .appearance, .disappearance, .update: break
    }
    return changed
  }

  /// Shows a view alongside a transition; returns whether it differs from the previous one.
  ///
  /// It belongs to the content of its process alone, and not to a newer picture of another host.
  mutating func apply(alongside view: ViewNode) -> Bool {
    guard !snapshots.isForeign else { return false }
    return layout.apply(ContentUpdate(view: view))
  }

  /// Sets the content's date.
  ///
  /// Content that a widget shows again unchanged keeps its date.
  private mutating func note(_ source: ContentSource, changed: Bool, at now: Date) {
    switch source {
    case .update, .push, .action: date = now
    case .appearance where changed || date == nil: date = now
    case .appearance, .disappearance: break
    }
  }

  /// The content is as old as before the clock was set.
  mutating func clockWasSet(by shift: Double) {
    date = date?.addingTimeInterval(shift)
  }

  // MARK: - Content from a timeline

  /// The timeline whose entries are shown at their times, or nil if there is none.
  var followedTimeline: Timeline? { timeline.timeline }

  /// Shows the current entry of the timeline.
  ///
  /// - Returns: Whether the content has changed; nil if the entry was shown already.
  mutating func advanceTimeline(at moment: Moment) -> Bool? {
    timeline.advance(at: moment).map { show($0) }
  }

  /// Follows the timeline of an update that brought new data; ``save(_:isLocked:at:)`` saves the new content.
  ///
  /// - Returns: Whether the content has changed; nil if no entry is to be shown now.
  mutating func take(_ timeline: Timeline?, at moment: Moment) -> Bool? {
    let changed = self.timeline.follow(timeline, at: moment).map { show($0) }
    if layout.view != nil { snapshots.note(.made, at: moment.date) }
    return changed
  }

  private mutating func show(_ entry: TimelineEntry) -> Bool {
    date = entry.date
    return layout.apply(entry.content)
  }

  // MARK: - Content from a snapshot

  /// Whether the saved snapshot has yet to be loaded.
  package var owesSnapshot: Bool { snapshots.isOwed }
  /// Whether loading the saved snapshot has been tried.
  var hasLookedForSnapshot: Bool { snapshots.hasLooked }
  /// When the widget sent the shown content, to any host; nil if nothing is shown.
  var pictureDate: Date? { snapshots.date }
  /// The part of the content that was saved last.
  var picture: RefreshHistory.Picture? { snapshots.picture }

  /// Sets whether the snapshot is to be loaded later.
  mutating func setOwed(_ isOwed: Bool) {
    snapshots.setOwed(isOwed)
  }

  /// Whether the card has no content yet.
  var isEmpty: Bool { layout.view == nil }

  /// Shows the saved snapshot if nothing is shown yet; returns whether there was one.
  ///
  /// `other` is that of the other form, which is shown if it is newer.
  mutating func showSnapshot(
    _ key: Snapshot.Key,
    orNewer other: Snapshot?,
    _ turn: CardTurn
  ) -> Bool {
    snapshots.noteLook()
    // With another one, all but the date of an older one stays unread.
    guard isEmpty, let snapshot = turn.queries.snapshot(key, other?.made) ?? other else {
      return false
    }
    _ = show(snapshot, at: turn.moment)
    return true
  }

  /// The rows that the content of a snapshot takes at the width of the card.
  func rows(of snapshot: Snapshot, in environment: LayoutEnvironment) -> Int {
    snapshot.preferredHeight ?? layout.rows(of: snapshot.view, in: environment)
  }

  /// Shows the snapshot that another host saved, if it is newer.
  ///
  /// Returns nil if it is not newer, otherwise whether anything changed.
  mutating func showNewerSnapshot(_ key: Snapshot.Key, _ turn: CardTurn) -> Bool? {
    guard let newest = snapshots.newest, let snapshot = turn.queries.snapshot(key, newest) else {
      return nil
    }
    snapshots.willTakeOver()
    return show(snapshot, at: turn.moment)
  }

  private mutating func show(_ snapshot: Snapshot, at moment: Moment) -> Bool {
    let changed =
      snapshots.isForeign ? layout.adopt(snapshot.content) : layout.apply(snapshot.content)
    date = snapshot.contentDate
    snapshots.adopt(snapshot)
    let hasOtherEntry = timeline.follow(snapshot.timeline, at: moment).map { show($0) }
    return changed || hasOtherEntry ?? false
  }

  /// Whether `history` describes the snapshot that is shown.
  func isDescribed(by history: RefreshHistory, _ key: Snapshot.Key) -> Bool {
    snapshots.isDescribed(by: history, key)
  }

  // MARK: - Saving

  /// Returns the shown content as a snapshot to store, if it is not stored yet.
  ///
  /// `isLocked` says whether the page is locked, so that no private content is saved; it is written after
  ///   the page was unlocked, if it is still the newest.
  mutating func save(
    _ key: Snapshot.Key,
    isLocked: Bool,
    at now: ContinuousClock.Instant
  ) -> Snapshot? {
    if isLocked, hasPrivateContent { return nil }
    var content: SnapshotKeeper.Content?
    if let view = layout.view, let date {
      content = SnapshotKeeper.Content(
        view: view,
        contentDate: date,
        preferredHeight: layout.preferredHeight,
        timeline: timeline.timeline
      )
    }
    return snapshots.keep(content, key, at: now)
  }

  private var hasPrivateContent: Bool {
    let later = timeline.timeline?.entries.compactMap(\.content.view) ?? []
    return ([layout.view].compactMap(\.self) + later).contains(where: \.hasPrivateContent)
  }

  /// Saves nothing from now on, because the widget has nothing to show.
  mutating func discardPicture() {
    snapshots.discard()
  }

  /// Shows no more entries by itself.
  mutating func stop() {
    timeline.stop()
  }
}

extension LayoutEnvironment {
  /// The environment at the time of an earlier content, whose dates are told from then.
  fileprivate nonisolated func atTime(of past: PastContent?) -> LayoutEnvironment {
    guard let past else { return self }
    var environment = self
    environment.now = past.made
    return environment
  }
}

extension ContentSource {
  /// The origin of a snapshot, which decides whether it is newer than a saved one.
  fileprivate nonisolated var origin: SnapshotKeeper.Origin {
    switch self {
    case .update, .push, .action: .made
    case .appearance: .appearance
    case .disappearance: .disappearance
    }
  }
}
