import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// The engine for commands: no animations, and a way to wait for the result.
struct HeadlessCenter {
  let center: WidgetCenter
  /// The deadlines that widgets have.
  let deadlines: SessionPolicy
  /// What the user has set.
  let settings: Settings
  let clock: any HostClock = SystemClock()
  /// Whether the user has named the folders with the bundles.
  private let namesFolders: Bool

  /// Creates it; with cards to follow these are updated when they are due, as on an open page.
  init(
    _ options: CommonOptions,
    reason: LaunchReason? = nil,
    naming names: [String] = [],
    showsAll: Bool = false,
    theme: ThemeDefinition? = nil,
    following followed: Set<CardID>? = nil
  ) throws(CommandError) {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    settings = options.readSettings()
    settings.apply(to: &configuration)
    if settings.usesControlGroups { ControlGroups.divideOwn() }
    configuration.widgetFolders = options.widgetFolders
    namesFolders = !options.widgetFolders.isEmpty
    configuration.tracePath = options.tracePath
    configuration.animates = false
    configuration.schedulesUpdates = followed != nil
    configuration.followedCards = followed
    configuration.isAttended = false
    configuration.launchReason = reason
    let isDark = (theme ?? settings.screen.theme(onTerminal: true)).isDark
    configuration.appearance = Appearance(colors: 256, dark: isDark)
    configuration.glyphs = settings.screen.glyphs(onTerminal: .unicode)
    configuration.namedWidgets = Set(names)
    configuration.showsEveryPage = true
    // The command ends as soon as its cards have settled. Until then no widget is suspended, which
    // would interrupt output that follows a first message.
    if followed == nil { configuration.policy.settling = .seconds(3) }
    let telling = NoticeTelling(settings.notices, options.environment)
    configuration.tellsWithoutPage = { [told] notice in
      told.run { await telling.tellAndWait(notice) }
    }
    deadlines = configuration.policy
    configuration.showsAllWidgets = showsAll
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw .failure(error.description)
    }
  }

  /// The cards with these identifiers or names; all cards if there are no names.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - everyInstance: Whether the name of a widget stands for all its instances.
  /// - Returns: The cards in page order.
  /// - Throws: ``CommandError`` if a name refers to no card.
  func choose(_ names: [String], everyInstance: Bool = false) throws(CommandError) -> [CardID] {
    let known = center.page.all.map(\.id)
    var chosen: Set<CardID> = []
    for name in names {
      for id in try center.page.catalog.required(name) {
        let cards = known.filter {
          $0 == id
            || everyInstance && id.instance == nil
              && $0.bundleIdentifier == id.bundleIdentifier
        }
        guard !cards.isEmpty else { throw absence(of: id, among: known) }
        chosen.formUnion(cards)
      }
    }
    return names.isEmpty ? known : known.filter(chosen.contains)
  }

  /// The error for a card that is neither on a page nor shown in addition.
  private func absence(of id: CardID, among known: [CardID]) -> CommandError {
    let others = known.filter { $0.bundleIdentifier == id.bundleIdentifier }
    let list =
      others.isEmpty ? "" : "; there is " + others.map(\.description).joined(separator: ", ")
    guard let name = id.instance?.rawValue else {
      return .missing("“\(id)” is not on the page\(list)")
    }
    return .missing(
      "no instance “\(name)” of “\(id.bundleIdentifier)”\(list); "
        + "“today add \(id.bundleIdentifier) --as \(name)” adds it"
    )
  }

  /// Waits until the cards have settled, at most for `limit`.
  func settle(_ ids: some Collection<CardID>, within limit: Duration) async {
    await wait(limit) { !ids.allSatisfy { center.page.isSettled($0) } }
  }

  /// Lists the folders of scripts on other machines, at most for `limit`; then ``WidgetCenter/load()`` finds
  /// the scripts.
  func listFolders(within limit: Duration) async {
    center.sources.listOnce { [weak center] in center?.cardMayHaveSettled() }
    await wait(limit) { center.sources.isListing }
  }

  /// Waits until the pictures of the cards are drawn, at most for `limit`.
  func settleImages(_ ids: some Collection<CardID>, within limit: Duration) async {
    await wait(limit) { ids.contains { center.page.hasPendingImages($0) } }
  }

  /// Ends the wait for cards and pictures, now and from now on, as when the command is to end.
  func stopWaiting() {
    waiting.isStopped = true
    center.signals.onSettle?()
  }

  private func wait(_ limit: Duration, while isPending: () -> Bool) async {
    let deadline = clock.now + limit
    var continuation: CheckedContinuation<Void, Never>?
    while !waiting.isStopped, clock.now < deadline, isPending() {
      await withCheckedContinuation {
        continuation = $0
        let wake = {
          continuation?.resume()
          continuation = nil
        }
        center.signals.onSettle = wake
        waiting.timer = clock.schedule(after: clock.now.duration(to: deadline), wake)
      }
    }
    center.signals.onSettle = nil
    waiting.timer = nil
  }

  private let waiting = Waiting()

  private final class Waiting {
    var timer: (any HostTimer)?
    var isStopped = false
  }

  /// The user is told of what widgets have posted; a service would end a process that goes on alone.
  private let told = ToldNotices()

  private final class ToldNotices {
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0

    func run(_ tell: @escaping () async -> Void) {
      lastNumber += 1
      let number = lastNumber
      tasks[number] = Task { [weak self] in
        await tell()
        self?.tasks[number] = nil
      }
    }

    func end() async {
      for task in tasks.values { await task.value }
    }
  }

  /// Ends all widgets.
  func shutdown() async {
    await told.end()
    FolderWatch.endAll()
    await withCheckedContinuation { continuation in
      center.shutdown { continuation.resume() }
    }
  }

  /// Writes the problems of the installation to standard error.
  ///
  /// What is wrong with bundles and scripts is said by `list`, `doctor` and the page, unless the user has named their
  /// folders: a timer that runs the command would have it sent by mail each time.
  func writeProblems() {
    let ofBundles = Set(center.page.catalog.problems.map { SafeText($0.description) })
    for problem in center.notices.problems where namesFolders || !ofBundles.contains(problem) {
      StandardStreams.writeError(problem.string)
    }
  }
}
