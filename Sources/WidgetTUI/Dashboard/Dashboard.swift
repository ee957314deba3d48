import FoundationEssentials
import Glibc
import WidgetHost
import WidgetKitCore

/// The dashboard: the engine's cards on a terminal, and a person's keys back to the engine.
///
/// A class because it owns the screen and the engine. It draws when something is different, at most
/// once in ``frameTime``, and while nothing moves only at the moments when a word changes.
final class Dashboard {
  let center: WidgetCenter
  let screen: CursesScreen
  var model: TodayModel
  private let events = TerminalEvents()
  private let clock: any HostClock
  private var drawTimer: (any HostTimer)?
  private var tick = Alarm()
  private var firstTurn: (any HostTimer)?
  private var settled: (any HostTimer)?
  private var lastDraw: ContinuousClock.Instant?
  private var lastInputDraw: ContinuousClock.Instant?
  private var wasAnimating = false
  /// What can be pressed on the picture that is on the screen, and could be on those before it.
  private var shownHits = ShownHits()
  /// When the inspector was filled last.
  private var lastLook: ContinuousClock.Instant?
  /// How many of the engine's changes the model shows.
  private var takenChanges = -1
  private var visible: Set<CardID>?
  private var completion: (() -> Void)?
  private var isQuitting = false
  private var isSuspending = false
  /// A picture was due while the terminal had not taken the one before.
  private var isDrawLate = false
  /// The terminal may have another size; looked at with the next picture.
  private var isResizeDue = false
  /// When the next size is followed: a page is laid out anew for each.
  private var nextResize: ContinuousClock.Instant?
  private var resizeTimer: (any HostTimer)?
  /// The program that has the terminal.
  private var guest: TerminalProgram?
  private var restTurn: (any HostTimer)?

  /// The least time between two pictures: about 60 a second.
  private static let frameTime: Duration = .milliseconds(15)
  /// How much longer than a picture of another size takes the next one waits, and the longest wait.
  private static let resizePauseFactor = 5
  private static let longestResizePause: Duration = .milliseconds(250)
  /// After so long the widgets are up, and the code that started them is not needed any more.
  private static let settlingTime: Duration = .seconds(3)

  /// Takes the terminal and makes the engine; nothing is drawn or started yet.
  ///
  /// - Parameters:
  ///   - configuration: what the engine is made with; the screen's colours are put in here.
  ///   - searchedFolders: where bundles are looked for, for a page without any.
  ///   - screen: the opened screen; it is given back where the engine cannot be made.
  /// - Throws: what the engine says where it cannot be made.
  init(
    _ configuration: CenterConfiguration,
    searchedFolders: [String],
    screen: CursesScreen
  ) throws(HostError) {
    var configuration = configuration
    configuration.glyphs = screen.glyphs
    configuration.gathersFirstContent = true
    configuration.appearance = Appearance(
      colors: screen.theme.depth.appearanceColors,
      dark: screen.theme.isDark
    )
    self.screen = screen
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      screen.giveAway()
      throw error
    }
    clock = configuration.clock ?? SystemClock()
    let look = PageLook(
      glyphs: screen.glyphs,
      hasColors: screen.theme.depth > .none,
      now: Date()
    )
    model = TodayModel(size: screen.size, look: look)
    model.searchedFolders = searchedFolders.map { SafeText($0) }
  }

  /// Shows the page; `completion` is called when it has been left and all widgets have ended.
  func run(completion: @escaping () -> Void) {
    self.completion = completion
    center.onChange = { [weak self] in self?.scheduleDraw() }
    center.terminalHandover = { [weak self] in self?.handOver(to: $0) }
    events.onInput = { [weak self] in self?.readKeys() }
    events.onResize = { [weak self] in self?.resize() }
    events.onQuit = { [weak self] in self?.quit() }
    events.onSuspend = { [weak self] in self?.suspend() }
    events.onContinue = { [weak self] in self?.repaint() }
    screen.onReady = { [weak self] in self?.drawLate() }
    events.start()
    draw()
    // The first picture is on the screen before anything is looked for or started.
    firstTurn = clock.schedule(after: .zero) { [weak self] in
      guard let self, !isQuitting else { return }
      center.start()
      scheduleDraw()
    }
    settled = clock.schedule(after: Self.settlingTime) { ResidentMemory.forgetStart() }
  }

  // MARK: - Drawing

  /// Draws soon: at once where the last picture is old enough.
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

  /// Draws what a key has changed: at once, however young the last picture is, unless keys come
  /// faster than pictures are shown.
  private func drawForInput() {
    let now = clock.now
    if let lastInputDraw, lastInputDraw.duration(to: now) < Self.frameTime {
      scheduleDraw()
    } else {
      lastInputDraw = now
      // Most keys move the focus or the page and leave the engine alone.
      draw(
        takesCards: takenChanges != center.changeCount || center.isAnimating
          || isLookDue
      )
    }
  }

  /// Draws everything again, whatever the terminal shows.
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
      // A terminal that is slow or stands still gets the newest picture when it takes one again.
      isDrawLate = true
      return
    }
    isDrawLate = false
    let resizeStart = isResizeDue ? clock.now : nil
    if isResizeDue { followSize() } else if takesCards { update() }
    let isAnimating = center.isAnimating
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

  /// Takes over what the engine has; where the columns change, it lays out anew.
  private func update() {
    model.look.now = clock.date
    model.dayWords = DayWording.words(for: model.look.now)
    model.problems = center.problems
    takeCards()
    if center.hasScanned || !model.cards.isEmpty {
      let screen = WidgetCenter.FirstScreen(
        columns: PageLayout.columnCount(width: model.size.columns, cardCount: model.cards.count),
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

  /// Whether the inspector is to be filled: at once, and then once a second, since that reads files.
  private var isLookDue: Bool {
    guard let inspector = model.inspector else { return false }
    guard !inspector.lines.isEmpty, let lastLook else { return true }
    return lastLook.duration(to: clock.now) >= .seconds(1)
  }

  private func takeCards() {
    takenChanges = center.changeCount
    let drawn = center.drawnCards(at: clock.now)
    model.cards = drawn.map(\.card)
    model.bodies = [:]
    for (card, body) in drawn { model.bodies[card.id] = body }
  }

  /// Sleeps until a word on the screen changes by itself.
  private func scheduleTick() {
    let now = clock.date
    // What is looked into follows, once a second.
    let inspected = model.inspector.map { _ in now.addingTimeInterval(1) }
    let dates = [
      inspected, center.nextChange, model.nextAgeChange, DayWording.nextChange(after: now),
    ]
    guard let next = dates.compactMap(\.self).min() else { return tick.cancel() }
    // Some milliseconds late, so that the moment has surely come.
    let delay = max(0, next.timeIntervalSince(now)) + 0.002
    tick.set(after: .milliseconds(Int(saturated: min(delay, 86_400) * 1000)), on: clock) {
      [weak self] in
      self?.scheduleDraw()
    }
  }

  /// However often the terminal changes its size, following it takes a fifth of the time at most.
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

  /// Leaves for the shell until the program is told to go on; the widgets stand still meanwhile.
  func suspend() {
    guard !isQuitting, !isSuspending, guest == nil else { return }
    isSuspending = true
    events.setReading(false)
    var left = 2
    let next = { [weak self] in
      left -= 1
      if left == 0 { self?.standStill() }
    }
    screen.giveAway(on: clock, then: next)
    center.suspend(completion: next)
  }

  private func standStill() {
    // Where a quit came meanwhile there is nothing to stand still for.
    guard !isQuitting else { return }
    // SIGSTOP and not SIGTSTP, whose own action the source has taken the place of.
    raise(SIGSTOP)
    isSuspending = false
    screen.takeBack()
    model.size = screen.size
    events.setReading(true)
    center.resume()
    draw()
  }

  /// Gives the terminal to a program; the views disappear and the widgets rest until it has ended.
  private func handOver(to program: TerminalProgram) {
    guard !isQuitting, !isSuspending, guest == nil else {
      program.refuse()
      return
    }
    guest = program
    events.setReading(false)
    screen.giveAway(on: clock) { [weak self] in
      guard let self, !isQuitting else {
        program.refuse()
        return
      }
      program.run(terminal: STDIN_FILENO) { [weak self] in
        guard let self else { return }
        guest = nil
        guard !isQuitting else { return }
        center.resume()
        screen.takeBack()
        model.size = screen.size
        events.setReading(true)
        draw()
      }
      // After its start, which is what the answer to openURL tells of, and a turn later, when the
      // widget that asked has got it.
      restTurn = clock.schedule(after: .zero) { [weak self] in
        guard let self, guest != nil, !isQuitting else { return }
        center.suspend {}
      }
    }
  }

  /// Gives the terminal back and ends all widgets.
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
    screen.giveAway(on: clock, then: next)
    center.shutdown(completion: next)
  }

  /// What a click at a place of the screen is for.
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

nonisolated extension ColorDepth {
  /// The number that widgets are told (PROTOCOL.md, `appearance`).
  fileprivate var appearanceColors: Int { self == .eight ? 16 : rawValue }
}
