import WidgetKitCore
import WidgetPlatform

/// The messages that a page shows besides its cards: problems, and results of the user's actions.
///
/// This is a class because its timer calls it.
final class PageNotices {
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
  }

  /// The result of a user's action, shown for some seconds.
  private(set) var notice: SafeText?

  /// How many notices there were.
  private(set) var count = 0

  private let clock: any HostClock
  private let onChange: () -> Void
  /// Problems with the installation: invalid bundles, files that cannot be used.
  private var installation: [SafeText] = []
  /// Problems with the settings of widgets.
  private var settings: [SafeText] = []
  private var troubles: [Trouble: SafeText] = [:]
  private var timer: (any HostTimer)?

  /// How long a notice is shown.
  private static let noticeTime: Duration = .seconds(6)

  init(clock: any HostClock, onChange: @escaping () -> Void) {
    self.clock = clock
    self.onChange = onChange
  }

  /// All current problems.
  var problems: [SafeText] {
    installation + settings + Trouble.allCases.compactMap { troubles[$0] }
  }

  /// Whether the page is locked, so that nothing is said of what cards conceal.
  var isLocked = false

  /// Shows a notice about a card, or what came of an action on it, for some seconds.
  func say(_ words: SafeText) {
    if !isLocked { sayAlways(words) }
  }

  /// Shows a notice for some seconds, also on a locked page.
  func sayAlways(_ words: SafeText) {
    notice = words
    count += 1
    timer?.cancel()
    timer = clock.schedule(after: Self.noticeTime) { [weak self] in
      self?.notice = nil
      self?.onChange()
    }
    onChange()
  }

  /// Ends a notice whose cause is over.
  func end(_ words: SafeText) {
    if notice == words { clear() }
  }

  /// Ends the present notice.
  func clear() {
    timer?.cancel()
    guard notice != nil else { return }
    notice = nil
    onChange()
  }

  /// Sets the problems that a search for bundles found.
  func begin(with problems: [SafeText]) {
    installation = problems
  }

  /// Adds a problem.
  func note(_ problem: SafeText) {
    installation.append(problem)
    onChange()
  }

  /// Removes a problem that has been solved.
  func forget(_ problem: SafeText) {
    installation.removeAll { $0 == problem }
    onChange()
  }

  /// Sets everything that is wrong with the settings of widgets.
  func set(settings problems: [SafeText]) {
    guard problems != settings else { return }
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
