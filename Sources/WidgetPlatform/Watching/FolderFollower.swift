import WidgetKitCore

/// Observes changes by other programs in some folders, and retries if that is not possible yet.
@MainActor package final class FolderFollower {
  private let paths: [String]
  private let kind: FolderWatch.Kind
  private let clock: any HostClock
  private let onChange: (Set<String>) -> Void
  private let onTrouble: (HostError?) -> Void
  private var watch: FolderWatch?
  private var retry: (any HostTimer)?
  private var hasFailed = false
  /// The time until the next attempt; it becomes longer each time.
  private var pause: Duration = .milliseconds(500)

  private static let longestPause: Duration = .seconds(60)

  /// Creates a follower that is not started.
  ///
  /// - Parameters:
  ///   - paths: The folders.
  ///   - kind: Whose folders they are.
  ///   - clock: The clock for its timer.
  ///   - onChange: Called with the names of the changed files; an empty set means that any file may
  ///     have changed.
  ///   - onTrouble: Called with an error if the folders cannot be observed, and with nil when they can
  ///     again.
  package init(
    _ paths: [String],
    of kind: FolderWatch.Kind = .own,
    clock: any HostClock,
    onChange: @escaping (Set<String>) -> Void,
    onTrouble: @escaping (HostError?) -> Void
  ) {
    self.paths = paths
    self.kind = kind
    self.clock = clock
    self.onChange = onChange
    self.onTrouble = onTrouble
  }

  /// Whether changes are observed.
  package var isFollowing: Bool { watch != nil }

  /// Reports what has changed until now, before another follower takes its place.
  package func flush() {
    watch?.flush()
  }

  /// Starts to observe the folders.
  package func start() {
    guard watch == nil else { return }
    do throws(HostError) {
      watch = try FolderWatch(paths, of: kind) { [weak self] in self?.onChange($0) }
      guard hasFailed else { return }
      hasFailed = false
      onTrouble(nil)
      onChange([])
    } catch {
      // The kernel allows a user 128 watches, which other programs may hold for a while.
      hasFailed = true
      onTrouble(error)
      retry = clock.schedule(after: pause) { [weak self] in self?.start() }
      pause = min(pause * 2, Self.longestPause)
    }
  }
}
