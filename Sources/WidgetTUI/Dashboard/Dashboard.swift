import FoundationEssentials
import Glibc
import WidgetHost
import WidgetKitCore

/// The dashboard: draws the cards of the engine on a terminal, and passes keys to the engine.
///
/// A class because it owns the screen and the engine. It draws when something has changed, at most
/// once in ``frameTime``; without animations, it wakes up only when a text on the screen changes.
final class Dashboard {
  let center: WidgetCenter
  let screen: any Screen
  var model: TodayModel
  private let events: any ScreenEvents
  private let clock: any HostClock
  /// The engine's configuration without what the user has set.
  private let base: CenterConfiguration
  private let follower: ConfigurationFollower
  private var drawTimer: (any HostTimer)?
  private var tick = Alarm()
  private var firstTurn: (any HostTimer)?
  private var settled: (any HostTimer)?
  private var lastDraw: ContinuousClock.Instant?
  private var lastInputDraw: ContinuousClock.Instant?
  private var wasAnimating = false
  /// What can be pressed on the picture on the screen, and on the pictures before it.
  private var shownHits = ShownHits()
  /// When the contents of the inspector were last updated.
  private var lastLook: ContinuousClock.Instant?
  /// The engine's count of changes when the model was last updated.
  private var takenChanges = -1
  private var visible: Set<CardID>?
  private var completion: (() -> Void)?
  private var isQuitting = false
  private var isSuspending = false
  /// A picture was due before the terminal had accepted the previous one.
  private var isDrawLate = false
  /// The size of the terminal may have changed; it is read with the next picture.
  private var isResizeDue = false
  /// The earliest time for the next change of size, since each lays out the whole page.
  private var nextResize: ContinuousClock.Instant?
  private var resizeTimer: (any HostTimer)?
  /// The app that uses the terminal.
  private var guest: TerminalProgram?
  private var restTurn: (any HostTimer)?

  /// The shortest time between two pictures: about 60 per second.
  private static let frameTime: Duration = .milliseconds(15)
  /// After a change of size, the next one waits this many times as long as the first one took.
  private static let resizePauseFactor = 5
  private static let longestResizePause: Duration = .milliseconds(250)
  /// When the widgets are running, and the memory that only the start needed is released.
  private static let settlingTime: Duration = .seconds(3)

  /// Creates the engine; nothing is drawn or started yet.
  ///
  /// - Parameters:
  ///   - base: the engine's configuration; the settings of the user and the colours of the screen
  ///     are added.
  ///   - user: the settings of the user; they are read again when their file is saved.
  ///   - searchedFolders: where bundles are looked for, shown on a page without any.
  ///   - screen: the opened screen; it is released if the engine cannot be created.
  ///   - events: what happens to the terminal and to the program.
  /// - Throws: ``HostError`` if the engine cannot be created.
  init(
    _ base: CenterConfiguration,
    user: UserConfiguration,
    searchedFolders: [String],
    screen: any Screen,
    events: any ScreenEvents
  ) throws(HostError) {
    var base = base
    base.gathersFirstContent = true
    self.base = base
    self.screen = screen
    self.events = events
    screen.adopt(user.settings.screen)
    let configuration = Self.configuration(base, user, screen)
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      screen.release()
      throw error
    }
    clock = base.clock ?? SystemClock()
    follower = ConfigurationFollower(user, environment: base.environment, clock: clock)
    let look = PageLook(
      glyphs: screen.glyphs,
      hasColors: screen.theme.depth > .none,
      now: Date()
    )
    model = TodayModel(size: screen.size, look: look)
    model.columns = ColumnRule(user.settings.screen)
    model.searchedFolders = searchedFolders.map { SafeText($0) }
  }

  private static func configuration(
    _ base: CenterConfiguration,
    _ user: UserConfiguration,
    _ screen: any Screen
  ) -> CenterConfiguration {
    var configuration = base
    user.apply(to: &configuration)
    configuration.glyphs = screen.glyphs
    configuration.appearance = screen.theme.appearance
    return configuration
  }

  /// Takes over what the user has set anew.
  private func adopt(_ user: UserConfiguration) {
    guard !isQuitting else { return }
    screen.adopt(user.settings.screen)
    model.look.glyphs = screen.glyphs
    model.columns = ColumnRule(user.settings.screen)
    center.apply(Self.configuration(base, user, screen))
    scheduleDraw()
  }

  /// Tells the widgets of the colours, and draws with them.
  private func themeDidChange() {
    guard !isQuitting else { return }
    center.setAppearance(screen.theme.appearance, glyphs: screen.glyphs)
    scheduleDraw()
  }

  /// Shows the page; `completion` is called after a quit, when all widgets have ended.
  func run(completion: @escaping () -> Void) {
    self.completion = completion
    center.onChange = { [weak self] in self?.scheduleDraw() }
    center.urls.terminalHandover = { [weak self] in self?.handOver(to: $0) }
    events.onInput = { [weak self] in self?.readKeys() }
    events.onResize = { [weak self] in self?.resize() }
    events.onQuit = { [weak self] in self?.quit() }
    events.onSuspend = { [weak self] in self?.suspend() }
    events.onContinue = { [weak self] in self?.repaint() }
    follower.onChange = { [weak self] in self?.adopt($0) }
    screen.onReady = { [weak self] in self?.drawLate() }
    screen.onTheme = { [weak self] in self?.themeDidChange() }
    events.start()
    draw()
    // Bundles are looked for and widgets are started after the first picture is on the screen.
    firstTurn = clock.schedule(after: .zero) { [weak self] in
      guard let self, !isQuitting else { return }
      center.start()
      follower.start()
      scheduleDraw()
    }
    settled = clock.schedule(after: Self.settlingTime) { HostMemory.forgetStart() }
  }

  // MARK: - Drawing

  /// Draws at once, or ``frameTime`` after the last picture.
  func scheduleDraw() {
    guard drawTimer == nil, !isQuitting, !isDrawLate else { return }
    let passed = lastDraw.map { $0.duration(to: clock.now) } ?? Self.frameTime
    guard passed < Self.frameTime else {
      draw()
      return
    }
    drawTimer = clock.schedule(after: Self.frameTime - passed) { [weak self] in
      self?.drawTimer = nil
      self?.draw()
    }
  }

  /// Draws the effect of a key: at once, even if the last picture is recent, unless keys arrive
  /// faster than pictures are shown.
  private func drawForInput() {
    let now = clock.now
    if let lastInputDraw, lastInputDraw.duration(to: now) < Self.frameTime {
      scheduleDraw()
    } else {
      lastInputDraw = now
      // Most keys only move the focus or scroll, and change nothing in the engine.
      draw(
        takesCards: takenChanges != center.changeCount || center.drawing.isAnimating
          || isLookDue
      )
    }
  }

  /// Redraws the whole screen, whatever the terminal shows.
  func repaint() {
    guard !isQuitting else { return }
    screen.forget()
    scheduleDraw()
  }

  private func draw(takesCards: Bool = true) {
    guard !isQuitting else { return }
    drawTimer?.cancel()
    drawTimer = nil
    guard screen.isReady else {
      // A slow or blocked terminal gets the newest picture when it accepts output again.
      isDrawLate = true
      return
    }
    isDrawLate = false
    let resizeStart = isResizeDue ? clock.now : nil
    if isResizeDue { followSize() } else if takesCards { update() }
    let isAnimating = center.drawing.isAnimating
    let picture = TodayView.picture(of: model)
    screen.draw(picture.canvas, isFrame: isAnimating || wasAnimating)
    shownHits.show(picture.hits, at: clock.now)
    wasAnimating = isAnimating
    lastDraw = clock.now
    if visible != model.visibleCards {
      visible = model.visibleCards
      center.setVisible(model.visibleCards)
    }
    if let resizeStart {
      let pause = resizeStart.duration(to: clock.now) * Self.resizePauseFactor
      nextResize = clock.now + min(pause, Self.longestResizePause)
    }
    if isAnimating {
      scheduleDraw()
    } else {
      scheduleTick()
    }
  }

  private func drawLate() {
    guard isDrawLate else { return }
    isDrawLate = false
    scheduleDraw()
  }

  /// Updates the model from the engine; if the number of columns changes, the engine lays out again.
  private func update() {
    model.look.now = clock.date
    model.dayWords = DayWording.words(for: model.look.now)
    model.problems = center.problems
    takeCards()
    if center.hasScanned || !model.cards.isEmpty {
      let screen = FirstScreen(
        columns: model.columns.columnCount(width: model.size.columns, cardCount: model.cards.count),
        rows: model.viewport.size.rows
      )
      if center.setPage(innerWidth: model.innerWidth, filling: screen) { takeCards() }
    }
    if isLookDue, let card = model.inspector?.card {
      let found = center.inspection(of: card)
      let now = model.look.now
      model.inspector?.take(found, now: now)
      lastLook = clock.now
    }
    model.isLoading = !center.hasScanned
    model.newWidgets = center.newWidgets
    model.notice = center.notice
    model.hiddenCount = center.allCards.count - center.cards.count
    model.relayout()
  }

  /// Whether the inspector is to be updated: at first, and then once per second, as it reads files.
  private var isLookDue: Bool {
    guard let inspector = model.inspector else { return false }
    guard !inspector.lines.isEmpty, let lastLook else { return true }
    return lastLook.duration(to: clock.now) >= .seconds(1)
  }

  private func takeCards() {
    takenChanges = center.changeCount
    let drawn = center.drawing.cards(at: clock.now)
    model.cards = drawn.map(\.card)
    model.bodies = [:]
    for (card, body) in drawn { model.bodies[card.id] = body }
  }

  /// Sleeps until a text on the screen changes, such as an age.
  private func scheduleTick() {
    let now = clock.date
    // The inspector is updated once per second.
    let inspected = model.inspector.map { _ in now.addingTimeInterval(1) }
    let dates = [
      inspected, center.drawing.nextChange, model.nextAgeChange, DayWording.nextChange(after: now),
    ]
    guard let next = dates.compactMap(\.self).min() else { return tick.cancel() }
    // Two milliseconds late, so that the date has certainly passed.
    let delay = max(0, next.timeIntervalSince(now)) + 0.002
    tick.set(after: .milliseconds(Int(saturated: min(delay, 86_400) * 1000)), on: clock) {
      [weak self] in
      self?.scheduleDraw()
    }
  }

  /// Handles a change of size; repeated changes take at most a fifth of the time.
  private func resize() {
    guard !isQuitting, resizeTimer == nil, screen.hasAnotherSize else { return }
    if let nextResize, clock.now < nextResize {
      resizeTimer = clock.schedule(after: clock.now.duration(to: nextResize)) { [weak self] in
        self?.resizeTimer = nil
        self?.resize()
      }
    } else {
      isResizeDue = true
      scheduleDraw()
    }
  }

  private func followSize() {
    isResizeDue = false
    screen.followSize()
    model.size = screen.size
    update()
    model.revealFocus()
  }

  // MARK: - The terminal and the end

  /// Suspends the widgets and then the program, until SIGCONT continues it.
  func suspend() {
    guard !isQuitting, !isSuspending, guest == nil else { return }
    isSuspending = true
    events.setReading(false)
    var left = 2
    let next = { [weak self] in
      left -= 1
      if left == 0 { self?.stopProcess() }
    }
    screen.release(on: clock, then: next)
    center.suspend(completion: next)
  }

  private func stopProcess() {
    // A quit meanwhile ends the program instead.
    guard !isQuitting else { return }
    events.stopProgram()
    isSuspending = false
    screen.reclaim()
    model.size = screen.size
    events.setReading(true)
    center.resume()
    draw()
  }

  /// Lets an app use the terminal; views disappear and widgets are suspended until it exits.
  private func handOver(to program: TerminalProgram) {
    guard !isQuitting, !isSuspending, guest == nil else {
      program.refuse()
      return
    }
    guest = program
    events.setReading(false)
    screen.release(on: clock) { [weak self] in
      guard let self, !isQuitting else {
        program.refuse()
        return
      }
      program.run(terminal: STDIN_FILENO) { [weak self] in
        guard let self else { return }
        guest = nil
        guard !isQuitting else { return }
        center.resume()
        screen.reclaim()
        model.size = screen.size
        events.setReading(true)
        draw()
      }
      // One turn of the queue later, when the widget has received the answer to its openURL.
      restTurn = clock.schedule(after: .zero) { [weak self] in
        guard let self, guest != nil, !isQuitting else { return }
        center.suspend {}
      }
    }
  }

  /// Restores the terminal and ends all widgets.
  func quit() {
    guard !isQuitting else { return }
    isQuitting = true
    for timer in [drawTimer, firstTurn, settled, resizeTimer, restTurn] { timer?.cancel() }
    tick.cancel()
    events.stopReading()
    guest?.hangUp()
    var left = 2
    let next = { [weak self] in
      left -= 1
      guard left == 0 else { return }
      self?.completion?()
      self?.completion = nil
    }
    screen.release(on: clock, then: next)
    center.shutdown(completion: next)
  }

  /// What a click at a position of the screen presses.
  func hit(_ position: Position) -> PageHit? { shownHits.hit(position, at: clock.now) }

  private func readKeys() {
    let keys = screen.keys()
    if keys.isEmpty, screen.isClosed {
      quit()
      return
    }
    for key in keys where !isQuitting { handle(key) }
    if !keys.isEmpty { drawForInput() }
  }
}

nonisolated extension Theme {
  /// What widgets are told of the colours (Docs/Protocol.md, initialize, `appearance`).
  fileprivate var appearance: Appearance {
    Appearance(colors: depth == .eight ? 16 : depth.rawValue, dark: isDark)
  }
}
