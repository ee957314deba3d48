import WidgetKitCore

/// The page that an ``HostFollower`` tells what other programs have done.
protocol HostFollowerOwner: AnyObject {
  /// The cards' identities, with whether there is a widget behind each.
  var followedCards: [(id: CardID, hasWidget: Bool)] { get }
  /// The order of the page may be another one.
  func recordMayHaveChanged(_ names: Set<String>)
  /// Who has content may be different.
  func contentFlagsMayHaveChanged()
  /// Somebody asked for an update of a widget.
  func isAskedToUpdate(_ id: CardID)
  /// Another host has made an update.
  func didUpdateElsewhere(_ id: CardID, _ history: RefreshHistory)
  /// The machine slept, or the clock was set.
  func didJump(hasSlept: Bool)
  /// Other programs cannot be followed yet, and why; nil where they can be again.
  func followingHasTrouble(_ error: HostError?)
}

/// Follows what other programs change: the page's order, who has content, and on a page that stays also
/// what other hosts' updates bring, requests, and jumps of the clock.
///
/// A class because it is called back by the kernel's watches.
final class HostFollower {
  private unowned let owner: any HostFollowerOwner
  private let clock: any HostClock
  private let histories: RefreshHistories
  private let reloads: ReloadRequests
  /// Whether updates are made as they become due, as on a page that stays.
  private let followsSchedule: Bool
  private let folders: [String]
  /// The clocks when the machine was last known to be awake; nil where nobody follows the schedule.
  private var lastJump: (now: ContinuousClock.Instant, uptime: Duration)?
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
      [folders.pages, folders.noContent]
      + (followsSchedule ? [folders.schedules, folders.reloads] : [])
  }

  /// Whether changes by other programs are noticed.
  var isFollowing: Bool { follower.isFollowing }

  /// Follows the files from now on.
  func start() {
    follower.start()
  }

  /// Follows requests and the clock from now on.
  func startSchedule() {
    guard followsSchedule, lastJump == nil else { return }
    lastJump = (clock.now, clock.uptime)
    clock.onJump = { [weak self] in self?.clockDidJump() }
    takeRequests()
  }

  /// Whether somebody has asked for an update of a widget.
  func isAsked(_ id: CardID) -> Bool { reloads.isPending(id) }

  /// Takes a request for an update, if there is one; who takes it makes the update.
  func takeRequest(_ id: CardID) -> Bool { reloads.take(id) }

  /// Looks at what changed; no names stand for everything.
  private func didChange(_ names: Set<String>) {
    let others = names.filter { !histories.wroteLast($0) }
    guard names.isEmpty || !others.isEmpty else { return }
    owner.recordMayHaveChanged(others)
    let files = owner.followedCards.map { StateFolders.fileName($0.id) }
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

  /// Takes over what other hosts' updates have brought; no names stand for all.
  private func takeOver(_ names: Set<String>) {
    guard followsSchedule else { return }
    for (id, _) in owner.followedCards
    where names.isEmpty || names.contains(StateFolders.fileName(id) + ".json") {
      owner.didUpdateElsewhere(id, histories.read(id))
    }
  }

  private func clockDidJump() {
    guard let before = lastJump else { return }
    let now = (now: clock.now, uptime: clock.uptime)
    lastJump = now
    let slept = before.now.duration(to: now.now) - (now.uptime - before.uptime)
    owner.didJump(hasSlept: slept > .seconds(1))
  }
}
