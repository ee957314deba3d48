import WidgetKitCore

/// Measures the resources that widgets use, and ends widgets if that is too much.
///
/// After a message the first measurement comes in half a second; each later pause is twice as long, up
/// to a minute. Usage that has grown since the last measurement is measured again in a second. A widget
/// that sends nothing can grow too, so measuring continues while any widget is not suspended. All
/// widgets are measured in one wake-up, but not before eight seconds those to which nothing was sent, so that one
/// that works all the time is not as expensive as all of them. While all are suspended there is no measurement.
///
/// This is a class because all widgets of a page share it.
@MainActor package final class ResourceWatch {
  /// Returns what runs use; `threshold` is as for ``ProcessGroups/use(of:threshold:)``.
  package typealias Measure = (
    _ runs: Set<ProcessRun>, _ threshold: UInt64
  ) -> [ProcessRun: ProcessGroups.Use]
  /// Measures the bytes on disk of the containers of widgets, of which each may have a run, and passes them
  /// to a function on the main thread.
  package typealias StorageMeasure = (
    _ widgets: [ExtensionIdentity: ProcessRun?],
    _ completion: @escaping @MainActor @Sendable ([ExtensionIdentity: UInt64]) -> Void
  ) -> Void

  private struct Member {
    weak var user: (any ResourceUser)?
  }

  private let clock: any HostClock
  private let limits: MemoryLimits
  private let measure: Measure
  private let measureStorage: StorageMeasure
  private var lastStorageLook: ContinuousClock.Instant?
  private var lastTrim: ContinuousClock.Instant?
  private let trim: () -> Void
  private var members: [Member] = []
  private var timer: (any HostTimer)?
  private var due: ContinuousClock.Instant?
  private var pause = shortestPause
  private var wasHeard = false
  /// The widgets with messages or growth since all were measured.
  private var active: Set<ExtensionIdentity> = []
  /// When all were measured.
  private var lastFullLook: ContinuousClock.Instant?
  /// The last result of each.
  private var lastUses: [ProcessRun: ProcessGroups.Use] = [:]

  private static let shortestPause: Duration = .milliseconds(500)
  private static let longestPause: Duration = .seconds(60)
  /// The pause while widgets send messages unprompted.
  private static let pauseInTalk: Duration = .seconds(8)
  /// The shortest pause between two measurements of containers, because that reads folders.
  private static let storagePause: Duration = .seconds(8)
  /// The same pause if no message was sent or received for a long time.
  private static let storagePauseAtRest: Duration = .seconds(300)
  /// The pause while a widget works on a request, or grows.
  private static let pauseInWork: Duration = .seconds(1)
  /// The smallest growth between two measurements that leads to an early next one.
  private static let growth = (bytes: UInt64(8 << 20), processes: 8)

  package init(
    clock: any HostClock,
    limits: MemoryLimits,
    measure: @escaping Measure,
    measureStorage: @escaping StorageMeasure,
    trim: @escaping () -> Void
  ) {
    self.clock = clock
    self.limits = limits
    self.measure = measure
    self.measureStorage = measureStorage
    self.trim = trim
  }

  /// Starts to measure a widget.
  package func add(_ user: any ResourceUser) {
    members.append(Member(user: user))
  }

  /// Called when a request was sent to a widget.
  package func noteSent(to id: ExtensionIdentity) {
    active.insert(id)
    pause = Self.shortestPause
    if let due, due <= clock.now + pause { return }
    look(after: pause)
  }

  /// Called when a widget has sent a message.
  package func noteHeard(from id: ExtensionIdentity) {
    active.insert(id)
    wasHeard = true
    if let due, due <= clock.now + Self.pauseInTalk { return }
    pause = timer == nil ? Self.shortestPause : Self.pauseInTalk
    look(after: Self.shortestPause)
  }

  private func look(after pause: Duration) {
    timer?.cancel()
    due = clock.now + pause
    timer = clock.schedule(after: pause) { [weak self] in self?.look() }
  }

  private func look() {
    timer = nil
    due = nil
    members.removeAll { $0.user == nil }
    let users = members.compactMap(\.user).filter(\.hasProcess)
    let runs = Set(users.compactMap(\.processRun))
    let awake = users.filter { !$0.isAtRest }
    // Reactions to a measurement send messages, which must not count as a reason for another one.
    let before = (pause, wasHeard)
    let measured = takeTurn(among: users)
    // Suspended widgets are included: they count for the page, and it costs no wake-up.
    let uses = measured.isEmpty ? [:] : measure(measured, limits.softBytes / 2)
    var isGrowing = false
    for user in users {
      guard let run = user.processRun, let use = uses[run] else { continue }
      let last = lastUses[run] ?? use
      guard
        use.bytes > last.bytes + Self.growth.bytes
          || use.processes > last.processes + Self.growth.processes
      else { continue }
      isGrowing = true
      active.insert(user.id)
    }
    lastUses = lastUses.filter { runs.contains($0.key) }.merging(uses) { $1 }
    takeNote(uses, users)
    if lastTrim.map({ $0.duration(to: clock.now) >= Self.longestPause }) ?? true {
      lastTrim = clock.now
      trim()
    }
    let isAtWork = isGrowing || users.contains(where: \.isAtWork)
    let isQuiet = before.0 >= Self.longestPause && !before.1 && !isAtWork
    lookAtStorage(
      of: awake,
      pause: isQuiet ? Self.storagePauseAtRest : Self.storagePause
    )
    guard !awake.isEmpty, timer == nil else { return }
    let longest = isAtWork ? Self.pauseInWork : before.1 ? Self.pauseInTalk : Self.longestPause
    wasHeard = false
    pause = min(before.0 * 2, longest)
    look(after: pause)
  }

  /// The runs that are measured now: those of active widgets, or all.
  private func takeTurn(among users: [any ResourceUser]) -> Set<ProcessRun> {
    let isEarly = lastFullLook.map { $0.duration(to: clock.now) < Self.pauseInTalk } ?? false
    let working = users.filter { isEarly && (active.contains($0.id) || $0.isAtWork) }
    let early = Set(working.compactMap(\.processRun))
    guard early.isEmpty else { return early }
    lastFullLook = clock.now
    active = []
    return Set(users.compactMap(\.processRun))
  }

  private func takeNote(_ uses: [ProcessRun: ProcessGroups.Use], _ users: [any ResourceUser]) {
    var sizes: [(user: any ResourceUser, bytes: UInt64)] = []
    for user in users {
      guard let run = user.processRun, let last = lastUses[run] else { continue }
      sizes.append((user, last.bytes))
      guard !user.isAtRest, let use = uses[run] else { continue }
      user.note(.memory(use.bytes))
      user.note(.processes(use.processes))
      user.note(.hidden(use.hidden))
    }
    makeRoom(sizes)
  }

  private func lookAtStorage(of users: [any ResourceUser], pause: Duration) {
    if let lastStorageLook, lastStorageLook.duration(to: clock.now) < pause { return }
    guard !users.isEmpty else { return }
    lastStorageLook = clock.now
    let widgets = Dictionary(users.map { ($0.id, $0.processRun) }) { $1 ?? $0 }
    measureStorage(widgets) { [weak self] bytes in
      for user in self?.members.compactMap(\.user) ?? [] where !user.isAtRest {
        if let bytes = bytes[user.id] { user.note(.storage(bytes)) }
      }
    }
  }

  /// Ends suspended widgets, least recently seen first, until the page is below its limit.
  private func makeRoom(_ sizes: [(user: any ResourceUser, bytes: UInt64)]) {
    var total = sizes.reduce(UInt64(0)) { $0.addingSaturated($1.bytes) }
    let suspended = sizes.filter(\.user.isSuspended)
      .sorted { $0.user.lastSeen < $1.user.lastSeen }
    for (user, bytes) in suspended where total > limits.pageBytes {
      user.note(
        .release("all widgets use \(total >> 20) MiB, the limit is \(limits.pageBytes >> 20) MiB")
      )
      total -= bytes
    }
  }
}
