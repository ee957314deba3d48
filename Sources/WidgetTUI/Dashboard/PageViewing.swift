import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// A page for everybody: its keys, which change nothing, and when somebody who does not read is disconnected.
///
/// Keys do not reach ``DashboardKeys`` but through the few commands that are listed here, so that a command that is added
/// to the page of its owner is none of these pages.
final class PageViewing {
  private unowned let dashboard: Dashboard
  private let keys: DashboardKeys
  private let clock: any HostClock
  private var lastPicture: ContinuousClock.Instant
  private var patience: (any HostTimer)?

  /// How long a terminal may take for a picture.
  static let longestWait: Duration = .seconds(60)

  /// The commands that there are: moving, scrolling, looking at one card, help, and the end.
  static let commands: Set<Intent> = [
    .nextCard, .previousCard, "columnLeft", "columnRight", .zoom, .pageDown, .pageUp, .top, .bottom,
    .redraw, .help, .quit,
  ]

  /// Their keys, whatever the owner has bound.
  static let keyMap = KeyMap(
    KeyCommand.all.map(\.entry).filter { commands.contains($0.intent) }
  )

  init(_ dashboard: Dashboard, _ keys: DashboardKeys, clock: any HostClock) {
    (self.dashboard, self.keys, self.clock) = (dashboard, keys, clock)
    lastPicture = clock.now
  }

  // MARK: - Keys

  /// Handles one key; the caller draws.
  func handle(_ key: Key) {
    let notices = dashboard.center.notices
    let count = notices.count
    if case .mouse(let event) = key { handle(event) } else { take(key) }
    if notices.count == count, !key.isMouse { notices.clear() }
  }

  private func take(_ key: Key) {
    let intent = Self.keyMap.intent(of: key).flatMap { Self.commands.contains($0) ? $0 : nil }
    if case .help = dashboard.model.mode {
      if key.isControl, let intent { return run(intent) }
      if !dashboard.model.scrollHelp(by: intent.map(dashboard.model.helpStep) ?? 0) {
        dashboard.model.closeOverlay()
      }
    } else if key == .escape, dashboard.model.place.zoom != nil {
      run(.zoom)
    } else if let intent {
      run(intent)
    } else if let refused = KeyMap.standard.intent(of: key) {
      dashboard.center.notices.say(
        refused == .lock
          ? "This page stays locked." : "This page can only be looked at; ? lists the keys."
      )
    } else if key != .escape, let words = KeyMap.standard.uselessWords(key) {
      dashboard.center.notices.say(words)
    }
  }

  private func run(_ intent: Intent) { KeyCommand.named(intent)?.run(keys) }

  private func handle(_ event: MouseEvent) {
    let isHelp = if case .help = dashboard.model.mode { true } else { false }
    switch event.action {
    case .wheelDown, .wheelUp:
      let rows = event.action == .wheelDown ? 3 : -3
      if !isHelp {
        dashboard.model.scroll(by: rows)
      } else if !dashboard.model.scrollHelp(by: rows) {
        dashboard.model.closeOverlay()
      }
    case .press: if isHelp { dashboard.model.closeOverlay() }
    case .release, .drag: break
    }
  }

  // MARK: - Somebody who does not read

  /// A picture was given to the terminal.
  func pictureWasDrawn() {
    lastPicture = clock.now
    // What is old is said to be, also while nothing comes any more.
    dashboard.center.updates.checkAges()
    if patience == nil { wait(Self.longestWait) }
  }

  private func wait(_ time: Duration) {
    patience = clock.schedule(after: time) { [weak self] in self?.check() }
  }

  private func check() {
    patience = nil
    guard !dashboard.screen.isReady else { return }
    let rest = Self.longestWait - lastPicture.duration(to: clock.now)
    // There is nobody who would read words about it.
    if rest <= .zero { dashboard.quit() } else { wait(rest) }
  }
}
