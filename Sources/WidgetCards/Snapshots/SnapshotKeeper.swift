import FoundationEssentials
import WidgetExtensions
import WidgetKitCore

/// What is saved of one card and when, and which saved snapshot is newer than what it shows.
nonisolated struct SnapshotKeeper {
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
  /// When pushed content is to be saved; nil if none waits.
  private(set) var due: ContinuousClock.Instant?

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

  // MARK: - Search

  /// Sets whether the snapshot is to be loaded later.
  mutating func setOwed(_ isOwed: Bool) {
    self.isOwed = isOwed
  }

  /// Records that loading the snapshot has been tried.
  mutating func noteLook() {
    hasLooked = true
  }

  /// The date after which a snapshot of another host is newer than the shown content; nil if none is looked for.
  var newest: Date? { isDiscarded ? nil : date ?? .distantPast }

  /// A snapshot that another host has saved, and that is newer than the shown content, is about to be shown.
  mutating func willTakeOver() {
    stop()
    isOwed = false
    hasLooked = true
    isForeign = true
  }

  /// Records that a saved snapshot is shown.
  mutating func adopt(_ snapshot: Snapshot) {
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
  mutating func note(_ origin: Origin, at now: Date) {
    switch origin {
    case .made:
      isForeign = false
      isMixed = false
      date = now
    case .appearance, .disappearance:
      guard !isForeign else {
        isMixed = true
        return
      }
      date = origin == .appearance ? now : date ?? now
    }
    hasUnkept = true
  }

  /// Saves pushed content at a limited rate: soon if nothing was saved for a while, otherwise twice a
  /// minute, and when the widget ends.
  ///
  /// - Parameters:
  ///   - isAnswer: Whether it is the result of a press, which is saved twice a second.
  ///   - now: The present time.
  mutating func keepLater(isAnswer: Bool, at now: ContinuousClock.Instant) {
    let pause = isAnswer ? Self.answerPatience : Self.pushPatience
    let least = isAnswer ? Self.firstAnswerPatience : Self.firstPushPatience
    let past = lastKeeping.map { $0.duration(to: now) } ?? pause
    let soon = now + max(least, pause - past)
    due = min(due ?? soon, soon)
  }

  /// Returns the shown content as a snapshot to write if it is not saved yet.
  mutating func keep(
    _ content: Content?,
    _ key: Snapshot.Key,
    at now: ContinuousClock.Instant
  ) -> Snapshot? {
    stop()
    let isOther = picture.map { $0.key != key.variant } ?? false
    guard !isDiscarded, hasUnkept || isOther && !isMixed, let content, let date else {
      return nil
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
    lastKeeping = now
    return snapshot
  }

  /// Saves nothing from now on, because the widget has nothing to show.
  mutating func discard() {
    isDiscarded = true
  }

  /// Saves nothing by itself until more content comes.
  mutating func stop() {
    due = nil
  }
}

nonisolated extension RefreshHistory.Picture {
  init(_ snapshot: Snapshot) {
    self.init(key: snapshot.key.variant, made: snapshot.made)
  }
}
