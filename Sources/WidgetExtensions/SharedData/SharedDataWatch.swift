import WidgetKitCore
package import WidgetPlatform

/// Watches the shared folders of all widgets of a host with one descriptor, which the kernel limits.
@MainActor package final class SharedDataWatch {
  /// The clock of the host.
  let clock: any HostClock
  /// Where everything is stored.
  let folders: StateFolders
  private var paths: Set<String> = []
  private var follower: FolderFollower?
  private var listeners: [Int: (Set<String>) -> Void] = [:]
  private var lastNumber = 0

  package init(clock: any HostClock, folders: StateFolders) {
    self.clock = clock
    self.folders = folders
  }

  /// Calls `listener` with the names of changed files, or with none if any may have changed.
  ///
  /// - Returns: The number with which that ends.
  func listen(_ listener: @escaping (Set<String>) -> Void) -> Int {
    lastNumber += 1
    listeners[lastNumber] = listener
    return lastNumber
  }

  /// Ends what ``listen(_:)`` began.
  func end(_ number: Int) {
    listeners[number] = nil
    guard listeners.isEmpty else { return }
    follower = nil
    paths = []
  }

  /// Watches further folders.
  func add(_ more: [String]) {
    guard !paths.isSuperset(of: more) else { return }
    paths.formUnion(more)
    // The previous watch ends when the new one has begun and what it has seen is reported, so that
    // nothing is missed between them.
    let next = FolderFollower(
      paths.sorted(),
      clock: clock,
      onChange: { [weak self] in self?.report($0) },
      onTrouble: { _ in }
    )
    next.start()
    follower?.flush()
    follower = next
  }

  private func report(_ names: Set<String>) {
    for listener in listeners.values { listener(names) }
  }
}
