import CPlatform
import Dispatch
import Glibc
import WidgetKitCore

/// The event loop of the main thread: descriptors, timers, and the main queue.
///
/// It uses one `epoll_wait` instead of Dispatch sources, because those wake a thread of Dispatch for
/// each event before they wake the main thread. Blocks on the main queue and tasks on the main actor
/// also run here. A program that owns its main thread calls ``run()``. If something else owns it, such
/// as a test runner, one Dispatch source on the epoll descriptor drives the same loop.
///
/// This is a class because it owns descriptors.
@MainActor public final class EventLoop {
  /// The loop of the main thread.
  public static let main = EventLoop()

  private let descriptor: Int32
  private let timerDescriptor: Int32
  /// Wakes the loop for work of the main queue; −1 if it does not.
  private var bell: Int32 = -1
  private var watches: [UInt64: DescriptorWatch] = [:]
  private var lastToken = Token.first
  private var timers = TimerQueue()
  /// The moment that the timer is set to, or nil if it is not set.
  private var armedWake: ContinuousClock.Instant?
  private var nextTurn: [WeakAction] = []
  private var ready = [platform_readiness](repeating: platform_readiness(), count: 64)
  /// The source that drives the loop if ``run()`` was not called.
  private var driver: (any DispatchSourceRead)?
  private var isRunning = false
  private var isInTurn = false

  /// The tokens that identify ready descriptors.
  private enum Token {
    static let timer: UInt64 = 1
    static let mainQueue: UInt64 = 2
    static let bell: UInt64 = 3
    static let first: UInt64 = 4
  }

  private init() {
    descriptor = platform_loop_create()
    timerDescriptor = platform_timer_create()
    guard descriptor >= 0, timerDescriptor >= 0,
      platform_loop_add(descriptor, timerDescriptor, Token.timer, 1, 0) == 0
    else {
      Self.exit(because: "the event loop cannot be started: \(HostError.text(of: errno))")
    }
  }

  /// Ends a program whose event loop cannot work.
  private static func exit(because reason: String) -> Never {
    let message = Array("today: \(reason)\n".utf8)
    _ = unsafe write(STDERR_FILENO, message, message.count)
    Glibc.exit(EXIT_FAILURE)
  }

  // MARK: - Running

  /// Runs the loop until the program exits; only on the main thread.
  public func run() -> Never {
    isRunning = true
    driver?.cancel()
    driver = nil
    let mainQueue = platform_main_queue_descriptor()
    let error = platform_loop_add(descriptor, mainQueue, Token.mainQueue, 1, 0)
    guard error == 0 else {
      Self.exit(because: "the main queue cannot be watched: \(HostError.text(of: error))")
    }
    bell = platform_counter_create()
    if bell >= 0, platform_loop_add(descriptor, bell, Token.bell, 1, 0) == 0 {
      platform_set_bell(bell)
    }
    // Blocks that were added before the descriptor was created have not made it readable.
    platform_main_queue_drain()
    while true { turn(waits: true, mainQueue: mainQueue) }
  }

  /// Handles all ready events; `waits` says whether to wait until there is one.
  private func turn(waits: Bool, mainQueue: Int32) {
    isInTurn = true
    defer { isInTurn = false }
    let actions = nextTurn
    nextTurn = []
    armTimer()
    let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return Int32(0) }
      let waits = waits && actions.isEmpty ? Int32(1) : 0
      return unsafe platform_loop_wait(descriptor, base, Int32(buffer.count), waits)
    }
    for action in actions { action.action?.perform() }
    for index in 0..<Int(count) {
      let event = ready[index]
      switch event.token {
      case Token.timer:
        platform_counter_clear(timerDescriptor)
        armedWake = nil
      case Token.mainQueue:
        // The counter is read before the queue is drained; otherwise it stays readable and the loop
        // would not sleep.
        platform_counter_clear(mainQueue)
      case Token.bell: platform_counter_clear(bell)
      default:
        watches[event.token]?.handle(canRead: event.can_read != 0, canWrite: event.can_write != 0)
      }
    }
    for id in timers.takeDue(at: .now) { timers.takeAction(of: id)?() }
    // Also if its descriptor says nothing, which can fail.
    if mainQueue >= 0 { platform_main_queue_drain() }
  }

  /// Lets the main queue drive the loop if the program does not run it.
  private func drive() {
    guard !isRunning, !isInTurn else { return }
    if driver == nil {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated {
          guard let self, !self.isRunning else { return }
          self.turn(waits: false, mainQueue: -1)
          self.armTimer()
        }
      }
      source.resume()
      driver = source
    }
    armTimer()
  }

  /// Sets the kernel's timer to the next moment at which the loop must wake up.
  private func armTimer() {
    // If the main queue drives the loop, only a readable descriptor wakes it.
    let isUrgent = !isRunning && !nextTurn.isEmpty
    let wake = isUrgent ? .now : timers.nextWake()
    guard wake != armedWake else { return }
    armedWake = wake
    guard let wake else {
      platform_timer_set(timerDescriptor, 0)
      return
    }
    let seconds = max(0, ContinuousClock.now.duration(to: wake).seconds)
    platform_timer_set(timerDescriptor, max(1, Int64(saturated: seconds * 1e9)))
  }

  // MARK: - Descriptors and timers

  /// Starts to watch a descriptor; returns nil if the kernel refuses.
  func add(_ watch: DescriptorWatch, reads: Bool) -> UInt64? {
    lastToken += 1
    let error = platform_loop_add(
      descriptor,
      watch.descriptor,
      lastToken,
      reads ? 1 : 0,
      reads ? 0 : 1
    )
    guard error == 0 else { return nil }
    watches[lastToken] = watch
    drive()
    return lastToken
  }

  /// Stops watching a descriptor, which must still be open.
  func remove(_ watch: DescriptorWatch, _ token: UInt64) {
    watches[token] = nil
    platform_loop_remove(descriptor, watch.descriptor)
  }

  /// Calls `action` once after `delay`.
  ///
  /// - Parameters:
  ///   - delay: The shortest time until then.
  ///   - leeway: How much later the call may be if that saves a wake-up.
  ///   - action: The function, which is not called if the timer was cancelled or released.
  /// - Returns: The timer; releasing it cancels it.
  public func schedule(
    after delay: Duration,
    leeway: Duration = .zero,
    _ action: @escaping () -> Void
  ) -> any HostTimer {
    guard delay > .zero else {
      let next = NextTurn(action)
      nextTurn.append(WeakAction(action: next))
      drive()
      return next
    }
    let moment = ContinuousClock.now + min(delay, Self.longestDelay)
    defer { drive() }
    return LoopTimer(self, timers.add(earliest: moment, latest: moment + leeway, action))
  }

  /// A hundred years; a longer delay would not fit into the kernel's timer.
  private static let longestDelay: Duration = .seconds(100 * 366 * 86_400)

  fileprivate func cancelTimer(_ id: TimerQueue.ID) { timers.cancel(id) }
}

/// A timer of the loop; releasing it cancels it.
@MainActor private final class LoopTimer: HostTimer {
  private let loop: EventLoop
  private let id: TimerQueue.ID

  init(_ loop: EventLoop, _ id: TimerQueue.ID) {
    self.loop = loop
    self.id = id
  }

  isolated deinit { loop.cancelTimer(id) }

  func cancel() { loop.cancelTimer(id) }
}

/// An action that its owner has not released.
private struct WeakAction {
  weak var action: NextTurn?
}

/// An action for the next turn of the loop; releasing it cancels it.
@MainActor private final class NextTurn: HostTimer {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  func perform() {
    let action = action
    self.action = nil
    action?()
  }

  func cancel() { action = nil }
}
