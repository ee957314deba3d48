import WidgetHost

/// What a ``FramePacer`` decides for.
protocol FramePacerOwner: AnyObject {
  /// Whether pictures are drawn at all.
  var isDrawing: Bool { get }
  /// Whether the terminal has accepted the last picture.
  var isScreenReady: Bool { get }
  /// Whether the terminal has another size than the last picture.
  var hasAnotherSize: Bool { get }
  /// Draws a picture, of another size if `followsSize`; with `takesCards` the engine may have changed.
  ///
  /// - Returns: When the next picture is due.
  func draw(followsSize: Bool, takesCards: Bool) -> FramePacer.Next
}

/// Decides when pictures are drawn: soon after a change, at once after a key, not while the terminal
/// is busy, and then when a text on the screen changes.
///
/// A class because its timers call it.
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
  private var tick = Alarm()
  private var lastDraw: ContinuousClock.Instant?
  private var lastInputDraw: ContinuousClock.Instant?
  /// A picture was due before the terminal had accepted the previous one.
  private var isDrawLate = false
  /// The size of the terminal may have changed; it is read with the next picture.
  private var isResizeDue = false
  /// The earliest time for the next change of size, since each lays out the whole page.
  private var nextResize: ContinuousClock.Instant?
  private var resizeTimer: (any HostTimer)?

  /// The shortest time between two pictures: about 60 per second.
  private static let frameTime: Duration = .milliseconds(15)
  /// After a change of size, the next one waits this many times as long as the first one took.
  private static let resizePauseFactor = 5
  private static let longestResizePause: Duration = .milliseconds(250)

  init(owner: any FramePacerOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  /// Draws at once, or ``frameTime`` after the last picture.
  func schedule() {
    guard drawTimer == nil, owner.isDrawing, !isDrawLate else { return }
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
  func drawForInput(takesCards: Bool) {
    let now = clock.now
    if let lastInputDraw, lastInputDraw.duration(to: now) < Self.frameTime {
      schedule()
    } else {
      lastInputDraw = now
      draw(takesCards: takesCards)
    }
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
    let resizeStart = isResizeDue ? clock.now : nil
    isResizeDue = false
    let next = owner.draw(followsSize: resizeStart != nil, takesCards: takesCards)
    lastDraw = clock.now
    if let resizeStart {
      let pause = resizeStart.duration(to: clock.now) * Self.resizePauseFactor
      nextResize = clock.now + min(pause, Self.longestResizePause)
    }
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

  /// Draws nothing any more.
  func stop() {
    for timer in [drawTimer, resizeTimer] { timer?.cancel() }
    tick.cancel()
  }
}
