import FoundationEssentials
import WidgetKitCore

/// What all cards of a page use: the clock, the limits, and what is kept on the disk.
struct CardServices {
  let clock: any HostClock
  let limits: HostLimits
  let schedule: RefreshSchedule
  /// The most presses of one card that wait for its live view.
  let waitingPresses: Int
  let localeIdentifier: String
  /// Whether updates are made as they become due, as on a page that stays.
  let schedulesUpdates: Bool
  let store: SnapshotStore
  let histories: SharedHistories
}

/// What a card asks of the page that it is on, and tells it.
protocol CardPage: AnyObject {
  var environment: LayoutEnvironment { get }
  var animates: Bool { get }
  /// Whether first contents wait for each other, so that none of them is on the screen yet.
  var isGatheringFirstContent: Bool { get }

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
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError?
  /// Shows or hides a card for good.
  func setHasContent(_ request: SetHasContentRequest)
  /// Opens a URL for a card; `completion` hears why it was not opened, or nil.
  func open(
    _ url: String,
    for app: AppBundle?,
    completion: @escaping (URLRefusal?) -> Void
  )
}
