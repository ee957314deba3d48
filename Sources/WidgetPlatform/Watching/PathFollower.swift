import WidgetKitCore

/// Observes the folders to which some paths of the user lead, also through links, and while something on them is
/// missing.
@MainActor package final class PathFollower {
  private let clock: any HostClock
  private let onChange: (Set<String>) -> Void
  private let onTrouble: (HostError?) -> Void
  private var watched: [String] = []
  private var follower: FolderFollower?
  /// The names in the folders that matter: of what the paths lead to, of links, and of folders that are missing.
  package private(set) var names: Set<String> = []

  /// Creates a follower of no path.
  ///
  /// - Parameters:
  ///   - clock: The clock for its timer.
  ///   - onChange: Called with the names of the changed files; an empty set means that any file may
  ///     have changed.
  ///   - onTrouble: Called with an error if the folders cannot be observed, and with nil when they can
  ///     again.
  package init(
    clock: any HostClock,
    onChange: @escaping (Set<String>) -> Void,
    onTrouble: @escaping (HostError?) -> Void = { _ in }
  ) {
    (self.clock, self.onChange, self.onTrouble) = (clock, onChange, onTrouble)
  }

  /// Follows paths as they lead now, and no others; call it again when something on them has changed.
  package func follow(_ paths: [String]) {
    let followed = paths.map { FollowedPath($0) }
    names = Set(followed.flatMap(\.names))
    let folders = Set(followed.flatMap(\.folders)).sorted()
    guard folders != watched else { return }
    watched = folders
    follower = FolderFollower(
      folders,
      of: .user,
      clock: clock,
      onChange: onChange,
      onTrouble: onTrouble
    )
    follower?.start()
  }
}
