import FoundationEssentials
import WidgetKitCore
package import WidgetPlatform

/// Keeps a process of the program `notice-agent`, and stores what it reports.
///
/// The process ends with this one. If it ends earlier, as with the bus, another one is started after a pause. Several
/// for a user wait for each other.
///
/// A class because it owns the process.
@MainActor package final class DesktopNotices {
  /// Called with each new state of the agent, and words that explain it.
  package var onState: (DesktopState, String) -> Void = { _, _ in }
  /// Called with an error if notices could not be stored.
  package var onFault: (HostError) -> Void = { _ in }

  private let program: String?
  private let arguments: [String]
  private let environment: [String: String]
  private let folders: StateFolders
  private let book: DesktopNoticeBook
  private let clock: any HostClock
  private var run: ChildRun?
  private var reader = DesktopReportReader()
  private var startTime = ContinuousClock.now
  private var pause = shortestPause
  private var timer: (any HostTimer)?
  private var follower: FolderFollower?
  private var expiry: (any HostTimer)?
  private var settling: (any HostTimer)?
  private var settlePause = firstSettlePause
  private var ownsName = false
  private var isLooking = false
  private var looksAgain = false
  /// How many reports wait to be stored.
  private var backlog = 0
  /// Whether it is not started again.
  private var hasStopped = false

  private static let shortestPause: Duration = .milliseconds(250)
  private static let longestPause: Duration = .seconds(60)
  /// One that has run for so long has not failed at its start.
  private static let usualTime: Duration = .seconds(10)
  /// How many reports may wait; the agent waits with further ones.
  private static let backlogLimit = 64
  private static let backlogPause: Duration = .milliseconds(50)
  /// After what time it is said that notices were left out: at first, and again.
  private static let firstSettlePause: Duration = .seconds(10)
  private static let laterSettlePause: Duration = .seconds(60)
  /// What a connection to the session needs, and how it is known whether there is a screen.
  private static let names = ["DISPLAY", "HOME", "LC_ALL", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"]

  /// Creates it; nothing is started yet.
  ///
  /// - Parameters:
  ///   - store: Where the notices go.
  ///   - environment: The user's environment.
  ///   - executable: The path of the program `today`.
  ///   - version: The version of it.
  ///   - mayOwn: Whether the agent takes the notifications itself where nobody else does.
  ///   - clock: The clock for its timers.
  package init(
    _ store: NoticeStore,
    environment: [String: String],
    executable: String,
    version: String,
    mayOwn: Bool,
    clock: any HostClock = SystemClock()
  ) {
    folders = StateFolders(environment: environment)
    book = DesktopNoticeBook(store)
    self.clock = clock
    let address = SessionBus.address(environment)
    program = address == nil ? nil : HelperProgram.noticeAgent.path(beside: executable)
    var environment = environment.filter { Self.names.contains($0.key) }
    environment[SessionBus.variable] = address
    self.environment = environment
    arguments = ["\(folders.locks)/\(Self.lockName)", version] + (mayOwn ? ["own"] : [])
    follower = FolderFollower(
      [store.folder],
      clock: clock,
      onChange: { [weak self] _ in self?.storeDidChange() },
      onTrouble: { _ in }
    )
  }

  /// The file in the folder of locks that the agent of the user has locked.
  package static let lockName = "desktop-notices"

  /// Whether there is a bus, and the program for it.
  package var canStart: Bool { program != nil }

  /// Starts the agent; nothing happens without a bus.
  package func start() {
    guard let program, run == nil, StateFolders.make(folders.locks) else { return }
    reader = DesktopReportReader()
    startTime = .now
    do throws(HostError) {
      run = try ChildRun(
        LaunchDescription(program: program, arguments: arguments, environment: environment),
        ChildRun.Terms(
          isolation: .command,
          input: .pipe(OutputQueue()),
          output: .passed { [weak self] in self?.take($0) }
        ),
        clock: clock
      ) { [weak self] in self?.didEnd($0.status) }
    } catch {
      didEnd(.unknown)
    }
  }

  /// Ends the agent.
  package func stop() {
    timer?.cancel()
    expiry?.cancel()
    settling?.cancel()
    hasStopped = true
    run?.closeStreams()
    run?.kill()
  }

  private func didEnd(_ status: TerminationStatus) {
    run = nil
    ownsName = false
    // It ends with 0 if there is nothing that it could use, now and later.
    guard !hasStopped, status != .exited(0) else { return }
    if .now - startTime >= Self.usualTime { pause = Self.shortestPause }
    timer = clock.schedule(after: pause) { [weak self] in self?.start() }
    pause = min(pause * 2, Self.longestPause)
  }

  // MARK: - From the desktop

  private func take(_ bytes: [UInt8]) -> Duration? {
    for report in reader.take(bytes) {
      guard case .state(let state, let words) = report else {
        store(report)
        continue
      }
      take(state, words)
    }
    return backlog > Self.backlogLimit ? Self.backlogPause : nil
  }

  private func take(_ state: DesktopState, _ words: String) {
    ownsName = state == .own
    if state != .absent, state != .waiting {
      work { book throws(HostError) in try book.begin() }
    }
    if ownsName { follower?.start() }
    onState(state, words)
  }

  private func store(_ report: DesktopReport) {
    backlog += 1
    work { book throws(HostError) in
      try book.take(report)
    } completion: { [weak self] answer in
      guard let self else { return }
      backlog -= 1
      if ownsName, case .some(.some(let answer)) = answer { _ = run?.input?.send(answer.bytes) }
      if book.isUnsettled { settleLater() }
      storeDidChange()
    }
  }

  /// Says after a while how many were left out, and rarely again.
  private func settleLater() {
    guard settling == nil, !hasStopped else { return }
    settling = clock.schedule(after: settlePause) { [weak self] in
      guard let self else { return }
      settlePause = Self.laterSettlePause
      settling = nil
      work { book throws(HostError) in try book.settle() }
    }
  }

  /// Does something that waits for the disk, one after another.
  private func work<Value: Sendable>(
    _ work: @escaping @Sendable (DesktopNoticeBook) throws(HostError) -> Value,
    completion: @escaping @MainActor (Value?) -> Void = { _ in }
  ) {
    Worker.background.async { [book, weak self] in
      let result = Result { () throws(HostError) in try work(book) }
      MainQueue.perform {
        if case .failure(let fault) = result { self?.onFault(fault) }
        completion(try? result.get())
      }
    }
  }

  // MARK: - To the desktop

  /// Looks what became of notices, to tell their applications.
  private func storeDidChange() {
    guard ownsName else { return }
    guard !isLooking else {
      looksAgain = true
      return
    }
    isLooking = true
    Worker.background.async { [book, weak self] in
      let found = try? book.answers()
      MainQueue.perform { self?.tell(found?.answers ?? [], next: found?.next) }
    }
  }

  private func tell(_ answers: [DesktopNoticeBook.Answer], next: Date?) {
    isLooking = false
    for answer in answers { _ = run?.input?.send(answer.bytes) }
    expiry?.cancel()
    expiry = next.map { date in
      clock.schedule(after: .seconds(max(0.01, date.timeIntervalSinceNow))) { [weak self] in
        self?.storeDidChange()
      }
    }
    guard looksAgain else { return }
    looksAgain = false
    storeDidChange()
  }
}

extension DesktopNoticeBook.Answer {
  /// The bytes in which the agent gets it: three texts.
  var bytes: [UInt8] {
    let fields =
      switch self {
      case .closed(let id, let reason): ["3", "closed", "\(id)", "\(reason.rawValue)"]
      case .acted(let id, let key): ["3", "acted", "\(id)", key]
      }
    return fields.flatMap { Array($0.utf8) + [0] }
  }
}
