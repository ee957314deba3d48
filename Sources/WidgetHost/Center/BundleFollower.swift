import Dispatch
import WidgetKitCore

/// Notices bundles that come to the search paths while the page is open.
///
/// Bundles that are in use stay as they were read, see ``ChangedBundles``. A class because its watch and
/// its timers call it.
final class BundleFollower {
  private let paths: SearchPaths
  private let limits: BundleLimits
  private let clock: any HostClock
  private let onScan: (BundleCatalog) -> Void
  private var follower: FolderFollower?
  private var watched: [String] = []
  private var timers: [any HostTimer] = []
  private var isScanning = false

  /// How long after a change the folders are read: a bundle that is being copied is not complete at once.
  private static let pauses: [Duration] = [.milliseconds(300), .seconds(2), .seconds(10)]

  init(
    _ paths: SearchPaths,
    limits: BundleLimits,
    clock: any HostClock,
    onScan: @escaping (BundleCatalog) -> Void
  ) {
    self.paths = paths
    self.limits = limits
    self.clock = clock
    self.onScan = onScan
  }

  /// Starts to observe the folders.
  func start() {
    // A folder that is missing is noticed where it would be made.
    let present = Set(
      paths.all.compactMap { folder in
        [folder, OwnPath.split(folder).folder].first { OrphanedState.number(ofFolder: $0) != nil }
      }
    ).sorted()
    guard !present.isEmpty, present != watched else { return }
    watched = present
    follower = FolderFollower(
      present,
      of: .user,
      clock: clock,
      onChange: { [weak self] _ in self?.didChange() },
      onTrouble: { _ in }
    )
    follower?.start()
  }

  private func didChange() {
    start()
    for timer in timers { timer.cancel() }
    timers = Self.pauses.map { pause in
      clock.schedule(after: pause) { [weak self] in self?.scan() }
    }
  }

  private func scan() {
    guard !isScanning else { return }
    isScanning = true
    Worker.background.async { [weak self, paths, limits] in
      let catalog = BundleCatalog.scan(paths, limits: limits)
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.isScanning = false
          self?.onScan(catalog)
        }
      }
    }
  }
}
