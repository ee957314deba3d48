import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetScripts
import WidgetSessions

/// Where the widgets of a page come from: the search paths, which are followed while the page is open, and folders of
/// scripts on other machines.
///
/// A class because what follows the folders calls it.
public final class PageSources {
  private let page: PageCards
  /// What takes over bundles that change.
  let changed: ChangedBundles
  /// The folders on other machines.
  let remote: RemoteFolders
  /// What follows the search paths.
  let bundles: BundleFollower

  init(
    _ configuration: CenterConfiguration,
    page: PageCards,
    notices: PageNotices,
    clock: any HostClock
  ) {
    self.page = page
    let changed = ChangedBundles(
      page: page,
      notices: notices,
      byteLimit: configuration.limits.bundles.propertyListBytes
    )
    self.changed = changed
    remote = RemoteFolders(
      configuration.searchPaths.sources,
      environment: configuration.environment,
      clock: clock,
      onChange: { [weak page] folder in
        for card in page?.controllers ?? []
        where card.session?.bundle.path.hasPrefix(folder + "/") == true { changed.follow(card) }
      },
      onTrouble: { [weak notices] in notices?.set(.machines, $0) }
    )
    bundles = BundleFollower(
      configuration.searchPaths,
      limits: configuration.limits.bundles,
      clock: clock
    ) { [weak page] catalog in
      page?.take(catalog)
      changed.followInstalled()
    }
  }

  /// Starts to follow all folders, in which the bundles of the page were found.
  func start() {
    remote.start()
    bundles.start(page.catalog)
  }

  /// Takes over what config.json says about scripts and where they are, at once for those that have cards.
  func apply(_ new: CenterConfiguration, insteadOf old: CenterConfiguration) {
    guard new.scripts != old.scripts else { return }
    if let options = new.scripts?.options, options != old.scripts?.options {
      for card in page.controllers { changed.apply(options, to: card) }
    }
    let paths = new.searchPaths
    page.setPaths(paths)
    remote.follow(paths.sources)
    if page.hasScanned, new.schedulesUpdates { bundles.search(paths) }
  }

  /// Lists the folders on other machines once, before ``WidgetCenter/load()``, for a program that does not stay.
  ///
  /// - Parameter completion: Called when ``isListing`` ends.
  public func listOnce(completion: @escaping () -> Void) {
    remote.listOnce(completion: completion)
  }

  /// Whether folders on other machines are being listed.
  public var isListing: Bool { remote.isListing }
}
