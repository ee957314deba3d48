import WidgetCards
import WidgetExtensions
import WidgetPlatform
import WidgetSessions

/// What the cards of a page share from the first picture on: the clock, folders, stored views and histories,
/// secrets, pictures, and when updates are due.
struct PageResources {
  let clock: any HostClock
  let folders: StateFolders
  let store: SnapshotStore
  let contentFlags: ContentFlags
  let histories: RefreshHistories
  let images: ImageLibrary
  let refreshPolicy: CurrentRefreshPolicy
  let secrets: SecretStorage

  init(_ configuration: CenterConfiguration) {
    let limits = configuration.limits
    clock = configuration.clock ?? SystemClock()
    folders = StateFolders(environment: configuration.environment)
    images = ImageLibrary(
      drawer: configuration.imageDrawer
        ?? ImageDecoder(
          program: HelperProgram.imageDecoder.path(beside: configuration.executablePath),
          clock: clock
        ),
      limits: limits.images,
      clock: clock
    )
    store = SnapshotStore(folder: folders.snapshots, limits: limits, clock: clock)
    let supply = PowerSupply(folder: configuration.powerSupplies)
    refreshPolicy = CurrentRefreshPolicy(
      configuration.schedule,
      power: PowerSaving(clock: clock, supply: supply)
    )
    StateFolders.make(folders.logs)
    contentFlags = ContentFlags(folders)
    histories = RefreshHistories(folders)
    secrets = SecretStorage(
      configuration.secrets,
      environment: configuration.environment,
      executable: configuration.executablePath
    )
    store.hasContent = { [contentFlags] in contentFlags.hasContent($0) }
  }

  /// The services of all cards of the page.
  func cardServices(
    _ configuration: CenterConfiguration,
    localeIdentifier: String,
    confinement: WidgetConfinement
  ) -> CardServices {
    CardServices(
      clock: clock,
      limits: configuration.limits,
      refreshPolicy: refreshPolicy,
      waitingPresses: configuration.policy.openPresses,
      localeIdentifier: localeIdentifier,
      schedulesUpdates: configuration.schedulesUpdates,
      store: store,
      histories: SharedHistories(
        histories: histories,
        locks: RefreshLocks(folder: folders.locks),
        afterWriting: { [store] in store.afterWriting($0) }
      ),
      images: images,
      folders: folders,
      isInPartialSandbox: { [confinement] in confinement.isInPartialSandbox($0) }
    )
  }

  /// Writes what is not on the disk yet, when no widget runs any more.
  ///
  /// - Parameter syncs: Whether it reaches the disk at once; a command that ends by itself leaves this to the
  ///   kernel and to the next program.
  func finish(syncs: Bool) {
    images.rest()
    store.retry()
    store.drain()
    if syncs { store.beginSync() }
  }
}
