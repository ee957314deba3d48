/// Ends a program when a folder that it writes has more than it may have.
///
/// A class because its timer calls it.
@MainActor package final class FolderSizeWatch {
  /// The program; it is ended from the next look on.
  package var run: ChildRun?
  /// Whether the folder has more than it may have.
  package private(set) var isTooLarge = false

  private let folder: String
  private let byteLimit: UInt64
  private let entryLimit: Int
  private let clock: any HostClock
  private var timer: (any HostTimer)?

  private static let interval: Duration = .milliseconds(100)

  /// Begins to look at a folder, until ``end()``.
  package init(of folder: String, byteLimit: UInt64, entryLimit: Int, clock: any HostClock) {
    (self.folder, self.byteLimit, self.entryLimit) = (folder, byteLimit, entryLimit)
    self.clock = clock
    lookLater()
  }

  /// Ends it, as the program has ended.
  package func end() {
    timer?.cancel()
    (timer, run) = (nil, nil)
  }

  private func lookLater() {
    timer = clock.schedule(after: Self.interval) { [weak self] in self?.look() }
  }

  private func look() {
    guard let open = try? OwnFolder.open(folder) else { return lookLater() }
    var extent = FolderExtent(entryLimit: entryLimit)
    extent.add(open)
    isTooLarge = extent.bytes > byteLimit || extent.isCutOff
    if isTooLarge { run?.kill() } else { lookLater() }
  }
}
