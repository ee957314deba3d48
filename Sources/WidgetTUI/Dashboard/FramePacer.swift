import WidgetPlatform

/// What a ``FramePacer`` decides for.
protocol FramePacerOwner: AnyObject {
  /// Whether pictures are drawn at all.
  var isDrawing: Bool { get }
  /// Whether the terminal has accepted the last picture.
  var isScreenReady: Bool { get }
  /// Whether the terminal has another size than the last picture.
  var hasAnotherSize: Bool { get }
  /// Whether something moves, so that the next picture is a frame of an animation.
  var isAnimating: Bool { get }
  /// Sends all of the next picture, whatever is on the screen.
  func forgetPicture()
  /// Draws a picture, of another size if `followsSize`; with `takesCards` the engine may have changed.
  ///
  /// - Returns: When the next picture is due.
  func draw(followsSize: Bool, takesCards: Bool) -> FramePacer.Next
}

/// Decides when pictures are drawn: soon after a change, at once after a key, not while the terminal
/// is busy, and then when a text on the screen changes.
///
/// Changes to which no key has led share pictures, as each picture lays out the whole page: 200 cards that change
/// each second are drawn five times a second and not sixty times. A small page is drawn so quickly that nothing waits
/// there.
final class FramePacer {
  /// When another picture is due if nothing happens until then.
  enum Next {
    /// Now: something moves.
    case frame
    /// After a time.
    case after(Duration)
    case never
  }

  private unowned let owner: any FramePacerOwner
  private let clock: any HostClock
  private var drawTimer: (any HostTimer)?
  /// Whether the timer is set for later than the next frame.
  private var isPausing = false
  private var tick = Alarm()
  private var lastDraw: ContinuousClock.Instant?
  private var lastInputDraw: ContinuousClock.Instant?
  /// How long pictures take to draw, as an average over the last few.
  private var cost = Duration.zero
  /// A picture was due before the terminal had accepted the previous one.
  private var isDrawLate = false
  /// The size of the terminal may have changed; it is read with the next picture.
  private var isResizeDue = false
  /// The earliest time for the next change of size, since each lays out the whole page.
  private var nextResize: ContinuousClock.Instant?
  private var resizeTimer: (any HostTimer)?
  /// The earliest time for the next picture that is sent again.
  private var nextRepaint: ContinuousClock.Instant?
  private var repaintTimer: (any HostTimer)?

  /// The shortest time between two pictures: about 60 per second.
  private static let frameTime: Duration = .milliseconds(15)
  /// How long after a key a change may be its effect, which is shown without a further pause.
  private static let attention: Duration = .seconds(1)
  /// Between two pictures without a key is a pause of this many times what they take to draw.
  private static let pauseFactor = 40
  /// The longest such pause: nobody waits for what changes without a key, and five pictures a second still
  /// seem to be up to date.
  private static let longestPause: Duration = .milliseconds(200)
  /// After a change of size, the next one waits this many times as long as the first one took.
  private static let resizePauseFactor = 5
  private static let longestResizePause: Duration = .milliseconds(250)

  init(owner: any FramePacerOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  /// Draws at once, or a ``pause`` after the last picture.
  func schedule() {
    guard owner.isDrawing, !isDrawLate else { return }
    if drawTimer != nil {
      // A picture that waits for other changes comes earlier if something begins to move.
      guard isPausing, isUrgent else { return }
      drawTimer?.cancel()
      drawTimer = nil
    }
    let pause = pause
    let passed = lastDraw.map { $0.duration(to: clock.now) } ?? pause
    guard passed < pause else {
      draw()
      return
    }
    isPausing = pause > Self.frameTime
    drawTimer = clock.schedule(after: pause - passed) { [weak self] in
      self?.drawTimer = nil
      self?.draw()
    }
  }

  /// The shortest time from the last picture to the next one.
  private var pause: Duration {
    isUrgent ? Self.frameTime : max(Self.frameTime, min(cost * Self.pauseFactor, Self.longestPause))
  }

  /// Whether the next picture is a frame of an animation, or may show the effect of a key.
  private var isUrgent: Bool {
    owner.isAnimating || lastInputDraw.map { $0.duration(to: clock.now) < Self.attention } ?? false
  }

  /// Draws the effect of a key: at once, even if the last picture is recent, unless keys arrive
  /// faster than pictures are shown.
  func drawForInput(takesCards: Bool) {
    let now = clock.now
    if let lastInputDraw, lastInputDraw.duration(to: now) < Self.frameTime {
      schedule()
    } else {
      lastInputDraw = now
      draw(takesCards: takesCards)
    }
  }

  /// A key has changed nothing that is drawn, but what comes next may be its effect.
  func noteInput() {
    lastInputDraw = clock.now
  }

  /// Draws now, or when the terminal accepts output again.
  func draw(takesCards: Bool = true) {
    guard owner.isDrawing else { return }
    drawTimer?.cancel()
    drawTimer = nil
    guard owner.isScreenReady else {
      // A slow or blocked terminal gets the newest picture when it accepts output again.
      isDrawLate = true
      return
    }
    isDrawLate = false
    let (start, isResize) = (clock.now, isResizeDue)
    isResizeDue = false
    let next = owner.draw(followsSize: isResize, takesCards: takesCards)
    let end = clock.now
    lastDraw = end
    let passed = start.duration(to: end)
    cost = (cost * 3 + passed) / 4
    if isResize { nextResize = end + min(passed * Self.resizePauseFactor, Self.longestResizePause) }
    switch next {
    case .frame: schedule()
    case .after(let time): tick.set(after: time, on: clock) { [weak self] in self?.schedule() }
    case .never: tick.cancel()
    }
  }

  /// The terminal accepts output again.
  func screenIsReady() {
    guard isDrawLate else { return }
    isDrawLate = false
    schedule()
  }

  /// The size of the terminal may have changed; repeated changes take at most a fifth of the time.
  func resize() {
    guard owner.isDrawing, resizeTimer == nil, owner.hasAnotherSize else { return }
    if let nextResize, clock.now < nextResize {
      resizeTimer = clock.schedule(after: clock.now.duration(to: nextResize)) { [weak self] in
        self?.resizeTimer = nil
        self?.resize()
      }
    } else {
      isResizeDue = true
      schedule()
    }
  }

  /// The terminal has another size, or the same one and wants its picture again, as dtach does when it is
  /// attached: at most four times a second.
  func takeWindowSignal() {
    if owner.hasAnotherSize { return resize() }
    guard owner.isDrawing, repaintTimer == nil else { return }
    if let nextRepaint, clock.now < nextRepaint {
      repaintTimer = clock.schedule(after: clock.now.duration(to: nextRepaint)) { [weak self] in
        self?.repaintTimer = nil
        self?.takeWindowSignal()
      }
    } else {
      nextRepaint = clock.now + Self.longestResizePause
      owner.forgetPicture()
      schedule()
    }
  }

  /// Draws nothing any more.
  func stop() {
    for timer in [drawTimer, resizeTimer, repaintTimer] { timer?.cancel() }
    tick.cancel()
  }
}
