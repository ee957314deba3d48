import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The page that an ``HostFollower`` notifies of changes by other programs.
protocol HostFollowerOwner: AnyObject {
  /// The identifiers of the cards, and whether each has a widget.
  var followedCards: [(id: ExtensionIdentity, hasWidget: Bool)] { get }
  /// Called when the order of the page may have changed.
  func recordMayHaveChanged(_ names: Set<String>)
  /// Called when the list of widgets without content may have changed.
  func contentFlagsMayHaveChanged()
  /// Called when files of settings may have changed that were set in the program; no names stand for
  /// all of them.
  func storedSettingsMayHaveChanged(_ names: Set<String>)
  /// Called when files of permissions may have changed; no names stand for all of them.
  func permissionsMayHaveChanged(_ names: Set<String>)
  /// Called when another program has requested an update of a widget.
  func isAskedToUpdate(_ id: ExtensionIdentity)
  /// Called when another host has made an update.
  func didUpdateElsewhere(_ id: ExtensionIdentity, _ history: RefreshHistory)
  /// Called when the machine slept or the clock was set, with the seconds by which it was set forward.
  func didJump(hasSlept: Bool, shift: Double)
  /// Called with an error when other programs' changes cannot be observed, and with nil when they can
  /// again.
  func followingHasTrouble(_ error: HostError?)
}

/// Observes changes by other programs: the order of the page and which widgets have content.
///
/// On an interactive page it also observes updates by other hosts, update requests, and jumps of the
/// clock. This is a class because file system watches call it.
final class HostFollower {
  private unowned let owner: any HostFollowerOwner
  private let clock: any HostClock
  private let histories: RefreshHistories
  private let reloads: ReloadRequests
  /// Whether updates are made when they are due, as on an interactive page.
  private let followsSchedule: Bool
  private let folders: [String]
  /// The clocks when the machine was last known to be awake, or nil if the schedule is not followed.
  private var lastJump: (now: ContinuousClock.Instant, uptime: Duration, date: Date)?
  /// Seconds by which the clock may differ in the long run without having been set.
  private static let steering = 2.0
  private lazy var follower = FolderFollower(
    folders,
    clock: clock,
    onChange: { [weak self] in self?.didChange($0) },
    onTrouble: { [weak self] in self?.owner.followingHasTrouble($0) }
  )

  init(
    owner: any HostFollowerOwner,
    clock: any HostClock,
    folders: StateFolders,
    histories: RefreshHistories,
    followsSchedule: Bool
  ) {
    self.owner = owner
    self.clock = clock
    self.histories = histories
    self.followsSchedule = followsSchedule
    reloads = ReloadRequests(folders)
    self.folders =
      [folders.pages, folders.noContent, folders.settings, folders.permissions]
      + (followsSchedule ? [folders.schedules, folders.reloads] : [])
  }

  /// Whether changes by other programs are observed.
  var isFollowing: Bool { follower.isFollowing }

  /// Starts to observe the files.
  func start() {
    follower.start()
  }

  /// Starts to observe update requests and the clock.
  func startSchedule() {
    guard followsSchedule, lastJump == nil else { return }
    lastJump = (clock.now, clock.uptime, clock.date)
    clock.onJump = { [weak self] in self?.clockDidJump() }
    takeRequests()
  }

  /// Whether an update of a widget has been requested.
  func isAsked(_ id: ExtensionIdentity) -> Bool { reloads.isPending(id) }

  /// Removes a request for an update, if there is one; the caller then makes the update.
  func takeRequest(_ id: ExtensionIdentity) -> Bool { reloads.take(id) }

  /// Handles changes of files; an empty set means that any file may have changed.
  private func didChange(_ names: Set<String>) {
    let others = names.filter { !histories.wroteLast($0) }
    guard names.isEmpty || !others.isEmpty else { return }
    owner.recordMayHaveChanged(others)
    let settings = others.filter { $0.hasSuffix(StoredSettings.ending) }
    if names.isEmpty || !settings.isEmpty { owner.storedSettingsMayHaveChanged(settings) }
    let permissions = others.filter { $0.hasSuffix(StoredPermissions.ending) }
    if names.isEmpty || !permissions.isEmpty { owner.permissionsMayHaveChanged(permissions) }
    let files = owner.followedCards.map { $0.id.fileName }
    if names.isEmpty || !others.isDisjoint(with: files) {
      owner.contentFlagsMayHaveChanged()
      takeRequests()
    }
    takeOver(others)
  }

  private func takeRequests() {
    guard followsSchedule else { return }
    let running = owner.followedCards.filter(\.hasWidget).map(\.id)
    for id in reloads.take(among: running) { owner.isAskedToUpdate(id) }
  }

  /// Takes over the updates of other hosts; an empty set means those of all widgets.
  private func takeOver(_ names: Set<String>) {
    guard followsSchedule else { return }
    for (id, _) in owner.followedCards
    where names.isEmpty || names.contains(id.fileName + ".json") {
      owner.didUpdateElsewhere(id, histories.read(id))
    }
  }

  private func clockDidJump() {
    guard let before = lastJump else { return }
    let now = (now: clock.now, uptime: clock.uptime, date: clock.date)
    lastJump = now
    let elapsed = before.now.duration(to: now.now)
    let slept = elapsed - (now.uptime - before.uptime)
    let shift = now.date.timeIntervalSince(before.date) - elapsed.seconds
    // Less is the steering of the clock by a time server.
    let isSet = abs(shift) > Self.steering
    owner.didJump(hasSlept: slept > .seconds(1), shift: isSet ? shift : 0)
  }
}
