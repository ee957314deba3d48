import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// The engine without a screen: nothing moves, no URL opens, and somebody waits for the end.
struct HeadlessCenter {
  let center: WidgetCenter
  /// How long widgets may take for what.
  let deadlines: SessionPolicy
  private let clock = SystemClock()

  init(
    _ options: CommonOptions,
    reason: LaunchReason? = nil,
    naming names: [String] = [],
    showsAll: Bool = false,
    glyphs: GlyphSet = .unicode
  ) throws(CommandError) {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    UserConfiguration(environment: options.environment).apply(to: &configuration)
    configuration.widgetFolders = options.widgetFolders
    configuration.tracePath = options.tracePath
    configuration.animates = false
    configuration.schedulesUpdates = false
    configuration.launchReason = reason
    configuration.glyphs = glyphs
    configuration.namedWidgets = Set(names)
    // The run ends when all is said; until then nobody is stopped in the middle of a word.
    configuration.policy.settling = .seconds(3)
    deadlines = configuration.policy
    configuration.showsAllWidgets = showsAll
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw .failure(error.description)
    }
  }

  /// The cards that were asked for by identifier or name, all of them where none was.
  func choose(_ names: [String]) throws(CommandError) -> [CardID] {
    let known = center.allCards.map(\.id)
    var chosen: Set<CardID> = []
    for name in names {
      if let card = known.first(where: { $0.description == name }) {
        chosen.insert(card)
        continue
      }
      let identifiers = try center.match(name).required(name)
      let cards = known.filter { identifiers.contains($0.bundleIdentifier) }
      guard !cards.isEmpty else {
        throw .missing("no widget “\(name)”; “today list” shows those there are")
      }
      chosen.formUnion(cards)
    }
    return names.isEmpty ? known : known.filter(chosen.contains)
  }

  /// Waits until the cards have settled, or for so long.
  func settle(_ ids: [CardID], within limit: Duration) async {
    let deadline = clock.now + limit
    var waiting: CheckedContinuation<Void, Never>?
    while clock.now < deadline, !ids.allSatisfy({ center.isSettled($0) }) {
      await withCheckedContinuation { continuation in
        waiting = continuation
        let wake = {
          waiting?.resume()
          waiting = nil
        }
        center.onSettle = wake
        timer.value = clock.schedule(after: clock.now.duration(to: deadline), wake)
      }
    }
    center.onSettle = nil
    timer.value = nil
  }

  private let timer = TimerBox()

  private final class TimerBox {
    var value: (any HostTimer)?
  }

  /// Ends all widgets.
  func shutdown() async {
    await withCheckedContinuation { continuation in
      center.shutdown { continuation.resume() }
    }
  }

  /// Says on standard error what is wrong with the installation.
  func complainAboutProblems() {
    for problem in center.problems { StandardStreams.complain(problem.string) }
  }
}
