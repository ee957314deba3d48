import FoundationEssentials
import Notices
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Observes changes by other programs: the order of the page and which widgets have content.
///
/// On an interactive page it also observes updates by other hosts, update requests, notices, and jumps of
/// the clock. This is a class because file system watches call it.
final class HostFollower {
  private let page: PageCards
  private let settings: PageSettings
  private let permissions: PagePermissions
  private let notices: PageNotices
  private let onJump: () -> Void
  private let clock: any HostClock
  private let histories: RefreshHistories
  private let reloads: ReloadRequests
  private let noticeDesk: NoticeDesk
  private let delivery: PageDelivery
  /// Whether updates are made when they are due, as on an interactive page.
  private let followsSchedule: Bool
  /// Whether what others have updated is shown here.
  private let takesUpdates: Bool
  private let folders: [String]
  /// The clocks when the machine was last known to be awake, or nil if the schedule is not followed.
  private var lastJump: (now: ContinuousClock.Instant, uptime: Duration, date: Date)?
  /// Seconds by which the clock may differ in the long run without having been set.
  private static let steering = 2.0
  private lazy var follower = FolderFollower(
    folders,
    clock: clock,
    onChange: { [weak self] in self?.didChange($0) },
    onTrouble: { [weak self] error in
      self?.notices.set(
        .following,
        error.map { SafeText("Changes by other programs are not followed yet: \($0)") }
      )
    }
  )

  /// Creates what follows other programs; `onJump` is called after the clock was set, when all words may be others.
  init(
    page: PageCards,
    settings: PageSettings,
    permissions: PagePermissions,
    notices: PageNotices,
    clock: any HostClock,
    folders: StateFolders,
    histories: RefreshHistories,
    noticeDesk: NoticeDesk,
    delivery: PageDelivery,
    followsSchedule: Bool,
    role: PageRole = .owner,
    onJump: @escaping () -> Void
  ) {
    self.page = page
    self.settings = settings
    self.permissions = permissions
    self.notices = notices
    self.onJump = onJump
    self.clock = clock
    self.histories = histories
    self.noticeDesk = noticeDesk
    self.delivery = delivery
    self.followsSchedule = followsSchedule
    takesUpdates = followsSchedule || role == .viewer
    reloads = ReloadRequests(folders)
    self.folders =
      [folders.pages, folders.noContent, folders.settings, folders.permissions]
      + (followsSchedule
        ? [folders.schedules, folders.reloads, folders.notices, PageRegister.folder(folders)] : [])
  }

  /// Whether changes by other programs are observed.
  var isFollowing: Bool { follower.isFollowing }

  /// Whether changes of the notices are observed.
  var isFollowingNotices: Bool { followsSchedule && isFollowing }

  /// Starts to observe the files.
  func start() {
    follower.start()
  }

  /// Takes over what other programs have written, as one of them has told.
  func readAgain() {
    page.followRecord()
    page.followContentFlags()
    takeOver([])
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
    let ofNotices = [NoticeStore.journalName, QuietTime.fileName]
    if names.isEmpty || ofNotices.contains(where: names.contains) {
      noticeDesk.journalMayHaveChanged()
    }
    if names.isEmpty || names.contains(where: PageRegister.hasChanged) {
      delivery.noticesMayHaveChanged()
      // Most changes are of the notices alone, which may be many.
      if !names.isEmpty, names.allSatisfy(PageRegister.isOwn) { return }
    }
    let others = names.filter { !histories.wroteLast($0) }
    guard names.isEmpty || !others.isEmpty else { return }
    if others.isEmpty || others.contains(where: page.isRecord) {
      page.followRecord()
      settings.check()
    }
    let stored = others.filter { $0.hasSuffix(StoredSettings.ending) }
    if !page.isClosing, names.isEmpty || !stored.isEmpty { settings.storedDidChange(stored) }
    let answers = others.filter { $0.hasSuffix(StoredPermissions.ending) }
    if !page.isClosing, names.isEmpty || !answers.isEmpty {
      permissions.recordsMayHaveChanged(answers)
    }
    if names.isEmpty || !others.isDisjoint(with: page.controllers.map(\.card.id.fileName)) {
      page.followContentFlags()
      takeRequests()
    }
    takeOver(others)
  }

  private func takeRequests() {
    guard followsSchedule else { return }
    let running = page.controllers.filter { $0.session != nil }.map(\.card.id)
    for id in reloads.take(among: running) { page[id]?.send(.refresh(.event)) }
  }

  /// Takes over the updates of other hosts; an empty set means those of all widgets.
  private func takeOver(_ names: Set<String>) {
    guard takesUpdates else { return }
    for controller in page.controllers {
      let id = controller.card.id
      guard names.isEmpty || names.contains(id.fileName + ".json") else { continue }
      controller.send(.madeElsewhere(histories.read(id)))
    }
  }

  /// After a sleep or a change of the clock each widget makes up for missed updates once, spread over time; words follow
  /// the clock that was set.
  private func clockDidJump() {
    guard let before = lastJump else { return }
    let now = (now: clock.now, uptime: clock.uptime, date: clock.date)
    lastJump = now
    let elapsed = before.now.duration(to: now.now)
    let slept = elapsed - (now.uptime - before.uptime)
    let shift = now.date.timeIntervalSince(before.date) - elapsed.seconds
    // Less is the steering of the clock by a time server.
    let isSet = abs(shift) > Self.steering
    guard !page.isClosing else { return }
    for (place, controller) in page.controllers.enumerated() {
      controller.send(
        .clockJumped(hasSlept: slept > .seconds(1), shift: isSet ? shift : 0, place: place)
      )
    }
    onJump()
  }
}
