import FoundationEssentials
import WidgetKitCore

/// What a card needs of the page that it is on.
protocol CardPage: AnyObject {
  var clock: any HostClock { get }
  var limits: HostLimits { get }
  var schedule: RefreshSchedule { get }
  var environment: LayoutEnvironment { get }
  var animates: Bool { get }
  /// Whether first contents wait for each other, so that none of them is on the screen yet.
  var isGatheringFirstContent: Bool { get }
  var localeIdentifier: String { get }

  /// Something that is drawn is different.
  func cardDidChange()
  /// Says below the page what became of something that a person did.
  func say(_ words: SafeText)
  /// An update has ended.
  func cardDidUpdate(_ id: CardID, _ outcome: UpdateOutcome)
  /// A card's process is gone and nothing will come of it.
  func cardDidFinish()
  /// Something that somebody may wait for is done.
  func cardMayHaveSettled()
  /// Why a widget may not say whether another one has content; nil where it may.
  func refusal(of request: SetHasContentRequest, from card: CardController) -> WireError?
  /// Shows or hides a card for good.
  func setHasContent(_ request: SetHasContentRequest)
  func snapshot(for key: Snapshot.Key) -> Snapshot?
  /// The picture that a host has kept, where it is newer than one of a date.
  func snapshot(for key: Snapshot.Key, newerThan date: Date) -> Snapshot?
  func keep(_ snapshot: Snapshot)
  /// Whether updates are made as they become due, as on a page that stays.
  var schedulesUpdates: Bool { get }
  /// What came of a widget's updates, in any host.
  func history(of id: CardID) -> RefreshHistory
  /// Keeps a history behind the snapshots that go with it, and lets go of the lock then: others may
  /// have it only when what they take over is on the disk.
  func keep(_ history: RefreshHistory, of id: CardID, releasing lock: RefreshLock?)
  /// Tells other hosts, behind the snapshots that are still to be written, that there is a new one.
  func announce(_ picture: RefreshHistory.Picture, of id: CardID)
  /// Tries for the right to a widget's scheduled update.
  func refreshLock(of id: CardID) -> RefreshLock.Attempt
  /// Opens a URL; `completion` hears why it was not opened, or nil.
  func open(
    _ url: String,
    from card: CardController,
    completion: @escaping (URLRefusal?) -> Void
  )
}
