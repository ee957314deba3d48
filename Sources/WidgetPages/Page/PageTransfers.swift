import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The background transfers of a page's widgets.
///
/// A widget that requests a transfer gets the events of its session as long as its process lives and is
/// not suspended: meanwhile the page holds the lock of the session, so that no keeper starts the app.
/// A class because the folder of the transfers calls it.
final class PageTransfers {
  /// A session whose events a card gets.
  private struct Claim {
    var card: CardID
    var lock: TransferLock
    /// The transfers of which the widget was told that they have ended, and whose answer is awaited.
    var reported: Set<String> = []
    var deadline: (any HostTimer)?
  }

  private let book: TransferBook
  private let folders: StateFolders
  private let starter: TransferStarter
  private let standIns: StandIns?
  private let clock: any HostClock
  private let desk: TransferDesk
  private let session: (CardID) -> WidgetSession?
  private var claims: [TransferSessionName: Claim] = [:]
  /// The sessions of cards that are suspended, which get events again when they are resumed.
  private var resting: [CardID: Set<TransferSessionName>] = [:]
  private var follower: FolderFollower?
  private let takeover: TransferTakeover

  /// How long a widget has to take events.
  private static let patience: Duration = .seconds(30)

  init(
    _ configuration: CenterConfiguration,
    folders: StateFolders,
    clock: any HostClock,
    confinement: WidgetConfinement,
    secrets: SecretStorage,
    session: @escaping (CardID) -> WidgetSession?
  ) {
    self.folders = folders
    self.clock = clock
    self.session = session
    standIns = configuration.standIns
    book = TransferBook(folders)
    starter = TransferStarter(
      executable: configuration.executablePath,
      environment: configuration.environment
    )
    desk = TransferDesk(configuration, book, starter, confinement, secrets)
    takeover = TransferTakeover(book: book, starter: starter, clock: clock)
  }

  /// Continues the transfers of which no process takes care, of an app or of all; from now on also those whose
  /// keeper is killed.
  ///
  /// Only after a press may an app be started that the user does not trust.
  func continueAll(of app: String? = nil, afterPress: Bool = false) {
    guard standIns == nil else { return }
    starter.continueAll(of: app, afterPress: afterPress)
    follow()
  }

  private func follow() {
    guard follower == nil else { return }
    let follower = FolderFollower(
      [book.folder],
      clock: clock,
      onChange: { [weak self] in self?.didChange($0) },
      onTrouble: { _ in }
    )
    self.follower = follower
    follower.start()
  }

  // MARK: - Requests

  /// Answers a request of a card's widget.
  func perform(_ request: TransferRequest, _ call: ServiceCall, from card: CardID) {
    guard let session = session(card) else { return }
    var isNew = false
    desk.perform(request, of: session.bundle, card, call) { name throws(WireError) in
      isNew = claims[name] == nil
      guard claim(name, for: card) else {
        throw WireError(
          code: .notPermitted,
          message: "params.identifier: another process uses the session “\(name.identifier)”"
        )
      }
    } onFailure: { [weak self] name in
      if isNew { self?.claims[name] = nil }
    }
  }

  // MARK: - Sessions

  /// Lets a card get the events of a session; false if another process gets them.
  private func claim(_ name: TransferSessionName, for card: CardID) -> Bool {
    if let claim = claims[name] { return claim.card == card }
    guard let lock = book.lock(name) else { return false }
    claims[name] = Claim(card: card, lock: lock)
    follow()
    return true
  }

  /// A widget gets no events for now, or not any more: its app gets them.
  func release(_ card: CardID, isSuspended: Bool) {
    resting[card] = nil
    let names = claims.filter { $0.value.card == card }.map(\.key)
    guard !names.isEmpty else { return }
    if isSuspended { resting[card] = Set(names) }
    for name in names { release(name) }
  }

  private func release(_ name: TransferSessionName) {
    claims.removeValue(forKey: name)?.deadline?.cancel()
  }

  /// A widget that was suspended gets the events of its sessions again, if there are transfers left.
  func resume(_ card: CardID) {
    guard let names = resting.removeValue(forKey: card) else { return }
    let left = Set(book.records().map(\.session))
    for name in names.intersection(left) where claim(name, for: card) { tell(name) }
  }

  // MARK: - Events

  private func didChange(_ names: Set<String>) {
    if names.isEmpty || names.contains(TransferBook.locks), standIns == nil {
      takeover.look()
    }
    guard !claims.isEmpty else { return }
    guard !names.isEmpty else {
      for name in Array(claims.keys) { tell(name) }
      return
    }
    for task in Set(names.compactMap { TransferBook.task(of: $0) }).sorted() {
      guard let record = book.read(task), let claim = claims[record.session] else { continue }
      if record.result != nil {
        tell(record.session)
      } else if names.contains("\(task).progress"), let progress = book.progress(of: task) {
        session(claim.card)?.handle(
          .transferProgress(
            TransferDidProgressNotification(
              task: task,
              bytes: progress.bytes,
              total: progress.total
            )
          )
        )
      }
    }
  }

  /// Tells a widget of the transfers that have ended, unless it was told.
  private func tell(_ name: TransferSessionName) {
    guard let claim = claims[name], claim.reported.isEmpty, let session = session(claim.card) else {
      return
    }
    let ended = book.records().filter { $0.session == name && $0.result != nil }
    guard !ended.isEmpty else { return }
    let method = HandleEventsForBackgroundURLSessionRequest.method
    guard session.state.implements.contains(method) else { return release(name) }
    claims[name]?.reported = Set(ended.map(\.task))
    claims[name]?.deadline = clock.schedule(after: Self.patience) { [weak self] in
      self?.release(name)
    }
    session.handle(
      .transferEvents(
        HandleEventsForBackgroundURLSessionRequest(
          identifier: name.identifier,
          events: ended.compactMap(\.event)
        )
      )
    )
  }

  /// A widget has answered to the events of a session; with an error, its app gets them.
  func wereHandled(_ identifier: String, _ error: WireError?, by card: CardID) {
    guard let app = session(card)?.bundle.containingApp else { return }
    let name = TransferSessionName(app: app.bundleIdentifier, identifier: identifier)
    guard let claim = claims[name], claim.card == card, !claim.reported.isEmpty else { return }
    guard error == nil else { return release(name) }
    claim.deadline?.cancel()
    claims[name]?.reported = []
    book.remove(claim.reported.sorted())
    // What has ended meanwhile.
    tell(name)
  }
}
