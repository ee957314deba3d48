/// The files that change again after each build, as a log does that a build or a widget writes.
///
/// A change of nothing else builds again only after a pause, which doubles each time.
struct RestlessFiles {
  /// How often in succession each of them has changed.
  private var counts: [String: Int] = [:]

  /// After this many changes in succession a file is no more taken for one that somebody saves.
  private static let limit = 4
  /// A change that comes later after a build than this is not due to the build.
  static let haste: Duration = .seconds(2)
  private static let longestPause = 64

  /// Takes in what has changed after a build.
  ///
  /// - Parameters:
  ///   - changed: The files.
  ///   - wait: The time from the end of the build, or of the pause after it, to the change.
  mutating func note(_ changed: Set<String>, after wait: Duration) {
    guard wait < Self.haste else {
      counts = [:]
      return
    }
    let before = counts
    counts = [:]
    for path in changed { counts[path] = before[path, default: 0] + 1 }
  }

  /// The files whose changes wait for ``pause``.
  var paths: Set<String> { Set(counts.filter { $0.value >= Self.limit }.keys) }

  /// How long their changes wait: 2, 4, 8 … 64 seconds; zero if there are none.
  var pause: Duration {
    guard let most = counts.values.max(), most >= Self.limit else { return .zero }
    return .seconds(min(Self.longestPause, 2 << min(most - Self.limit, 6)))
  }
}
