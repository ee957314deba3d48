import WidgetKitCore

/// What a page says beside its cards: what is wrong, and what became of something that a person did.
///
/// A class because its timer calls it back.
final class PageNotices {
  /// What can be wrong for a while, one message for each.
  enum Trouble: CaseIterable {
    /// The order of the page cannot be written.
    case record
    /// Snapshots cannot be written.
    case snapshots
    /// Other programs cannot be followed.
    case following
  }

  /// What became of something that a person did, for some seconds.
  private(set) var notice: SafeText?

  private let clock: any HostClock
  private let onChange: () -> Void
  /// What is wrong with the installation: bad bundles, files that cannot be used.
  private var installation: [SafeText] = []
  private var troubles: [Trouble: SafeText] = [:]
  private var timer: (any HostTimer)?

  /// How long a notice stays.
  private static let noticeTime: Duration = .seconds(6)

  init(clock: any HostClock, onChange: @escaping () -> Void) {
    self.clock = clock
    self.onChange = onChange
  }

  /// All that is wrong.
  var problems: [SafeText] { installation + Trouble.allCases.compactMap { troubles[$0] } }

  /// Says for some seconds what became of something.
  func say(_ words: SafeText) {
    notice = words
    timer?.cancel()
    timer = clock.schedule(after: Self.noticeTime) { [weak self] in
      self?.notice = nil
      self?.onChange()
    }
    onChange()
  }

  /// Begins with what a search for bundles found wrong.
  func begin(with problems: [SafeText]) {
    installation = problems
  }

  /// Adds something that is wrong.
  func note(_ problem: SafeText) {
    installation.append(problem)
    onChange()
  }

  /// Takes a problem off the page that is none any more.
  func forget(_ problem: SafeText) {
    installation.removeAll { $0 == problem }
    onChange()
  }

  /// Says what is wrong at present; nil where it is right again.
  func set(_ trouble: Trouble, _ words: SafeText?) {
    guard troubles[trouble] != words else { return }
    troubles[trouble] = words
    onChange()
  }
}
