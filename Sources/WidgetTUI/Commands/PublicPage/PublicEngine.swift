import FoundationEssentials
import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Runs the widgets of a page for all who look at it, who show what it stores; it ends some time after the last has gone.
final class PublicEngine {
  private let center: WidgetCenter
  private let page: PageName
  private let folders: StateFolders
  /// The cards of the page as it started: those of other pages are never updated here.
  private let followed: Set<CardID>
  private let clock = SystemClock()
  private let user: UserConfiguration
  private let base: CenterConfiguration
  private let follower: ConfigurationFollower
  private var shown: Set<CardID> = []
  private var timer: (any HostTimer)?
  private var keeping: (any HostTimer)?
  /// Whether all widgets have been updated once.
  private var isSettled = false
  private var latestReadiness: (any HostTimer)?
  private var lastViewer = ContinuousClock.now
  private var completion: () -> Void = {}

  /// How often it looks whether somebody is still there, and how long it stays when nobody is.
  private static let lookPause: Duration = .seconds(10)
  private static let patience: Duration = .seconds(30)
  /// Changes are stored at most once in this time.
  private static let keepingPause: Duration = .seconds(1)
  /// How long the first update may take before the page counts as updated.
  private static let firstUpdate: Duration = .seconds(10)
  /// The width that widgets are told of, as each viewer has another one.
  private static let columns = 80

  /// Creates it; no widget is started.
  ///
  /// - Throws: ``CommandError`` if there can be no engine.
  init(_ page: PageName, _ options: CommonOptions) throws(CommandError) {
    self.page = page
    folders = StateFolders(environment: options.environment)
    user = UserConfiguration(
      environment: options.environment,
      commands: KeyMap.standard.names
    )
    var base = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    base.role = .engine
    base.animates = false
    followed = Self.cards(of: page, options)
    base.followedCards = followed
    self.base = base
    follower = ConfigurationFollower(user, environment: options.environment, clock: clock)
    var configuration = base
    user.apply(to: &configuration)
    configuration.glyphs = user.settings.screen.glyphs(onTerminal: .unicode)
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw .failure(error.description)
    }
  }

  /// Runs the widgets; `completion` is called when nobody looks at the page any more and all have ended.
  func run(completion: @escaping () -> Void) {
    self.completion = completion
    follower.onChange = { [weak self] in self?.adopt($0) }
    guard user.settings.usesControlGroups else { return start() }
    ControlGroupScope.prepare(environment: base.environment) { [weak self] in self?.start() }
  }

  private func start() {
    center.load()
    center.screen.show(page: page)
    center.signals.onChange = { [weak self] in
      self?.cardsMayHaveChanged()
      self?.keepSoon()
    }
    // One that has found nothing new changes the age alone.
    center.onUpdate = { [weak self] _, _, _ in self?.keepSoon() }
    center.signals.onSettle = { [weak self] in self?.mayBeReady() }
    shown = cards
    giveWidths()
    center.start(only: shown)
    follower.start()
    latestReadiness = clock.schedule(after: Self.firstUpdate) { PublicPage.becomeReady() }
    look()
  }

  private func adopt(_ user: UserConfiguration) {
    var configuration = base
    user.apply(to: &configuration)
    center.apply(configuration)
    cardsMayHaveChanged()
  }

  // MARK: - The cards of the page

  private static func cards(of page: PageName, _ options: CommonOptions) -> Set<CardID> {
    let cards = PageBook(options).widgets.filter { _, place in
      if case .position(_, let shown) = place { shown.isSame(as: page) } else { false }
    }
    return Set(cards.map(\.member.id))
  }

  private var cards: Set<CardID> {
    Set(center.page.all.filter { $0.page.isSame(as: page) }.map(\.id))
  }

  private func cardsMayHaveChanged() {
    let present = cards
    guard present != shown else { return }
    // Another engine follows this one at once, and updates those that have come, too.
    guard present.subtracting(shown).isSubset(of: followed) else { return end() }
    shown = present
    giveWidths()
    center.screen.setVisible(present)
    keepSoon()
  }

  private func giveWidths() {
    let renderer = PageRenderer(width: Self.columns, date: Date())
    center.screen.setWidths(
      renderer.widths(center.page.all.filter { shown.contains($0.id) }, bodies: [:])
    )
  }

  /// Stores what has changed, which is what others see.
  private func keepSoon() {
    guard keeping == nil else { return }
    keeping = clock.schedule(after: Self.keepingPause) { [weak self] in
      guard let self else { return }
      keeping = nil
      center.updates.keepContents()
      center.store.afterWriting { [isSettled, page, folders] in
        if isSettled { PublicPage.becomeReady() }
        PublicPage(page, folders).tellChange()
      }
    }
  }

  private func mayBeReady() {
    guard shown.allSatisfy({ center.page.isSettled($0) }) else { return }
    center.signals.onSettle = nil
    isSettled = true
    keepSoon()
  }

  // MARK: - Those who look at the page

  private func look() {
    if PublicPage.hasViewers() { lastViewer = clock.now }
    guard lastViewer.duration(to: clock.now) < Self.patience else { return end() }
    timer = clock.schedule(after: Self.lookPause) { [weak self] in self?.look() }
  }

  private func end() {
    for timer in [latestReadiness, keeping, timer] { timer?.cancel() }
    FolderWatch.endAll()
    center.shutdown(completion: completion)
  }
}
