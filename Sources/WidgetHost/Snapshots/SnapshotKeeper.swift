import FoundationEssentials
import WidgetKitCore

/// Saves what one card shows, and loads what this host or another one has saved.
final class SnapshotKeeper {
  /// The origin of the shown content, which decides whether it is newer than the saved one.
  enum Origin {
    /// The widget has just made it.
    case made
    /// The process had it before and sent it when its card appeared.
    case appearance
    /// The process had it before and sent it when its card disappeared.
    case disappearance
  }

  /// The parts of the shown content that are saved.
  struct Content {
    var view: ViewNode
    var contentDate: Date
    var preferredHeight: Int?
    var timeline: Timeline?
  }

  /// When the widget sent the shown content, to any host; nil if nothing is shown.
  private(set) var date: Date?
  /// The snapshot of the shown content that was last saved or loaded.
  private(set) var picture: RefreshHistory.Picture?
  /// Whether the saved snapshot is to be loaded later.
  private(set) var isOwed = false
  /// Whether loading the saved snapshot has been tried.
  private(set) var hasLooked = false
  /// Called when pushed content is due to be saved.
  var onDue: (() -> Void)?

  private let store: SnapshotStore
  private let clock: any HostClock
  private var timer: (any HostTimer)?
  /// When the timer fires.
  private var due: ContinuousClock.Instant?
  /// Whether shown content has yet to be saved.
  private var hasUnkept = false
  /// Whether the shown content came from another host while this one runs.
  private(set) var isForeign = false
  /// Whether an older view of this host's process is shown with the date of another host's picture.
  private var isMixed = false
  /// When content was last saved.
  private var lastKeeping: ContinuousClock.Instant?
  /// Whether nothing is saved any more.
  private var isDiscarded = false

  /// The shortest time between saving two pushed views.
  static let pushPatience: Duration = .seconds(30)
  /// How long a view that is pushed after a longer time waits for more.
  private static let firstPushPatience: Duration = .milliseconds(500)
  /// The shortest time between saving two answers to presses, which the user sees on other pages too.
  static let answerPatience: Duration = .milliseconds(500)
  /// How long such an answer waits for more.
  private static let firstAnswerPatience: Duration = .milliseconds(50)

  init(store: SnapshotStore, clock: any HostClock) {
    self.store = store
    self.clock = clock
  }

  // MARK: - Search

  /// Sets whether the snapshot is to be loaded later.
  func setOwed(_ isOwed: Bool) {
    self.isOwed = isOwed
  }

  /// Returns the saved snapshot.
  func find(_ key: Snapshot.Key) -> Snapshot? { store.snapshot(for: key) }

  /// Records that loading the snapshot has been tried.
  func noteLook() {
    hasLooked = true
  }

  /// Returns a snapshot that another host has saved, if it is newer than the shown content.
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

  /// Records that a saved snapshot is shown.
  func adopt(_ snapshot: Snapshot) {
    date = snapshot.made
    picture = RefreshHistory.Picture(snapshot)
    hasUnkept = false
    isMixed = false
  }

  /// Whether `history` describes the snapshot that is shown.
  func isDescribed(by history: RefreshHistory, _ key: Snapshot.Key) -> Bool {
    guard let picture = history.picture else {
      return history.lastGood == nil || date != nil
    }
    return picture.key == key.variant && picture.made <= date ?? .distantPast
  }

  // MARK: - Saving

  /// Records that the widget has sent content that must be saved.
  ///
  /// Content that comes with appearing and disappearing is what the process had before, so it is not
  /// newer than what another host's process has sent meanwhile.
  func note(_ origin: Origin) {
    switch origin {
    case .made:
      isForeign = false
      isMixed = false
      date = clock.date
    case .appearance, .disappearance:
      guard !isForeign else {
        isMixed = true
        return
      }
      date = origin == .appearance ? clock.date : date ?? clock.date
    }
    hasUnkept = true
  }

  /// Saves pushed content at a limited rate: soon if nothing was saved for a while, otherwise twice a
  /// minute, and when the widget ends.
  ///
  /// - Parameter isAnswer: Whether it is the result of a press, which is saved twice a second.
  func keepLater(isAnswer: Bool) {
    let pause = isAnswer ? Self.answerPatience : Self.pushPatience
    let least = isAnswer ? Self.firstAnswerPatience : Self.firstPushPatience
    let past = lastKeeping.map { $0.duration(to: clock.now) } ?? pause
    let wait = max(least, pause - past)
    if let due, due <= clock.now + wait { return }
    stop()
    due = clock.now + wait
    timer = clock.schedule(after: wait) { [weak self] in
      self?.stop()
      self?.onDue?()
    }
  }

  /// Starts to write the shown content if it is not saved yet; returns whether it is being written.
  func keep(_ content: Content?, _ key: Snapshot.Key) -> Bool {
    stop()
    let isOther = picture.map { $0.key != key.variant } ?? false
    guard !isDiscarded, hasUnkept || isOther && !isMixed, let content, let date else {
      return false
    }
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

  /// Saves nothing from now on, because the widget has nothing to show.
  func discard() {
    isDiscarded = true
  }

  /// Stops the timer.
  func stop() {
    timer?.cancel()
    timer = nil
    due = nil
  }
}

nonisolated extension RefreshHistory.Picture {
  init(_ snapshot: Snapshot) {
    key = snapshot.key.variant
    made = snapshot.made
  }
}
