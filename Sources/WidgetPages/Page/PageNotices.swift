import WidgetCards
import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// The messages that a page shows besides its cards: problems, and results of the user's actions.
///
/// This is a class because its timer calls it.
public final class PageNotices {
  /// The kinds of temporary problems; each has at most one message.
  enum Trouble: CaseIterable {
    /// The order of the page cannot be written.
    case record
    /// Snapshots cannot be written.
    case snapshots
    /// Changes by other programs cannot be observed.
    case following
    /// Folders on other machines cannot be listed.
    case machines
    /// The notices of the user cannot be read.
    case notices
  }

  /// The result of a user's action, shown for some seconds.
  public private(set) var current: SafeText?

  /// When ``current`` was said; nil while nothing is.
  public private(set) var said: ContinuousClock.Instant?

  /// How many notices there were.
  public private(set) var count = 0

  private let lock: PageLock
  private let clock: any HostClock
  private let onChange: () -> Void
  /// Problems with the installation: invalid bundles, files that cannot be used.
  private var installation: [SafeText] = []
  /// Problems with the settings of widgets.
  private var settings: [SafeText] = []
  private var troubles: [Trouble: SafeText] = [:]
  /// The cards that problems are about.
  private var cards: [SafeText: CardID] = [:]
  private var timer: (any HostTimer)?

  /// How long a notice is shown.
  private static let noticeTime: Duration = .seconds(6)

  init(_ lock: PageLock, clock: any HostClock, onChange: @escaping () -> Void) {
    self.lock = lock
    self.clock = clock
    self.onChange = onChange
  }

  /// Current problems, for example invalid bundles and folders that cannot be used.
  ///
  /// A locked page shows none, as they name files and settings of the user.
  public var problems: [SafeText] {
    guard !lock.isLocked else { return [] }
    return installation + settings + Trouble.allCases.compactMap { troubles[$0] }
  }

  /// The card that a problem is about; nil for one of the whole page or the installation.
  public func card(of problem: SafeText) -> ExtensionIdentity? { cards[problem] }

  // MARK: - Notices

  /// Whether the page is locked; if it is, the user is told.
  func refusesAsLocked() -> Bool {
    if lock.isLocked { say(lock.words) }
    return lock.isLocked
  }

  /// Shows a notice about a card, or what came of an action on it, for some seconds; none on a locked page, as it may
  /// be about what is concealed there.
  public func sayUnlessLocked(_ words: SafeText) {
    if !lock.isLocked { say(words) }
  }

  /// Shows the result of a user's action below the page, for some seconds.
  public func say(_ words: SafeText) {
    (current, said) = (words, clock.now)
    count += 1
    timer?.cancel()
    timer = clock.schedule(after: Self.noticeTime) { [weak self] in
      self?.clear()
    }
    onChange()
  }

  /// Ends a notice whose cause is over.
  public func end(_ words: SafeText) {
    if current == words { clear() }
  }

  /// Ends what was said below the page.
  public func clear() {
    timer?.cancel()
    guard current != nil else { return }
    (current, said) = (nil, nil)
    onChange()
  }

  // MARK: - Problems

  /// Sets the problems that a search for bundles found.
  func begin(with problems: [SafeText]) {
    installation = problems
  }

  /// Adds a problem, which may be about a card.
  func note(_ problem: SafeText, about card: CardID? = nil) {
    installation.append(problem)
    cards[problem] = card
    onChange()
  }

  /// Removes a problem that has been solved.
  func forget(_ problem: SafeText) {
    installation.removeAll { $0 == problem }
    cards[problem] = nil
    onChange()
  }

  /// Replaces the problems of a search for bundles by those of a later one.
  func replace(_ old: [BundleError], by new: [BundleError]) {
    for problem in Set(old).subtracting(new) { forget(SafeText(problem.description)) }
    for problem in new where !old.contains(problem) { note(SafeText(problem.description)) }
  }

  /// Sets everything that is wrong with the settings of widgets, and the cards that it is about.
  func set(settings problems: [SafeText], about cards: [SafeText: CardID] = [:]) {
    guard problems != settings else { return }
    for problem in settings { self.cards[problem] = nil }
    self.cards.merge(cards) { $1 }
    settings = problems
    onChange()
  }

  /// Sets the message of a temporary problem, or nil when it is solved.
  func set(_ trouble: Trouble, _ words: SafeText?) {
    guard troubles[trouble] != words else { return }
    troubles[trouble] = words
    onChange()
  }
}
