import WidgetKitCore

/// Measures what widgets use of the machine, and makes room where it is too much.
///
/// After a message the next look comes in half a second, and then after twice the pause each time,
/// up to a minute; what has grown since the look before is looked at again in a second. A widget that
/// says nothing can grow too, so this goes on while one is awake. All widgets are measured in one
/// wake-up, and while all of them stand still there is none.
///
/// A class because all widgets of a page share it.
final class ResourceWatch {
  /// What runs hold; `threshold` is as for ``ProcessGroups/use(of:threshold:)``.
  typealias Measure = (
    _ runs: Set<ProcessRun>, _ threshold: UInt64
  ) -> [ProcessRun: ProcessGroups.Use]
  /// The bytes on disk of widgets' containers, told on the main thread when they were counted.
  typealias StorageMeasure = (
    _ ids: [CardID], _ completion: @escaping @MainActor @Sendable ([CardID: UInt64]) -> Void
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
  /// What the last look has found.
  private var lastUses: [ProcessRun: ProcessGroups.Use] = [:]

  private static let shortestPause: Duration = .milliseconds(500)
  private static let longestPause: Duration = .seconds(60)
  /// While widgets speak of their own accord.
  private static let pauseInTalk: Duration = .seconds(8)
  /// The least time from one look at containers to the next, since it reads folders.
  private static let storagePause: Duration = .seconds(8)
  /// The same where nothing was said for long.
  private static let storagePauseAtRest: Duration = .seconds(300)
  /// While a widget works on what it was asked, or grows.
  private static let pauseInWork: Duration = .seconds(1)
  /// The least growth from one look to the next that is followed.
  private static let growth = (bytes: UInt64(8 << 20), processes: 8)

  init(
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

  /// Measures one more widget from now on.
  func add(_ user: any ResourceUser) {
    members.append(Member(user: user))
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
    let isAwake = users.contains { !$0.isAtRest }
    // What is done about it sends messages, which would seem to be new reasons.
    let before = (pause, wasHeard)
    // Suspended widgets are measured along: they count for the page, and it costs no wake-up.
    let uses = runs.isEmpty ? [:] : measure(runs, limits.softBytes / 2)
    let isGrowing = uses.contains { run, use in
      let last = lastUses[run] ?? use
      return use.bytes > last.bytes + Self.growth.bytes
        || use.processes > last.processes + Self.growth.processes
    }
    lastUses = uses
    takeNote(uses, users)
    if lastTrim.map({ $0.duration(to: clock.now) >= Self.longestPause }) ?? true {
      lastTrim = clock.now
      trim()
    }
    let isAtWork = isGrowing || users.contains(where: \.isAtWork)
    let isQuiet = before.0 >= Self.longestPause && !before.1 && !isAtWork
    lookAtStorage(
      of: users.filter { !$0.isAtRest },
      pause: isQuiet ? Self.storagePauseAtRest : Self.storagePause
    )
    guard isAwake, timer == nil else { return }
    let longest = isAtWork ? Self.pauseInWork : before.1 ? Self.pauseInTalk : Self.longestPause
    wasHeard = false
    pause = min(before.0 * 2, longest)
    look(after: pause)
  }

  private func takeNote(_ uses: [ProcessRun: ProcessGroups.Use], _ users: [any ResourceUser]) {
    var sizes: [(user: any ResourceUser, bytes: UInt64)] = []
    for user in users {
      guard let run = user.processRun, let use = uses[run] else { continue }
      sizes.append((user, use.bytes))
      guard !user.isAtRest else { continue }
      user.note(.memory(use.bytes))
      user.note(.processes(use.processes))
    }
    makeRoom(sizes)
  }

  private func lookAtStorage(of users: [any ResourceUser], pause: Duration) {
    if let lastStorageLook, lastStorageLook.duration(to: clock.now) < pause { return }
    guard !users.isEmpty else { return }
    lastStorageLook = clock.now
    measureStorage(users.map(\.id)) { [weak self] bytes in
      for user in self?.members.compactMap(\.user) ?? [] where !user.isAtRest {
        if let bytes = bytes[user.id] { user.note(.storage(bytes)) }
      }
    }
  }

  /// Ends suspended widgets, the least recently seen first, until the page has room.
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
