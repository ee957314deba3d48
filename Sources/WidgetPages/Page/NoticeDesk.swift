import FoundationEssentials
import Notices
public import WidgetCards
import WidgetExtensions
package import WidgetKitCore
public import WidgetPlatform
import WidgetSessions

/// The notices of the user as a page knows them: how many wait, and what its widgets post, read and do about them.
///
/// The journal is read and written off the main thread, and not before the first picture. A class because the page,
/// its widgets and its timers share it.
public final class NoticeDesk {
  /// How many notices wait; 0 until they have been read.
  public private(set) var waitingCount = 0
  /// Whether only critical notices are announced, as the user has set it.
  public private(set) var isQuiet = false
  /// Called with the numbers of notices that were dismissed on this page.
  public var onDismiss: (([Int]) -> Void)?

  private let page: PageCards
  private let confinement: WidgetConfinement
  private let lock: PageLock
  private let notices: PageNotices
  private let clock: any HostClock
  private let folders: StateFolders
  private let run: NoticeRun
  private let onChange: () -> Void
  /// Tells of a notice where no page can; nil in a page.
  private let tellsWithoutPage: ((Notice) -> Void)?
  private var settings: NoticeSettings
  private var allowance = NoticeAllowance(.widget)
  /// The cards whose widgets have read the notices, and are told of changes.
  private var readers: Set<CardID> = []
  private var isFollowing = false
  /// Whether the journal is being read.
  package private(set) var isReading = false
  /// Whether something has changed since the reading in progress, or the last one, has begun.
  private var hasChanged = false
  /// What was read last: another value means that widgets would read something else.
  private var last: NoticeSummary?
  /// The timer for the next reading: after a pause, or when a notice no longer waits.
  private var timer: (any HostTimer)?

  /// The shortest time between two readings, however many notices are posted.
  private static let shortestPause: Duration = .milliseconds(100)
  /// A long journal is read more rarely: a reading takes up this part of the time at most.
  private static let greatestShare = 4

  init(
    _ configuration: CenterConfiguration,
    page: PageCards,
    urls: PageURLs,
    lock: PageLock,
    notices: PageNotices,
    confinement: WidgetConfinement,
    folders: StateFolders,
    clock: any HostClock,
    onChange: @escaping () -> Void
  ) {
    self.page = page
    self.lock = lock
    self.notices = notices
    self.confinement = confinement
    self.folders = folders
    self.clock = clock
    self.onChange = onChange
    settings = configuration.notices
    tellsWithoutPage = configuration.tellsWithoutPage
    run = NoticeRun(
      urls: urls,
      environment: configuration.environment,
      standIns: configuration.standIns
    )
  }

  /// Takes over what config.json says about notices.
  func apply(_ new: NoticeSettings) {
    guard new != settings else { return }
    settings = new
    journalMayHaveChanged()
  }

  private var store: NoticeStore { NoticeStore(folders, settings: settings) }

  /// Works on the store off the main thread, in the order of the calls.
  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (NoticeStore) throws(HostError) -> Value,
    then completion: @escaping @MainActor (Result<Value, HostError>) -> Void
  ) {
    Worker.queries.async { [store] in
      let result = Result { () throws(HostError) in try work(store) }
      MainQueue.perform { completion(result) }
    }
  }

  // MARK: - Following the journal

  /// Reads how many notices wait, and follows them from then on.
  func start() {
    isFollowing = true
    journalMayHaveChanged()
  }

  /// The journal was written, or replaced.
  func journalMayHaveChanged() {
    guard isFollowing, !page.isClosing else { return }
    hasChanged = true
    // What is read within the pause is not put off by what comes later.
    if !isReading, timer == nil || last?.isAwaited == true { read() }
  }

  private func read() {
    timer?.cancel()
    timer = nil
    (isReading, hasChanged) = (true, false)
    let (begin, date) = (ContinuousClock.now, clock.date)
    let folders = folders
    perform { store throws(HostError) in
      NoticeSummary(try store.read(now: date), quiet: QuietTime.current(folders, now: date))
    } then: { [weak self] summary in
      self?.didRead(summary, in: begin.duration(to: .now))
    }
  }

  private func didRead(_ summary: Result<NoticeSummary, HostError>, in time: Duration) {
    isReading = false
    guard !page.isClosing else { return }
    notices.set(.notices, nil)
    switch summary {
    case .success(let summary): take(summary)
    case .failure(let error): notices.set(.notices, SafeText("Notices: \(error)"))
    }
    let pause = max(Self.shortestPause, time * Self.greatestShare)
    last?.isAwaited = false
    timer = clock.schedule(after: pause) { [weak self] in
      guard let self else { return }
      timer = nil
      if hasChanged { read() } else { awaitExpiry() }
    }
  }

  /// Reads again when the next notice no longer waits.
  private func awaitExpiry() {
    guard let expiry = last?.nextExpiry else { return }
    last?.isAwaited = true
    let seconds = min(max(0, expiry.timeIntervalSince(clock.date)), 86_400)
    timer = clock.schedule(after: .seconds(seconds) + .milliseconds(2)) { [weak self] in
      self?.timer = nil
      self?.read()
    }
  }

  private func take(_ summary: NoticeSummary) {
    let before = last
    last = summary
    if summary.hasNotices { page.noticesHaveCome() }
    if (waitingCount, isQuiet) != (summary.waitingCount, summary.isQuiet) {
      (waitingCount, isQuiet) = (summary.waitingCount, summary.isQuiet)
      onChange()
    }
    guard let before, !before.isSame(as: summary) else { return }
    for id in readers {
      if let card = page[id] { card.tell(.sharedData(.notices)) } else { readers.remove(id) }
    }
  }

  // MARK: - What the user does

  /// The first card whose widget shows notices; nil if there is none.
  public var card: (id: CardID, page: PageName)? {
    let cards = page.controllers.filter { !$0.isHidden && readers.contains($0.id) }
    return cards.first.map { ($0.id, $0.card.page) }
  }

  /// Dismisses all notices that wait.
  public func dismissAll() {
    guard !notices.refusesAsLocked() else { return }
    let date = clock.date
    perform { store throws(HostError) in
      let waiting = try store.read(now: date).entries.filter { $0.state == .waiting }.map(\.id)
      try store.note(.dismissed, of: waiting, now: date)
      return waiting
    } then: { [weak self] result in
      self?.didDismiss(result)
    }
  }

  private func didDismiss(_ result: Result<[Int], HostError>) {
    switch result {
    case .success([]): notices.say("No notice waits.")
    case .success(let ids): onDismiss?(ids)
    case .failure(let error): notices.sayUnlessLocked(SafeText("Nothing was dismissed: \(error)"))
    }
  }

  /// Lets notices wait again that were dismissed.
  public func restore(_ ids: [Int]) {
    note(.waiting, of: ids, orSay: "The notices were not brought back")
  }

  /// Dismisses notices that were brought back.
  public func dismissAgain(_ ids: [Int]) {
    note(.dismissed, of: ids, orSay: "Nothing was dismissed")
  }

  private func note(_ change: NoticeChange, of ids: [Int], orSay words: String) {
    let date = clock.date
    perform { store throws(HostError) in
      try store.note(change, of: ids, now: date)
    } then: { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.notices.sayUnlessLocked(SafeText("\(words): \(error)"))
    }
  }

  // MARK: - Requests of widgets

  /// Stores a notice of another program, in a test.
  ///
  /// - Throws: ``HostError`` if it cannot be stored.
  package func post(_ notice: PostedNotice, from application: String) throws(HostError) {
    var content = NoticeContent(notice, of: application)
    content.source = .post
    try store.post(content, expiresAfter: notice.expiresAfter, now: clock.date)
    journalMayHaveChanged()
  }

  /// Whether everything has been read that was noticed.
  package var isAtRest: Bool { !isReading && !hasChanged }

  /// Answers a request of a widget.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - call: Takes the answer.
  ///   - id: The card of the widget.
  ///   - sincePress: The time since the last press; nil if there was none, or the page is locked.
  func perform(
    _ request: NoticeRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    guard let bundle = page[id]?.session?.bundle else { return }
    if case .post(let request) = request { return post(request.notice, call, bundle) }
    guard confinement.isGranted(.notices, to: bundle, id) else {
      return call.answer(
        refusal: WireError(
          code: .notPermitted,
          message: "\(Entitlement.notices.rawValue) is not granted"
        )
      )
    }
    switch request {
    case .post: break
    case .read(let request): read(request, call, of: id)
    case .dismiss(let request): dismiss(request, call)
    case .perform(let request): act(request, call, of: id, sincePress: sincePress)
    }
  }

  private func post(_ notice: PostedNotice, _ call: ServiceCall, _ bundle: WidgetBundle) {
    if let fault = notice.fault { return call.answer(refusal: fault) }
    let app = bundle.containingApp
    let owner = app?.bundleIdentifier ?? bundle.bundleIdentifier
    guard allowance.take(owner, at: clock.now) else {
      let limit = NoticeAllowance.Rate.widget.burst
      return call.answer(
        refusal: WireError(code: .overLimit, message: "\(limit) notices a minute are posted")
      )
    }
    let content = NoticeContent(notice, of: (app?.name ?? bundle.displayName).string)
    let (seconds, date) = (notice.expiresAfter, clock.date)
    perform { store throws(HostError) in
      try store.add(content, expiresAfter: seconds, now: date)
    } then: { [tellsWithoutPage] result in
      if case .success(let notice) = result, notice.state == .waiting { tellsWithoutPage?(notice) }
      call.answer(result) { PostNoticeRequest.Reply(id: "\($0.id)") }
    }
  }

  private func read(_ request: ReadNoticesRequest, _ call: ServiceCall, of id: CardID) {
    readers.insert(id)
    let date = clock.date
    perform { store throws(HostError) in
      ReadNoticesRequest.Reply(try store.read(now: date), chosenBy: request)
    } then: { result in
      call.answer(result) { $0 }
    }
  }

  private func dismiss(_ request: DismissNoticeRequest, _ call: ServiceCall) {
    let date = clock.date
    perform { store throws(HostError) in
      let list = try store.read(now: date)
      guard let entry = Int(request.id).flatMap(list.entry) else { throw .notice(request.id) }
      // What was dealt with before stays as it is.
      guard entry.state == .waiting else { return nil as Int? }
      try store.note(.dismissed, of: [entry.id], now: date)
      return entry.id
    } then: { [weak self] result in
      call.answer(result) { _ in DismissNoticeRequest.Reply() }
      if case .success(let id?) = result { self?.onDismiss?([id]) }
    }
  }

  private func act(
    _ request: PerformNoticeActionRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    guard let sincePress, sincePress < OpenURLPolicy.pressPatience else {
      let seconds = OpenURLPolicy.pressPatience.components.seconds
      return call.answer(
        refusal: WireError(
          code: .notPermitted,
          message: "an action is performed only within \(seconds) s of a press on the card"
        )
      )
    }
    let date = clock.date
    perform { store throws(HostError) in
      let list = try store.read(now: date)
      guard let notice = Int(request.id).flatMap(list.entry).flatMap(list.notice),
        let action = notice.content.actions?.first(where: { $0.name == request.name })
      else { throw .notice(request.id, action: request.name) }
      return FoundAction(notice: notice, action: action)
    } then: { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let error): call.answer(refusal: WireError(notices: error))
      case .success(let found): perform(found, call, of: id)
      }
    }
  }

  /// An action of a notice that was found in the store.
  private struct FoundAction: Sendable {
    var notice: Notice
    var action: NoticeAction
  }

  private func perform(_ found: FoundAction, _ call: ServiceCall, of id: CardID) {
    guard let card = page[id] else { return }
    if lock.isLocked {
      return call.answer(refusal: WireError(code: .notPermitted, message: "the page is locked"))
    }
    run.perform(found.action, from: found.notice.content.source, for: card) { [weak self] fault in
      guard let self else { return }
      if let fault {
        notices.sayUnlessLocked(SafeText("\(found.action.name): \(fault)").onOneLine)
        return call.answer(refusal: WireError(code: .notPermitted, message: fault.string))
      }
      let date = clock.date
      perform { store throws(HostError) in
        try store.note(.acted(action: found.action.name), of: [found.notice.id], now: date)
      } then: { result in
        call.answer(result) { NoMembers() }
      }
    }
  }
}
