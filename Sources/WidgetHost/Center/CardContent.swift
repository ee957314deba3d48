import FoundationEssentials
import WidgetKitCore

/// The card whose content a ``CardContent`` is.
protocol CardContentOwner: AnyObject {
  /// Whether the widget has nothing to show, so that no picture is looked for.
  var isHidden: Bool { get }
  /// What the card's snapshot depends on.
  var snapshotKey: Snapshot.Key { get }
  var environment: LayoutEnvironment { get }
  /// The content is another one, or as new as before but from another date.
  ///
  /// - Parameter resizes: Whether it may want another height.
  func contentDidChange(resizes: Bool)
  /// Other hosts are to be told of a picture that was kept without an update.
  func pictureWasKept(_ picture: RefreshHistory.Picture)
}

/// What a card shows: the last content of its widget, of a timeline, or of a snapshot, laid out at the
/// card's width, and kept.
///
/// A class because its timers call it back.
final class CardContent {
  /// When it was made; nil where there is none.
  private(set) var date: Date?
  /// When something was shown for the first time; nil before, and where a snapshot came first.
  private(set) var firstShown: ContinuousClock.Instant?

  private unowned let owner: any CardContentOwner
  private let clock: any HostClock
  private let snapshots: SnapshotKeeper
  private let timeline: TimelinePlayer
  private var layout = CardLayout()

  init(owner: any CardContentOwner, store: SnapshotStore, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
    snapshots = SnapshotKeeper(store: store, clock: clock)
    timeline = TimelinePlayer(clock: clock)
    timeline.onEntry = { [weak self] in self?.show($0) }
    snapshots.onDue = { [weak self] in self?.keep() }
  }

  // MARK: - What is shown

  var view: ViewNode? { layout.view }
  /// The columns that it is laid out in.
  var width: Int { layout.width }
  /// Whether it says anything about a height.
  var hasHeight: Bool { layout.view != nil || layout.preferredHeight != nil }
  /// Whether its height follows from the view alone.
  var followsView: Bool { layout.preferredHeight == nil }

  /// The rows that it wants.
  var wantedRows: Int { layout.wantedRows(in: owner.environment) }

  /// The view in so many rows.
  func laidOut(rows: Int) -> LaidOutView { layout.laidOut(rows: rows, in: owner.environment) }

  /// Lays it out in another width.
  func setWidth(_ width: Int) {
    layout.setWidth(width)
  }

  /// Lays it out anew, because the environment changed.
  func relayOut() {
    layout.invalidate()
  }

  /// Shows toggles in another state than the view has.
  func setSwitched(_ switched: [PressTarget]) {
    layout.switched = switched
  }

  /// A process begins: the height that the last one stated holds only until this one shows something.
  func processDidBegin() {
    layout.inheritHeight()
  }

  // MARK: - From the widget

  /// Takes over what the widget sent; returns whether anything is different.
  func apply(_ content: ContentUpdate, _ source: ContentSource) -> Bool {
    if content.view != nil {
      if layout.view == nil { firstShown = clock.now }
      snapshots.setOwed(false)
    }
    let changed = layout.apply(content)
    if content.view != nil { note(source, changed: changed) }
    if layout.view != nil, changed || content.view != nil && !source.isAppearance {
      snapshots.note(source.origin)
    }
    // What comes with an update is kept with what that said beside it.
    if source == .push || source == .action { snapshots.keepLater() }
    return changed
  }

  /// Shows a view beside a transition; returns whether it is different.
  func apply(alongside view: ViewNode) -> Bool { layout.apply(ContentUpdate(view: view)) }

  /// Says from when the content is: what a widget shows again as it left it stays as old as it was.
  private func note(_ source: ContentSource, changed: Bool) {
    switch source {
    case .update, .push, .action: date = clock.date
    case .appearance where changed || date == nil: date = clock.date
    case .appearance, .disappearance: break
    }
  }

  // MARK: - From a timeline

  /// What is shown at its times; nil where there is none.
  var followedTimeline: Timeline? { timeline.timeline }

  /// Shows the entry of this moment.
  func advanceTimeline() {
    timeline.advance()
  }

  private func show(_ entry: TimelineEntry) {
    let changed = layout.apply(entry.content)
    date = entry.date
    owner.contentDidChange(resizes: changed)
  }

  // MARK: - From a snapshot

  /// Whether the picture that was kept is still to be looked for.
  var owesSnapshot: Bool { snapshots.isOwed }
  /// Whether the picture that was kept was looked for.
  var hasLookedForSnapshot: Bool { snapshots.hasLooked }
  /// When the widget sent what is shown, to whichever host; nil where nothing is shown.
  var pictureDate: Date? { snapshots.date }
  /// What of it was kept last.
  var picture: RefreshHistory.Picture? { snapshots.picture }

  /// Leaves looking for the snapshot for later, or not any more.
  func setOwed(_ isOwed: Bool) {
    snapshots.setOwed(isOwed)
  }

  /// Shows the picture that was kept last, where nothing is shown; returns whether there was one.
  func showSnapshot() -> Bool {
    snapshots.noteLook()
    guard layout.view == nil, let snapshot = snapshots.find(owner.snapshotKey) else { return false }
    show(snapshot)
    return true
  }

  /// Shows the picture that another host has kept, where it is newer; nil where it is not, else whether
  /// anything is different.
  func showNewerSnapshot() -> Bool? {
    guard !owner.isHidden, let snapshot = snapshots.findNewer(owner.snapshotKey) else { return nil }
    return show(snapshot)
  }

  @discardableResult
  private func show(_ snapshot: Snapshot) -> Bool {
    let changed = layout.apply(snapshot.content)
    date = snapshot.contentDate
    snapshots.adopt(snapshot)
    timeline.follow(snapshot.timeline)
    return changed
  }

  /// Whether a history is that of the picture that is shown.
  func isDescribed(by history: RefreshHistory) -> Bool {
    snapshots.isDescribed(by: history, owner.snapshotKey)
  }

  // MARK: - Keeping

  /// Follows the timeline of an update that brought new data, and keeps what it brought.
  func keep(with timeline: Timeline?) {
    self.timeline.follow(timeline)
    if layout.view != nil { snapshots.note(.made) }
    _ = write()
  }

  /// Keeps what is shown, where that is not kept yet, and tells other hosts.
  func keep() {
    guard write(), let picture = snapshots.picture else { return }
    owner.pictureWasKept(picture)
  }

  private func write() -> Bool {
    var content: SnapshotKeeper.Content?
    if let view = layout.view, let date {
      content = SnapshotKeeper.Content(
        view: view,
        contentDate: date,
        preferredHeight: layout.preferredHeight,
        timeline: timeline.timeline
      )
    }
    return snapshots.keep(content, owner.snapshotKey)
  }

  /// Keeps nothing from now on: the widget has nothing to show.
  func discardPicture() {
    snapshots.discard()
  }

  /// Waits for nothing any more.
  func stop() {
    timeline.stop()
  }
}

extension ContentSource {
  /// Where a picture comes from, for whether it is newer than one that was kept.
  fileprivate nonisolated var origin: SnapshotKeeper.Origin {
    switch self {
    case .update, .push, .action: .made
    case .appearance: .appearance
    case .disappearance: .disappearance
    }
  }
}
