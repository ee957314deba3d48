import PageRecords
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetScripts
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
      schedulesUpdates: { [followed = configuration.followedCards] id in
        configuration.schedulesUpdates && followed?.contains(id) != false
      },
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

  /// Reports what becomes of stored views, of pictures and of the saving of power.
  ///
  /// - Parameters:
  ///   - page: The page, as long as it is there.
  ///   - notices: What the page says.
  ///   - replan: Plans the updates of all cards again.
  func report(
    to page: @escaping () -> PageCards?,
    notices: @escaping () -> PageNotices?,
    replan: @escaping () -> Void
  ) {
    refreshPolicy.power?.onChange = replan
    store.onSuperseded = { page()?[$0.identity]?.send(.madeElsewhere(nil)) }
    // Until they can be written again, views are kept only in memory; this is reported once for all
    // cards.
    store.onWriteTrouble = { failure in
      let words = failure.map { SafeText("Snapshots cannot be written: \($0)") }
      notices()?.set(.snapshots, words)
    }
    store.onOddFile = { notices()?.note(SafeText($0)) }
    images.onChange = { drawing in
      let page = page()
      for controller in page?.controllers ?? [] { controller.libraryDidChange(drawing) }
      page?.preview?.libraryDidChange(drawing)
    }
  }

  /// Writes what is not on the disk yet, when no widget runs any more.
  ///
  /// - Parameter syncs: Whether it reaches the disk at once; a command that ends by itself leaves this to the
  ///   kernel and to the next program.
  func finish(syncs: Bool) {
    RemoteHosts.shared.close()
    images.rest()
    store.retry()
    store.drain()
    if syncs { store.beginSync() }
  }
}
