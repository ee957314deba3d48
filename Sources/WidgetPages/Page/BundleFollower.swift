import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Notices bundles and scripts that come to the search paths, and that go, while the page is open.
///
/// Bundles that are in use and are still there stay as they were read, see ``ChangedBundles``. A class because its watch and
/// its timers call it.
final class BundleFollower {
  private var paths: SearchPaths
  private let limits: BundleLimits
  private let clock: any HostClock
  private let onScan: (BundleCatalog) -> Void
  private lazy var follower = PathFollower(clock: clock) { [weak self] in self?.didChange($0) }
  /// The scripts that were found, whose files may be links.
  private var scripts: [String] = []
  private var soon: (any HostTimer)?
  private var later: [any HostTimer] = []
  private var isFollowing = false
  private var isScanning = false
  private var scansAgain = false
  /// Called after the next search that begins.
  private var waiting: [() -> Void] = []
  /// Called after the search in progress.
  private var answered: [() -> Void] = []

  /// How long after a change the folders are read.
  private static let pause = Duration.milliseconds(300)
  /// When they are read again: a bundle that is being copied is not complete at once, and one that is away may
  /// come back.
  private static let laterPauses: [Duration] = [.seconds(2), .seconds(10)]

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

  /// Starts to observe the folders, in which these bundles were found.
  func start(_ catalog: BundleCatalog) {
    isFollowing = true
    note(catalog)
    follow()
  }

  /// Searches now, whether the folders are observed or not; `completion` is called when what was found was taken
  /// over.
  func scan(completion: @escaping () -> Void) {
    waiting.append(completion)
    scan()
  }

  /// Searches other folders from now on, at first at once.
  func search(_ paths: SearchPaths) {
    guard paths != self.paths else { return }
    self.paths = paths
    follow()
    scan()
  }

  private func note(_ catalog: BundleCatalog) {
    let programs = catalog.widgets.compactMap(\.script)
    scripts = programs.map(\.path)
    // Blocks that another program has found.
    scripts += programs.filter(\.isSplit).map {
      ScriptBlockList.path(of: $0.identifier, in: paths.blocks)
    }
    scripts = Array(Set(scripts))
  }

  /// Observes the folders to which the paths lead now; one that is missing is noticed where it would be made.
  private func follow() {
    guard isFollowing else { return }
    follower.follow(paths.all.map { "\($0)/*" } + scripts)
  }

  /// Something has changed in the folders; no names stand for everything.
  private func didChange(_ changed: Set<String>) {
    guard changed.isEmpty || changed.contains(where: matters) else { return }
    follow()
    for timer in later { timer.cancel() }
    later = Self.laterPauses.map { pause in
      clock.schedule(after: pause) { [weak self] in self?.scan() }
    }
    // In a folder in which something changes all the time, this one is not put off.
    guard soon == nil else { return }
    soon = clock.schedule(after: Self.pause) { [weak self] in self?.scan() }
  }

  private func matters(_ name: String) -> Bool {
    follower.names.contains(name) || ExtensionBundle.isNamed(name) || name.hasSuffix(".app")
      || ScriptName(file: name) != nil
  }

  private func scan() {
    soon?.cancel()
    soon = nil
    guard !isScanning else {
      scansAgain = true
      return
    }
    isScanning = true
    answered = waiting
    waiting = []
    Worker.background.async { [weak self, paths, limits] in
      let catalog = BundleCatalog.scan(paths, limits: limits)
      MainQueue.perform { self?.didScan(catalog, paths) }
    }
  }

  private func didScan(_ catalog: BundleCatalog, _ paths: SearchPaths) {
    isScanning = false
    if paths == self.paths {
      note(catalog)
      follow()
      onScan(catalog)
    }
    let completions = answered
    answered = []
    for completion in completions { completion() }
    guard scansAgain else { return }
    scansAgain = false
    scan()
  }
}
