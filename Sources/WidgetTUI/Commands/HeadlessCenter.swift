import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// The engine for commands: no animations, no scheduled updates, and a way to wait for the result.
struct HeadlessCenter {
  let center: WidgetCenter
  /// The deadlines that widgets have.
  let deadlines: SessionPolicy
  /// What the user has set.
  let settings: Settings
  private let clock = SystemClock()

  init(
    _ options: CommonOptions,
    reason: LaunchReason? = nil,
    naming names: [String] = [],
    showsAll: Bool = false,
    theme: ThemeDefinition? = nil
  ) throws(CommandError) {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    settings = options.readSettings()
    settings.apply(to: &configuration)
    configuration.widgetFolders = options.widgetFolders
    configuration.tracePath = options.tracePath
    configuration.animates = false
    configuration.schedulesUpdates = false
    configuration.launchReason = reason
    let isDark = (theme ?? settings.screen.theme(onTerminal: true)).isDark
    configuration.appearance = Appearance(colors: 256, dark: isDark)
    configuration.glyphs = settings.screen.glyphs(onTerminal: .unicode)
    configuration.namedWidgets = Set(names)
    // The command ends as soon as its cards have settled. Until then no widget is suspended, which
    // would interrupt output that follows a first message.
    configuration.policy.settling = .seconds(3)
    deadlines = configuration.policy
    configuration.showsAllWidgets = showsAll
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw .failure(error.description)
    }
  }

  /// The cards with these identifiers or names; all cards if there are no names.
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
        throw .missing("no widget “\(name)”; “today list” lists the installed widgets")
      }
      chosen.formUnion(cards)
    }
    return names.isEmpty ? known : known.filter(chosen.contains)
  }

  /// Waits until the cards have settled, at most for `limit`.
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

  /// Writes the problems of the installation to standard error.
  func writeProblems() {
    for problem in center.problems { StandardStreams.writeError(problem.string) }
  }
}
