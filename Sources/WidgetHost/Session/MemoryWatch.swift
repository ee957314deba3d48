/// Measures what widgets hold of the machine's memory, and makes room where it is too much (I9).
///
/// There is no tick: after a message the next look comes in half a second, and then after twice the
/// pause each time, up to a minute. Where nothing was said for that long, nobody looks. All
/// widgets are measured in one wake-up, and while all of them stand still there is none.
///
/// A class because all sessions of a page share it.
final class MemoryWatch {
  /// The bytes that process groups hold; `threshold` is as for ``ProcessMemory``.
  typealias Measure = (_ groups: Set<Int32>, _ threshold: UInt64) -> [Int32: UInt64]

  private struct Member {
    weak var session: WidgetSession?
  }

  private let clock: any HostClock
  private let limits: MemoryLimits
  private let measure: Measure
  private var members: [Member] = []
  private var timer: (any HostTimer)?
  private var due: ContinuousClock.Instant?
  private var pause = shortestPause
  private var wasHeard = false

  private static let shortestPause: Duration = .milliseconds(500)
  private static let longestPause: Duration = .seconds(60)
  /// While widgets speak of their own accord.
  private static let pauseInTalk: Duration = .seconds(8)
  /// While a widget works on what it was asked.
  private static let pauseInWork: Duration = .seconds(1)

  init(clock: any HostClock, limits: MemoryLimits, measure: Measure?) {
    self.clock = clock
    self.limits = limits
    self.measure = measure ?? { ProcessMemory.bytes(of: $0, threshold: $1) }
  }

  /// Measures one more widget from now on.
  func add(_ session: WidgetSession) {
    members.append(Member(session: session))
  }

  /// A widget was asked for something.
  func noteSent() {
    pause = Self.shortestPause
    if let due, due <= clock.now + pause { return }
    look(after: pause)
  }

  /// A widget said something.
  func noteHeard() {
    wasHeard = true
    guard timer == nil else { return }
    pause = Self.shortestPause
    look(after: pause)
  }

  private func look(after pause: Duration) {
    timer?.cancel()
    due = clock.now + pause
    timer = clock.schedule(after: pause) { [weak self] in self?.look() }
  }

  private func look() {
    timer = nil
    due = nil
    members.removeAll { $0.session == nil }
    let sessions = members.compactMap(\.session).filter { $0.state.hasProcess }
    let groups = Set(sessions.compactMap(\.processGroup))
    let isAwake = sessions.contains { !$0.state.isAtRest }
    // What is done about it sends messages, which would seem to be new reasons.
    let before = (pause, wasHeard)
    // Suspended widgets are measured along: they count for the page, and it costs no wake-up.
    if !groups.isEmpty { takeNote(measure(groups, limits.softBytes / 2), sessions) }
    guard isAwake, timer == nil else { return }
    let isAtWork = sessions.contains { $0.state.isAtWork }
    if before.0 >= Self.longestPause, !before.1, !isAtWork { return }
    let longest = isAtWork ? Self.pauseInWork : before.1 ? Self.pauseInTalk : Self.longestPause
    wasHeard = false
    pause = min(before.0 * 2, longest)
    look(after: pause)
  }

  private func takeNote(_ bytes: [Int32: UInt64], _ sessions: [WidgetSession]) {
    var sizes: [(session: WidgetSession, bytes: UInt64)] = []
    for session in sessions {
      guard let group = session.processGroup, let bytes = bytes[group] else { continue }
      sizes.append((session, bytes))
    }
    for (session, bytes) in sizes where !session.state.isAtRest {
      session.handle(.memory(bytes))
    }
    makeRoom(sizes)
  }

  /// Ends suspended widgets, the least recently seen first, until the page has room.
  private func makeRoom(_ sizes: [(session: WidgetSession, bytes: UInt64)]) {
    var total = sizes.reduce(0) { $0 + $1.bytes }
    let suspended = sizes.filter { $0.session.state.rest == .suspended }
      .sorted { $0.session.lastSeen < $1.session.lastSeen }
    for (session, bytes) in suspended where total > limits.pageBytes {
      session.handle(
        .release("all widgets hold \(total >> 20) MiB, the limit is \(limits.pageBytes >> 20) MiB")
      )
      total -= bytes
    }
  }
}
