import WidgetKitCore

/// Follows what other programs change in some folders, and tries again where that cannot be had yet.
///
/// A class because it owns a watch, and its timer calls it back.
final class FolderFollower {
  private let paths: [String]
  private let clock: any HostClock
  private let onChange: (Set<String>) -> Void
  private let onTrouble: (HostError?) -> Void
  private var watch: FolderWatch?
  private var retry: (any HostTimer)?
  private var hasFailed = false
  /// How long until it is tried again; longer each time.
  private var pause: Duration = .milliseconds(500)

  private static let longestPause: Duration = .seconds(60)

  /// Creates a follower that does nothing yet.
  ///
  /// - Parameters:
  ///   - paths: The folders.
  ///   - clock: What it waits with.
  ///   - onChange: Called with the names of what has changed; no names stand for everything.
  ///   - onTrouble: Called with why the folders cannot be followed yet; nil where they are again.
  init(
    _ paths: [String],
    clock: any HostClock,
    onChange: @escaping (Set<String>) -> Void,
    onTrouble: @escaping (HostError?) -> Void
  ) {
    self.paths = paths
    self.clock = clock
    self.onChange = onChange
    self.onTrouble = onTrouble
  }

  /// Whether changes are noticed.
  var isFollowing: Bool { watch != nil }

  /// Follows the folders from now on.
  func start() {
    guard watch == nil else { return }
    do throws(HostError) {
      watch = try FolderWatch(paths) { [weak self] in self?.onChange($0) }
      guard hasFailed else { return }
      hasFailed = false
      onTrouble(nil)
      onChange([])
    } catch {
      // The kernel gives a user 128 watches, which others may hold for a while.
      hasFailed = true
      onTrouble(error)
      retry = clock.schedule(after: pause) { [weak self] in self?.start() }
      pause = min(pause * 2, Self.longestPause)
    }
  }
}
