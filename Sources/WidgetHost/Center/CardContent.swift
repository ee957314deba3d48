import FoundationEssentials
import WidgetKitCore

/// The card that owns a ``CardContent``.
protocol CardContentOwner: AnyObject {
  /// Whether the widget has nothing to show, so that no snapshot is loaded.
  var isHidden: Bool { get }
  /// What the card's snapshot depends on.
  var snapshotKey: Snapshot.Key { get }
  var environment: LayoutEnvironment { get }
  /// Whether the page is locked, so that no private content is saved, not even of a card that shows it.
  var isPageLocked: Bool { get }
  /// Whether the user has pressed something so lately that what the widget sends may be the result.
  var wasPressedLately: Bool { get }
  /// Called when the content, or only its date, has changed.
  ///
  /// - Parameter resizes: Whether the height of the content may have changed.
  func contentDidChange(resizes: Bool)
  /// Called with the pictures of a layout.
  func didLayOut(_ images: [ImageDrawing])
  /// Called when a snapshot was saved without an update, so that other hosts can be notified.
  func pictureWasKept(_ picture: RefreshHistory.Picture)
  /// Called when ``CardContent/due`` may be another one.
  func dueMayHaveChanged()
}

/// The content of a card, laid out at the card's width: from its widget, from a timeline, or from a
/// snapshot.
///
/// It also saves the content as a snapshot. A class because the parts of the card share it.
final class CardContent {
  /// When the content was made, or nil if there is none.
  private(set) var date: Date?
  /// When content was first shown; nil before that, and if a snapshot was shown first.
  private(set) var firstShown: ContinuousClock.Instant?

  private unowned let owner: any CardContentOwner
  private let clock: any HostClock
  private let store: SnapshotStore
  private var snapshots = SnapshotKeeper() {
    didSet { owner.dueMayHaveChanged() }
  }
  private var timeline = TimelinePlayer() {
    didSet { owner.dueMayHaveChanged() }
  }
  private var layout = CardLayout()
  /// Makes what is shown in place of the content, for a number of columns, laid out in `coverLayout`.
  private var cover: ((Int) -> ViewNode)?
  private var coverLayout = CardLayout()

  init(owner: any CardContentOwner, store: SnapshotStore, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
    self.store = store
  }

  /// When ``wake()`` is to be called.
  var due: ContinuousClock.Instant? { [snapshots.due, timeline.due].compactMap(\.self).min() }

  /// Does what is due.
  func wake() {
    let now = clock.now
    if let due = timeline.due, due <= now { advanceTimeline() }
    if let due = snapshots.due, due <= now {
      snapshots.stop()
      keep()
    }
  }

  // MARK: - Shown content

  var view: ViewNode? { shown.view }
  /// Whether something is shown in place of the content.
  var isCovered: Bool { cover != nil }
  private var shown: CardLayout { isCovered ? coverLayout : layout }
  /// Whether there was no snapshot when the page opened, so that the first content arrives while it is
  /// open.
  var isWithoutPicture: Bool { layout.view == nil || firstShown != nil }
  /// The width of the layout, in columns.
  var width: Int { layout.width }
  /// Whether the content determines a height.
  var hasHeight: Bool { shown.view != nil || shown.preferredHeight != nil }
  /// Whether the height depends only on the view.
  var followsView: Bool { shown.preferredHeight == nil }

  /// The height of the content, in rows.
  var wantedRows: Int {
    let environment = owner.environment
    return isCovered
      ? coverLayout.wantedRows(in: environment) : layout.wantedRows(in: environment)
  }

  /// Returns how many rows of the view a height of `rows` cuts off.
  func rowsCut(at rows: Int) -> Int { shown.rowsCut(at: rows, in: owner.environment) }

  /// Returns the view laid out with a height of `rows`.
  func laidOut(rows: Int) -> LaidOutView {
    let environment = owner.environment
    let view =
      isCovered
      ? coverLayout.laidOut(rows: rows, in: environment)
      : layout.laidOut(rows: rows, in: environment)
    owner.didLayOut(view.images)
    return view
  }

  /// Lays out the content at another width.
  func setWidth(_ width: Int) {
    layout.setWidth(width)
    layOutCover()
  }

  /// Lays out the content again because the environment changed.
  func relayOut() {
    layout.invalidate()
    coverLayout.invalidate()
  }

  /// Shows something in place of the content, or the content again; what the widget sends and what is saved
  /// stay as they are.
  ///
  /// - Parameter cover: Makes it, for a number of columns; nil for the content.
  func setCover(_ cover: ((Int) -> ViewNode)?) {
    self.cover = cover
    layOutCover()
  }

  private func layOutCover() {
    guard let cover else { return }
    coverLayout.setWidth(layout.width)
    _ = coverLayout.apply(ContentUpdate(view: cover(layout.width)))
  }

  /// Shows toggles in a state that differs from the view's.
  func setSwitched(_ switched: [PressTarget]) {
    layout.switched = switched
  }

  /// Called when a process starts: the previous process's preferred height is used until this one shows
  /// content.
  func processDidBegin() {
    layout.inheritHeight()
  }

  // MARK: - Content from the widget

  /// Applies content from the widget; returns whether anything changed.
  func apply(_ content: ContentUpdate, _ source: ContentSource) -> Bool {
    if content.view != nil {
      if layout.view == nil { firstShown = clock.now }
      snapshots.setOwed(false)
    }
    let changed = layout.apply(content)
    if content.view != nil { note(source, changed: changed) }
    if layout.view != nil, changed || content.view != nil && !source.isAppearance {
      snapshots.note(source.origin, at: clock.date)
    }
    // Content that comes with an update is saved together with the update's result.
    switch source {
    case .action: snapshots.keepLater(isAnswer: true, at: clock.now)
    case .push: snapshots.keepLater(isAnswer: owner.wasPressedLately, at: clock.now)
    case .appearance, .disappearance, .update: break
    }
    return changed
  }

  /// Shows a view alongside a transition; returns whether it differs from the previous one.
  ///
  /// It belongs to the content of its process alone, and not to a newer picture of another host.
  func apply(alongside view: ViewNode) -> Bool {
    guard !snapshots.isForeign else { return false }
    return layout.apply(ContentUpdate(view: view))
  }

  /// Sets the content's date.
  ///
  /// Content that a widget shows again unchanged keeps its date.
  private func note(_ source: ContentSource, changed: Bool) {
    switch source {
    case .update, .push, .action: date = clock.date
    case .appearance where changed || date == nil: date = clock.date
    case .appearance, .disappearance: break
    }
  }

  // MARK: - Content from a timeline

  /// The timeline whose entries are shown at their times, or nil if there is none.
  var followedTimeline: Timeline? { timeline.timeline }

  /// Shows the current entry of the timeline.
  func advanceTimeline() {
    timeline.advance(at: clock.moment).map(show)
  }

  /// The content is as old as before the clock was set.
  func clockWasSet(by shift: Double) {
    date = date?.addingTimeInterval(shift)
  }

  private func show(_ entry: TimelineEntry) {
    let changed = layout.apply(entry.content)
    date = entry.date
    owner.contentDidChange(resizes: changed)
  }

  // MARK: - Content from a snapshot

  /// Whether the saved snapshot has yet to be loaded.
  var owesSnapshot: Bool { snapshots.isOwed }
  /// Whether loading the saved snapshot has been tried.
  var hasLookedForSnapshot: Bool { snapshots.hasLooked }
  /// When the widget sent the shown content, to any host; nil if nothing is shown.
  var pictureDate: Date? { snapshots.date }
  /// The part of the content that was saved last.
  var picture: RefreshHistory.Picture? { snapshots.picture }

  /// Sets whether the snapshot is to be loaded later.
  func setOwed(_ isOwed: Bool) {
    snapshots.setOwed(isOwed)
  }

  /// Shows the saved snapshot if nothing is shown yet; returns whether there was one.
  func showSnapshot() -> Bool {
    snapshots.noteLook()
    guard layout.view == nil, let snapshot = store.snapshot(for: owner.snapshotKey) else {
      return false
    }
    show(snapshot)
    return true
  }

  /// Shows the snapshot that another host saved, if it is newer.
  ///
  /// Returns nil if it is not newer, otherwise whether anything changed.
  func showNewerSnapshot() -> Bool? {
    guard !owner.isHidden, let newest = snapshots.newest,
      let snapshot = store.snapshot(for: owner.snapshotKey, newerThan: newest)
    else { return nil }
    snapshots.willTakeOver()
    return show(snapshot)
  }

  @discardableResult
  private func show(_ snapshot: Snapshot) -> Bool {
    let changed =
      snapshots.isForeign ? layout.adopt(snapshot.content) : layout.apply(snapshot.content)
    date = snapshot.contentDate
    snapshots.adopt(snapshot)
    timeline.follow(snapshot.timeline, at: clock.moment).map(show)
    return changed
  }

  /// Whether `history` describes the snapshot that is shown.
  func isDescribed(by history: RefreshHistory) -> Bool {
    snapshots.isDescribed(by: history, owner.snapshotKey)
  }

  // MARK: - Saving

  /// Follows the timeline of an update that brought new data; ``save()`` saves the new content.
  func take(_ timeline: Timeline?) {
    self.timeline.follow(timeline, at: clock.moment).map(show)
    if layout.view != nil { snapshots.note(.made, at: clock.date) }
  }

  /// Saves the shown content if it is not saved yet.
  func save() {
    _ = write()
  }

  /// Saves the shown content if it is not saved yet, and notifies other hosts.
  func keep() {
    guard write(), let picture = snapshots.picture else { return }
    owner.pictureWasKept(picture)
  }

  private func write() -> Bool {
    // It is written after the page was unlocked, if it is still the newest.
    if owner.isPageLocked, hasPrivateContent { return false }
    var content: SnapshotKeeper.Content?
    if let view = layout.view, let date {
      content = SnapshotKeeper.Content(
        view: view,
        contentDate: date,
        preferredHeight: layout.preferredHeight,
        timeline: timeline.timeline
      )
    }
    guard let snapshot = snapshots.keep(content, owner.snapshotKey, at: clock.now) else {
      return false
    }
    store.keep(snapshot)
    return true
  }

  private var hasPrivateContent: Bool {
    let later = timeline.timeline?.entries.compactMap(\.content.view) ?? []
    return ([layout.view].compactMap(\.self) + later).contains(where: \.hasPrivateContent)
  }

  /// Saves nothing from now on, because the widget has nothing to show.
  func discardPicture() {
    snapshots.discard()
  }

  /// Stops all timers.
  func stop() {
    timeline.stop()
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
