import WidgetKitCore
import WidgetPlatform

/// Notices that the zone of the system is another one, as after `timedatectl set-timezone`.
///
/// A class because its watch and its timer call it.
final class ZoneFollower {
  private let paths: [String]
  private let clock: any HostClock
  private let onChange: () -> Void
  private lazy var follower = PathFollower(clock: clock) { [weak self] in self?.didChange($0) }
  private var isFollowing = false
  private var known: [Stamp] = []
  private var soon: (any HostTimer)?

  /// The files are read after this time; for a second, times are written by the zone as it was.
  private static let pause = Duration.milliseconds(1200)

  /// What is known of a file: where it is, and its content.
  private nonisolated struct Stamp: Hashable {
    var target: String?
    var file: FileIdentity?
  }

  /// Creates a follower that is not started.
  ///
  /// - Parameters:
  ///   - environment: Where `TZ` names a zone, that holds whatever the system has.
  ///   - localPath: The file with the zone of the system.
  ///   - clock: The clock for its timer.
  ///   - onChange: Called after the zone has changed.
  init(
    _ environment: [String: String],
    localPath: String = "/etc/localtime",
    clock: any HostClock,
    onChange: @escaping () -> Void
  ) {
    let zone = environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    paths =
      if let zone { zone.hasPrefix("/") ? [zone] : [] } else { [localPath, "/etc/timezone"] }
    self.clock = clock
    self.onChange = onChange
  }

  /// Starts to observe the files.
  func start() {
    guard !paths.isEmpty, !isFollowing else { return }
    isFollowing = true
    known = stamps
    follower.follow(paths)
  }

  private var stamps: [Stamp] {
    paths.map { path in
      Stamp(target: SymbolicLink.target(path), file: FileIdentity(path))
    }
  }

  /// Something has changed in the folders; no names stand for everything.
  private func didChange(_ changed: Set<String>) {
    guard changed.isEmpty || !changed.isDisjoint(with: follower.names), soon == nil else { return }
    soon = clock.schedule(after: Self.pause) { [weak self] in self?.look() }
  }

  private func look() {
    soon = nil
    follower.follow(paths)
    let stamps = stamps
    guard stamps != known else { return }
    known = stamps
    onChange()
  }
}
