import FoundationEssentials
import WidgetKitCore

/// Keeps what one card shows, and finds what was kept by this host or another.
///
/// A class because its timer calls it back.
final class SnapshotKeeper {
  /// Where what is shown comes from, for whether it is newer than what was kept.
  enum Origin {
    /// The widget made it just now.
    case made
    /// It is what the process had before, when its card appeared.
    case appearance
    /// It is what the process had before, when its card disappeared.
    case disappearance
  }

  /// What is shown, as far as it is kept.
  struct Content {
    var view: ViewNode
    var contentDate: Date
    var preferredHeight: Int?
    var timeline: Timeline?
  }

  /// When the widget sent what is shown, to whichever host; nil where nothing is shown.
  private(set) var date: Date?
  /// What of it was kept last, or was taken over as it was kept.
  private(set) var picture: RefreshHistory.Picture?
  /// Whether the picture that was kept is to be looked for later.
  private(set) var isOwed = false
  /// Whether the picture that was kept was looked for.
  private(set) var hasLooked = false
  /// Called when what was pushed is to be kept now.
  var onDue: (() -> Void)?

  private let store: SnapshotStore
  private let clock: any HostClock
  private var timer: (any HostTimer)?
  /// Whether something is shown that is to be kept and is not.
  private var hasUnkept = false
  /// Whether what is shown came from another host while this one runs.
  private var isForeign = false
  /// When something was kept last.
  private var lastKeeping: ContinuousClock.Instant?
  /// Whether nothing is kept any more.
  private var isDiscarded = false

  /// The least time from one view that was pushed and kept to the next.
  static let pushPatience: Duration = .seconds(30)
  /// How long one that is pushed after a longer time waits for more.
  private static let firstPushPatience: Duration = .milliseconds(500)

  init(store: SnapshotStore, clock: any HostClock) {
    self.store = store
    self.clock = clock
  }

  // MARK: - Search

  /// Says whether the picture is to be looked for later.
  func setOwed(_ isOwed: Bool) {
    self.isOwed = isOwed
  }

  /// Looks for the picture that was kept last.
  func find(_ key: Snapshot.Key) -> Snapshot? { store.snapshot(for: key) }

  /// Notes that the picture was looked for.
  func noteLook() {
    hasLooked = true
  }

  /// Looks for a picture that another host has kept and that is newer than what is shown.
  func findNewer(_ key: Snapshot.Key) -> Snapshot? {
    guard !isDiscarded,
      let snapshot = store.snapshot(for: key, newerThan: date ?? .distantPast)
    else { return nil }
    stop()
    isOwed = false
    hasLooked = true
    isForeign = true
    return snapshot
  }

  /// Notes that a picture is shown as it was kept.
  func adopt(_ snapshot: Snapshot) {
    date = snapshot.made
    picture = RefreshHistory.Picture(snapshot)
    hasUnkept = false
  }

  /// Whether a history is that of the picture that is shown.
  func isDescribed(by history: RefreshHistory, _ key: Snapshot.Key) -> Bool {
    guard let picture = history.picture else {
      return history.lastGood == nil || date != nil
    }
    return picture.key == key.variant && picture.made <= date ?? .distantPast
  }

  // MARK: - Saving

  /// Notes that the widget has sent something that is to be kept.
  ///
  /// What comes with appearing and disappearing is what the process had before, so it is not newer
  /// than what another host's process has sent meanwhile.
  func note(_ origin: Origin) {
    switch origin {
    case .made:
      isForeign = false
      date = clock.date
    case .appearance:
      if isForeign { return }
      date = clock.date
    case .disappearance:
      if isForeign { return }
      date = date ?? clock.date
    }
    hasUnkept = true
  }

  /// Keeps what a widget pushes of its own accord sparingly: soon where nothing was kept for a while,
  /// else twice a minute, and when it goes.
  func keepLater() {
    guard timer == nil else { return }
    let past = lastKeeping.map { $0.duration(to: clock.now) } ?? Self.pushPatience
    let wait = max(Self.firstPushPatience, Self.pushPatience - past)
    timer = clock.schedule(after: wait) { [weak self] in self?.onDue?() }
  }

  /// Has what is shown written, where it is not kept yet; returns whether it is being written.
  func keep(_ content: Content?, _ key: Snapshot.Key) -> Bool {
    stop()
    let isOther = picture.map { $0.key != key.variant } ?? false
    guard !isDiscarded, hasUnkept || isOther, let content, let date else { return false }
    let snapshot = Snapshot(
      key: key,
      made: date,
      contentDate: content.contentDate,
      view: content.view,
      preferredHeight: content.preferredHeight,
      timeline: content.timeline
    )
    hasUnkept = false
    picture = RefreshHistory.Picture(snapshot)
    lastKeeping = clock.now
    store.keep(snapshot)
    return true
  }

  /// Keeps nothing from now on: the widget has nothing to show.
  func discard() {
    isDiscarded = true
  }

  /// Waits for nothing any more.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}

nonisolated extension RefreshHistory.Picture {
  init(_ snapshot: Snapshot) {
    key = snapshot.key.variant
    made = snapshot.made
  }
}
