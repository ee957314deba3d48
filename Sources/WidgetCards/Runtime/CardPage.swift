import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The services that all cards of a page share: the clock, the limits, and storage on the disk.
package struct CardServices {
  package let clock: any HostClock
  let limits: HostLimits
  let refreshPolicy: CurrentRefreshPolicy
  /// The most presses of one card that wait for its live view.
  let waitingPresses: Int
  let localeIdentifier: String
  /// Whether updates of a card are made when they are due, as on an interactive page.
  let schedulesUpdates: (CardID) -> Bool
  package let store: SnapshotStore
  let histories: SharedHistories
  let images: ImageLibrary
  let folders: StateFolders
  /// Whether the widget of a card was last started in a sandbox that is not the full one.
  var isInPartialSandbox: (CardID) -> Bool = { _ in false }

  /// Creates it with its values.
  package init(
    clock: any HostClock,
    limits: HostLimits,
    refreshPolicy: CurrentRefreshPolicy,
    waitingPresses: Int,
    localeIdentifier: String,
    schedulesUpdates: @escaping (CardID) -> Bool,
    store: SnapshotStore,
    histories: SharedHistories,
    images: ImageLibrary,
    folders: StateFolders,
    isInPartialSandbox: @escaping (CardID) -> Bool = { _ in false }
  ) {
    self.clock = clock
    self.limits = limits
    self.refreshPolicy = refreshPolicy
    self.waitingPresses = waitingPresses
    self.localeIdentifier = localeIdentifier
    self.schedulesUpdates = schedulesUpdates
    self.store = store
    self.histories = histories
    self.images = images
    self.folders = folders
    self.isInPartialSandbox = isInPartialSandbox
  }

  /// What a card looks up while it handles an event.
  func queries(of id: CardID, on page: any CardPage) -> CardQueries {
    let (store, histories, images, folders) = (store, histories, images, folders)
    var queries = CardQueries()
    queries.snapshot = { key, date in
      date.map { store.snapshot(for: key, newerThan: $0) } ?? store.snapshot(for: key)
    }
    queries.history = { histories.history(of: id) }
    queries.isGatheringFirstContent = { [unowned page] in page.isGatheringFirstContent }
    queries.policy = { [refreshPolicy] in refreshPolicy.value }
    queries.image = { source, bundle throws(ImageFault) in
      let places = ImagePlaces(
        bundle: bundle?.path,
        containers: folders.containers(of: id, bundle)
      )
      return try images.find(ImageOrigin(source: source, places: places))
    }
    queries.imagePause = { images.pause(of: id) }
    queries.folds = { StoredFolds(folders).read(id) }
    queries.isInPartialSandbox = { [isInPartialSandbox] in isInPartialSandbox(id) }
    return queries
  }
}

/// What a card reports about the background transfers of its widget.
package enum CardTransferEvent {
  /// The widget makes a request.
  case request(TransferRequest, ServiceCall)
  /// The widget has answered to the events of a session, with an error if it has not taken them.
  case handled(identifier: String, WireError?)
  /// The process was suspended.
  case suspended
  /// The process goes on.
  case resumed
  /// The process has ended.
  case ended
}

/// The interface of a page to its cards.
@MainActor package protocol CardPage: AnyObject {
  var environment: LayoutEnvironment { get }
  var animates: Bool { get }
  /// Whether first contents are being collected, so that none of them is on the screen yet.
  var isGatheringFirstContent: Bool { get }

  /// Called when something that is drawn has changed.
  func cardDidChange()
  /// Called when the user has given a card its other form.
  func cardFormWasChosen()
  /// Called when a card begins an animation.
  func cardDidBeginToMove()
  /// Shows the result of a user's action below the page.
  func say(_ words: SafeText)
  /// Ends what was said, because its cause is over.
  func unsay(_ words: SafeText)
  /// Called when an update has ended.
  func cardDidUpdate(_ id: CardID, _ outcome: CompletedUpdate)
  /// Called when a card's process has ended for good.
  func cardDidFinish()
  /// Called when something has ended that a caller may be waiting for.
  func cardMayHaveSettled()
  /// The machine on which the widget of a card runs; nil for this one.
  func host(of id: CardID) -> RemoteDestination?
  /// What the page does for widgets on request.
  var services: any CardPageServices { get }
}

/// What a page does for the widgets of its cards on request.
package protocol CardPageServices: AnyObject {
  /// The error if a widget may not set whether another widget has content, or nil if it may.
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError?
  /// Shows or hides the card that makes the request, or all cards of another widget, permanently.
  func setHasContent(_ request: SetHasContentRequest, from id: CardID)
  /// Searches for scripts again; `completion` is called when their cards are on the page.
  func searchScripts(completion: @escaping () -> Void)
  /// Whether a card's widget requests an entitlement, and is permitted to use it.
  func isGranted(_ entitlement: Entitlement, to id: CardID) -> Bool
  /// Something has happened that concerns the background transfers of a card's widget.
  func transfer(_ event: CardTransferEvent, of id: CardID)
  /// Runs a command for a card's script, and answers when it has ended.
  func run(
    _ request: RunCommandRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  )
  /// Tells the user what a card's script has found.
  func alert(_ request: AlertRequest, _ call: ServiceCall, of id: CardID)
  /// Posts, reads or changes notices for a card's widget.
  func notice(
    _ request: NoticeRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  )
  /// Changes settings of a card's widget, which is allowed only shortly after a press by the user.
  func configure(
    _ request: SetConfigurationRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  )
  /// Whether the user trusts the app of a widget, which then opens URLs without a press.
  func isTrusted(_ sender: URLSender) -> Bool
  /// Opens a URL for a card and passes `completion` the reason if it was refused, otherwise nil.
  func open(
    _ url: String,
    for sender: URLSender,
    completion: @escaping (URLRefusal?) -> Void
  )
}
