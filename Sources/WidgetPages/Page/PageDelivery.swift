package import Notices
import WidgetKitCore
import WidgetPlatform

/// Tells the user of notices while no page has the focus: of all pages that are open, the one does that had it last.
///
/// A class because the page and what follows other programs share it.
public final class PageDelivery {
  private let folders: StateFolders
  private let environment: [String: String]
  private let clock: any HostClock
  private let lock: PageLock
  private var settings: NoticeSettings
  private weak var terminal: (any NoticeTerminal)?
  private var page: OpenPage?
  private var focus = OpenPage.Focus.unknown
  /// Whether ``noticesMayHaveChanged()`` is called.
  private let isFollowing: () -> Bool
  private var isStarted = false
  private var timer: (any HostTimer)?
  /// What is to be told of, in its order.
  private var waiting: [Notice] = []
  /// The notice that is being told of.
  private var current: Int?
  /// What pressing the notification of a notice does, by its number; the last ones.
  private var presses: [(id: Int, press: NoticeDelivery.Press)] = []

  /// What ends the telling of those that wait for a press.
  private var finishing: [Int: any HostTimer] = [:]

  private static let pressLimit = 8
  /// When it is asked again who tells, while another program decides; doubled as long as that takes.
  private var pause = shortestPause
  private static let shortestPause: Duration = .milliseconds(20)
  /// How often the notices are looked at where the folder cannot be watched.
  private static let pauseWithoutWatch: Duration = .seconds(2)
  /// After this time a notification that waits for a press is on the desktop.
  private static let showingTime: Duration = .seconds(2)

  init(
    _ configuration: CenterConfiguration,
    folders: StateFolders,
    lock: PageLock,
    clock: any HostClock,
    isFollowing: @escaping () -> Bool
  ) {
    self.isFollowing = isFollowing
    settings = configuration.notices
    environment = configuration.environment
    (self.folders, self.lock, self.clock) = (folders, lock, clock)
  }

  func apply(_ configuration: CenterConfiguration) {
    settings = configuration.notices
  }

  private var store: NoticeStore { NoticeStore(folders, settings: settings) }

  /// Whether texts of an application are stored nowhere.
  func isPrivate(_ application: String) -> Bool { settings.isPrivate(application) }

  /// Whether the page is among those of which one tells.
  var tells: Bool { page != nil }

  // MARK: - The page

  /// From now on the page may have to tell of notices, on a terminal.
  package func start(on terminal: any NoticeTerminal) {
    guard !isStarted else { return }
    isStarted = true
    self.terminal = terminal
    resume()
  }

  /// The page has its terminal again.
  package func resume() {
    guard isStarted, page == nil else { return }
    page = try? PageRegister(store).join()
    if focus != .unknown { page?.set(focus) }
    check()
  }

  /// The terminal is somebody else's for a while, or the page ends: others tell of what it has not told of.
  package func suspend() {
    timer?.cancel()
    guard let page else { return }
    // What has begun goes on without this page.
    if let current { page.finish(current) }
    PageRegister(store).leave(page)
    self.page = nil
    waiting = []
    // It may be another terminal when it is used again.
    focus = .unknown
  }

  /// The terminal has got or lost the focus.
  package func focusDidChange(_ hasFocus: Bool) {
    set(hasFocus ? .here : .elsewhere)
  }

  /// A key was typed, which only a terminal with the focus gets.
  package func keyWasTyped() {
    set(focus == .elsewhere ? .here : focus)
  }

  private func set(_ focus: OpenPage.Focus) {
    // What was posted until now was on a page with the focus, or not.
    if focus != self.focus { check() }
    self.focus = focus
    page?.set(focus)
  }

  // MARK: - Notices

  /// Stores what a widget of this page tells.
  ///
  /// - Parameters:
  ///   - content: The notice.
  ///   - press: What a press of its notification does, if this page shows it; nil for nothing.
  /// - Returns: The notice as it is stored.
  /// - Throws: ``HostError`` if it cannot be stored.
  func post(_ content: NoticeContent, press: NoticeDelivery.Press?) throws(HostError) -> Notice {
    var store = store
    store.patience = .milliseconds(200)
    let notice = try store.add(content)
    if let press { presses = (presses + [(notice.id, press)]).suffix(Self.pressLimit) }
    check()
    return notice
  }

  /// The journal or the register of pages was changed.
  func noticesMayHaveChanged() { check() }

  /// Looks at what this page has to tell of.
  private func check() {
    timer?.cancel()
    timer = nil
    guard let page else { return }
    switch PageRegister(store).duty(of: page) {
    case .nothing:
      pause = Self.shortestPause
      if !isFollowing() { checkLater(Self.pauseWithoutWatch) }
    case .removed: joinAgain()
    case .busy:
      checkLater(pause)
      pause = min(pause * 2, Self.pauseWithoutWatch)
    case .tell(let notices):
      pause = Self.shortestPause
      waiting += notices
      tellNext()
    }
  }

  /// The page was stopped for a while, and others tell of what it had to tell.
  private func joinAgain() {
    waiting = []
    guard let page = try? PageRegister(store).join() else {
      return checkLater(Self.pauseWithoutWatch)
    }
    self.page = page
    if focus != .unknown { page.set(focus) }
    check()
  }

  private func checkLater(_ pause: Duration) {
    timer = clock.schedule(after: pause) { [weak self] in self?.check() }
  }

  /// Tells of one notice after another, so that many do not start many programs at once.
  private func tellNext() {
    guard current == nil, let page, !waiting.isEmpty else { return }
    guard PageRegister(store).has(page) else { return joinAgain() }
    var notice = waiting.removeFirst()
    let isQuiet = QuietTime.current(folders) != nil
    guard !isQuiet || notice.content.urgency == .critical else {
      page.finish(notice.id)
      return tellNext()
    }
    // Who locks the page does not want others to read what it says.
    if lock.isLocked { notice.content = notice.content.hidden }
    let delivery = NoticeDelivery(settings, environment: environment, terminal: terminal)
    if let press = presses.first(where: { $0.id == notice.id })?.press {
      // It may wait for the press for minutes.
      Task { await delivery.deliver(notice, press: press) }
      let id = notice.id
      finishing[id] = clock.schedule(after: Self.showingTime) { [weak self, weak page] in
        page?.finish(id)
        self?.finishing[id] = nil
      }
      return tellNext()
    }
    current = notice.id
    Task { [weak self] in
      await delivery.deliver(notice)
      page.finish(notice.id)
      self?.current = nil
      self?.tellNext()
    }
  }
}
