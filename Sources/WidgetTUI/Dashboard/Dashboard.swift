import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// The dashboard: draws the cards of the engine on a terminal, and passes keys to the engine.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``FramePacer`` | when pictures are drawn |
/// | ``PagePresenter`` | pictures on the screen, and what is visible and pressed there |
/// | ``KeyReader`` | when keys are read |
/// | ``PageFeed`` | from the engine to the model |
/// | ``DashboardKeys`` | keys and the mouse, in each mode |
/// | ``ThemeSwitch`` | the theme: preview and choice |
/// | ``GraphicsSwitch`` | how pictures of widgets are drawn |
/// | ``Clipboard`` | copied text |
/// | ``ScreenLoan`` | the terminal while it is not the dashboard's |
/// | ``PageAttention`` | whether the user looks at the page |
///
/// A class because it owns the screen and the engine. Without animations, it wakes up only when a text
/// on the screen changes.
final class Dashboard {
  let center: WidgetCenter
  let screen: any Screen
  let events: any ScreenEvents
  var model: TodayModel { didSet { isModelDrawn = false } }
  var keyMap: KeyMap { model.keyMap }
  private(set) var isQuitting = false
  private let clock: any HostClock
  /// The engine's configuration without what the user has set.
  let base: CenterConfiguration
  private let follower: ConfigurationFollower
  private var feed: PageFeed
  private lazy var presenter = PagePresenter(screen, of: center)
  private lazy var reader = KeyReader(screen, clock: clock) { [weak self] in self?.take($0) }
  private lazy var pacer = FramePacer(owner: self, clock: clock)
  private lazy var loan = ScreenLoan(owner: self, clock: clock)
  private lazy var keys = DashboardKeys(owner: self)
  /// What a page for everybody allows; nil on the page of its owner.
  private lazy var viewing = base.role == .viewer ? PageViewing(self, keys, clock: clock) : nil
  private(set) lazy var themes = ThemeSwitch(
    screen: screen,
    environment: base.environment,
    follower: follower
  )
  private lazy var graphics = GraphicsSwitch(screen, of: center, clock: clock)
  private(set) lazy var clipboard = Clipboard(screen: screen, environment: base.environment)
  private var attention = PageAttention()
  /// What follows the first picture.
  private var beginnings: [any HostTimer] = []
  /// Whether a key was handled since the model was last drawn with what the engine has.
  private var hasHandledKey = false
  /// Whether the model is as it was when it was last drawn.
  private var isModelDrawn = false
  private var completion: (() -> Void)?
  private let prepareWidgets: (_ completion: @escaping () -> Void) -> Void
  let sharing: (any PageSharing)?

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
  ///   - sharing: gives content of the page to extensions; nil if nothing does.
  ///   - prepareWidgets: prepares the system for widgets behind the first picture; they are started when it
  ///     has called its argument.
  /// - Throws: ``HostError`` if the engine cannot be created.
  init(
    _ base: CenterConfiguration,
    user: UserConfiguration,
    searchedFolders: [String],
    screen: any Screen,
    events: any ScreenEvents,
    sharing: (any PageSharing)? = nil,
    prepareWidgets: @escaping (_ completion: @escaping () -> Void) -> Void = { $0() }
  ) throws(HostError) {
    var base = base
    base.gathersFirstContent = true
    self.base = base
    self.screen = screen
    self.events = events
    (self.sharing, self.prepareWidgets) = (sharing, prepareWidgets)
    screen.adopt(user.settings.screen)
    let configuration = base.adopting(user, on: screen)
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      screen.release()
      throw error
    }
    clock = base.clock ?? SystemClock()
    feed = PageFeed(center, clock: clock)
    follower = ConfigurationFollower(user, environment: base.environment, clock: clock)
    let look = PageLook(
      glyphs: screen.glyphs,
      hasColors: screen.theme.depth > .none,
      now: Date()
    )
    model = TodayModel(size: screen.size, look: look)
    model.content.isLocked = base.isLocked
    model.content.machine = base.machine.map { SafeText($0.machine).onOneLine }
    model.content.searchedFolders = searchedFolders.map { SafeText($0) }
    show(user)
  }

  /// Shows the page as the user has set it.
  private func show(_ user: UserConfiguration) {
    themes.adopt(user)
    let settings = user.settings.screen
    model.keyMap = base.role == .viewer ? PageViewing.keyMap : KeyMap(settings.keys)
    center.lock.words = keyMap.lockedWords
    model.look.glyphs = screen.glyphs
    model.columns = ColumnRule(settings)
    model.changedNumbers.isOn = settings.animates
    attention.suspendsWhenUnfocused = settings.suspendsWhenUnfocused
  }

  /// Takes over what the user has set since.
  private func adopt(_ user: UserConfiguration) {
    guard !isQuitting else { return }
    show(user)
    var configuration = base.adopting(user, on: screen)
    configuration.isLocked = model.content.isLocked
    center.apply(configuration)
    if model.content.isLoading == false { graphics.update() }
    attentionMayHaveChanged()
    pacer.schedule()
  }

  /// Tells the widgets of the colours, and draws with them.
  private func themeDidChange() {
    guard !isQuitting else { return }
    center.look.set(screen.theme.appearance, glyphs: screen.glyphs)
    graphics.update()
    pacer.schedule()
  }

  /// The terminal has got or lost the focus.
  private func focusDidChange(_ hasFocus: Bool) {
    guard !isQuitting, viewing == nil else { return }
    if attention.setFocus(hasFocus) {
      // The element was pressed before the user left the page.
      model.place.focus?.element = nil
      pacer.schedule()
    }
    center.delivery.focusDidChange(hasFocus)
    attentionMayHaveChanged()
  }

  private func attentionMayHaveChanged() {
    guard !isQuitting, viewing == nil else { return }
    center.screen.setHost(attention.host(isCovered: model.isCovered))
  }

  /// Shows the page; `completion` is called after a quit, when all widgets have ended.
  func run(completion: @escaping () -> Void) {
    self.completion = completion
    keys.begin()
    center.signals.onChange = { [weak self] in self?.pacer.schedule() }
    center.urls.terminalHandover = { [weak self] in self?.loan.handOver(to: $0) }
    events.onInput = { [weak self] in self?.reader.read() }
    events.onResize = { [weak self] in self?.pacer.resize() }
    events.onQuit = { [weak self] in self?.quit() }
    events.onSuspend = { [weak self] in self?.suspend() }
    events.onContinue = { [weak self] in self?.loan.continueProgram() }
    events.onWindowSignal = { [weak self] in self?.pacer.takeWindowSignal() }
    events.onScriptSignal = { [weak self] in self?.center.updates.refresh(signal: $0) }
    follower.onChange = { [weak self] in self?.adopt($0) }
    screen.onReady = { [weak self] in self?.pacer.screenIsReady() }
    screen.onTheme = { [weak self] in self?.themeDidChange() }
    screen.onImageLook = { [weak self] in
      self?.graphics.update()
      self?.pacer.schedule()
    }
    screen.onFocus = { [weak self] in self?.focusDidChange($0) }
    screen.mayLeave = { [weak self] in
      let intent = self?.keyMap.intent(of: $0)
      return intent == .quit || intent == .suspend
    }
    center.urls.onQuestion = { [weak self] in self?.show($0.map { .url($0) }) }
    center.commands.onQuestion = { [weak self] in self?.show($0.map { .command($0) }) }
    center.alerts.onBell = { [weak self] in self?.screen.ring() }
    center.urls.onUnopened = { [weak self] in self?.keys.copying.show(address: $0, of: $1) }
    center.urls.onOpen = { [weak self] in self?.attention.appWasOpened() }
    events.start()
    pacer.draw()
    beginnings = [
      // Bundles are looked for and widgets are started after the first picture is on the screen.
      clock.schedule(after: .zero) { [weak self] in self?.prepareWidgets { self?.start() } },
      clock.schedule(after: Self.settlingTime) { HostMemory.forgetStart() },
    ]
  }

  private func start() {
    guard !isQuitting else { return }
    guard viewing == nil else {
      center.follow()
      return pacer.schedule()
    }
    center.start()
    center.delivery.start(on: screen)
    follower.start()
    graphics.update()
    graphics.awaitAnswer()
    pacer.schedule()
  }

  private func show(_ question: PageQuestion?) {
    guard !isQuitting else { return }
    keys.questions.ask(question)
    pacer.schedule()
  }

  private func take(_ read: [Key]) {
    var typed = read
    if typed.isEmpty, screen.isClosed {
      quit()
      return
    }
    // What follows a press matters only while cards are dragged.
    if model.editing == nil { typed.removeAll(where: \.followsPress) }
    if viewing == nil, !typed.allSatisfy(\.isMouse) {
      attention.keysWereTyped()
      center.delivery.keyWasTyped()
    }
    if !typed.isEmpty { center.updates.noteInput() }
    for key in typed where !isQuitting {
      // The key acts on what the one before it has made, whether or not that was drawn. What else has changed
      // since the last picture is not taken, as the user has not seen it.
      if hasHandledKey, feed.isBehind, !model.takesText(key) { feed.update(&model) }
      if let viewing { viewing.handle(key) } else { keys.handle(key) }
      hasHandledKey = true
    }
    attentionMayHaveChanged()
    // Most keys only move the focus or scroll, and change nothing in the engine.
    guard !typed.isEmpty else { return }
    let takesCards = feed.isDue(for: model)
    if takesCards || !isModelDrawn { return pacer.drawForInput(takesCards: takesCards) }
    // A key that only asks widgets for something shows nothing before they have answered.
    hasHandledKey = false
    pacer.noteInput()
  }
}

// MARK: - Pictures

extension Dashboard: FramePacerOwner {
  var isDrawing: Bool { !isQuitting }
  var isScreenReady: Bool { screen.isReady }
  var hasAnotherSize: Bool { screen.hasAnotherSize }
  var isAnimating: Bool {
    center.drawing.isAnimating || screen.isSendingImages || model.glides.isGliding
  }

  func forgetPicture() { screen.forget() }

  func draw(followsSize: Bool, takesCards: Bool) -> FramePacer.Next {
    let isUpToDate = isModelDrawn && feed.isUpToDate(model)
    // Elsewhere a bar on its way would be seen in parts.
    model.setGlides(model.changedNumbers.isOn && screen.showsFramesWhole, at: clock.now)
    if followsSize {
      screen.followSize()
      model.size = screen.size
      center.sessions.trace?.write(.size(screen.size))
      model.checkDrag(hasOtherSize: true)
      feed.update(&model)
      keys.sizeDidChange()
      keys.fields.cardsDidChange()
      model.revealFocus()
    } else if takesCards, !isUpToDate {
      feed.update(&model)
      keys.fields.cardsDidChange()
    }
    hasHandledKey = false
    // A key that was kept may have ended the page.
    guard !isQuitting else { return .never }
    let isAnimating = center.drawing.isAnimating
    model.glides.advance(to: clock.now)
    // The theme may be one that is looked at in the palette.
    model.look.adopt(screen.theme, screen.glyphs)
    presenter.draw(model, isAnimating: isAnimating || model.glides.isGliding, at: clock.now)
    viewing?.pictureWasDrawn()
    isModelDrawn = true
    if case .question = model.mode { keys.questions.wasDrawn() }
    keys.contentDidChange()
    if isAnimating || screen.isSendingImages { return .frame }
    return feed.pause(model, cards: presenter.nextChange).map { .after($0) } ?? .never
  }
}

// MARK: - What keys do

extension Dashboard: DashboardKeysOwner {
  var hits: ShownHits { presenter.hits }
  var environment: [String: String] { base.environment }

  func pageDidChange() { feed.forget() }

  var now: ContinuousClock.Instant { clock.now }

  func takeChanges() {
    if feed.isDue(for: model) { feed.update(&model) }
    keys.fields.cardsDidChange()
  }

  func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any HostTimer {
    clock.schedule(after: delay) { [weak self] in
      guard let self, !isQuitting else { return }
      work()
      pacer.schedule()
    }
  }

  func showModel() {
    guard !isQuitting else { return }
    pacer.schedule()
  }

  func cardsDidMove() {
    feed.forget()
    feed.update(&model)
    model.revealFocus()
  }

  func setLocked(_ isLocked: Bool) {
    guard viewing == nil else { return }
    model.content.isLocked = isLocked
    // What was looked for would be on the page, and say which cards have it.
    if isLocked { model.place.filter = nil }
    center.setLocked(isLocked)
    pageDidChange()
  }

  /// Redraws the whole screen, whatever the terminal shows.
  func repaint() {
    guard !isQuitting else { return }
    screen.forget()
    pacer.schedule()
  }

  /// Draws the next picture, with another size if the screen has one.
  func redraw() {
    guard !isQuitting else { return }
    pacer.resize()
    pacer.schedule()
  }

  /// Suspends the widgets and then the program, until SIGCONT continues it.
  func suspend() {
    // Behind it would be a shell.
    guard viewing == nil else { return }
    loan.suspend()
  }

  /// Restores the terminal and ends all widgets.
  func quit() {
    guard !isQuitting else { return }
    isQuitting = true
    for timer in beginnings { timer.cancel() }
    graphics.end()
    reader.end()
    pacer.stop()
    center.delivery.suspend()
    events.stopReading()
    loan.end()
    FolderWatch.endAll()
    var left = 3
    let next = { [weak self] in
      left -= 1
      if left == 0 { self?.completion?() }
    }
    keys.end(on: clock, completion: next)
    screen.release(on: clock, then: next)
    center.shutdown(completion: next)
  }
}

extension Dashboard: ScreenLoanOwner {
  func screenIsBack(fromApp: Bool) {
    model.size = screen.size
    keys.sizeDidChange()
    attention.terminalIsBack()
    center.delivery.resume()
    attentionMayHaveChanged()
    if fromApp { model.place.focus?.element = nil }
    graphics.awaitAnswer()
    pacer.draw()
  }
}
