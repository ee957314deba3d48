import Glibc
package import Notices
import WidgetKitCore
package import WidgetPlatform
import WidgetScripts

/// Stores the notices of the machines that a page has widgets or scripts of, over the connections that it has to them.
///
/// A class because it owns processes.
package final class HostNotices {
  private let store: NoticeStore
  private let environment: [String: String]
  private let clock: any HostClock
  private var machines: [String: MachineNotices] = [:]

  /// Creates it; nothing is started yet.
  ///
  /// - Parameters:
  ///   - store: Where the notices go.
  ///   - environment: The user's environment.
  ///   - clock: The clock for pauses.
  package init(
    _ store: NoticeStore,
    environment: [String: String],
    clock: any HostClock = SystemClock()
  ) {
    (self.store, self.environment, self.clock) = (store, environment, clock)
  }

  /// Follows the notices of each machine as soon as something else has connected to it.
  package func start() {
    RemoteHosts.shared.onConnect = { [weak self] in self?.follow($0, over: $1) }
  }

  private func follow(_ destination: RemoteDestination, over command: RemoteCommand) {
    let name = destination.machine
    let machine =
      machines[name] ?? MachineNotices(name, store, environment: environment, clock: clock)
    machines[name] = machine
    machine.follow(destination, over: command)
  }
}

/// The notices of one machine.
private final class MachineNotices {
  private let book: HostNoticeBook
  private let environment: [String: String]
  private let lockPath: String
  private let clock: any HostClock
  private var run: ChildRun?
  private var framer = LineFramer(byteLimit: lineLimit)
  private var lock: Descriptor?
  private var timer: (any HostTimer)?
  /// The machine to which another connection was made before the end of the last one was known.
  private var next: RemoteDestination?
  private var pause = shortestPause
  private var backlog = 0
  /// The timer for saying how many notices were left out.
  private var telling: (any HostTimer)?
  private var tellPause = firstTellPause
  /// Whether the machine has no `today` that can do this.
  private var cannot = false

  /// A text of 16 KiB in JSON, with everything else.
  private static let lineLimit = 256 * 1024
  private static let shortestPause: Duration = .seconds(2)
  private static let longestPause: Duration = .seconds(600)
  /// How long another page is left alone that follows the machine.
  private static let pauseOfOthers: Duration = .seconds(60)
  private static let firstTellPause: Duration = .seconds(10)
  private static let laterTellPause: Duration = .seconds(60)
  private static let backlogLimit = 64
  private static let backlogPause: Duration = .milliseconds(100)
  /// What the other side exits with if it has no such program, or one that does not know notices.
  private static let missing = [TerminationStatus.exited(127), .exited(126), .exited(64)]

  init(
    _ name: String,
    _ store: NoticeStore,
    environment: [String: String],
    clock: any HostClock
  ) {
    book = HostNoticeBook(store, host: name)
    self.environment = environment
    self.clock = clock
    let hash = String(StableHash.value(of: name), radix: 36)
    lockPath = "\(StateFolders(environment: environment).locks)/notices-of-\(hash)"
  }

  /// Follows them over a connection that has been made.
  func follow(_ destination: RemoteDestination, over command: RemoteCommand) {
    guard !cannot else { return }
    guard run == nil else {
      // The last connection has ended, which is not known here yet.
      next = destination
      return
    }
    timer?.cancel()
    // The store is shared: one page is enough.
    guard lock != nil || takeLock() else { return again(destination, after: Self.pauseOfOthers) }
    framer = LineFramer(byteLimit: Self.lineLimit)
    run = try? ChildRun(
      LaunchDescription(
        program: command.program,
        arguments: command.command(HostNoticeBook.command, in: nil, onTerminal: false),
        environment: environment
      ),
      ChildRun.Terms(
        // What it runs there ends with its input.
        input: .pipe(OutputQueue()),
        output: .passed { [weak self] in self?.take($0) }
      ),
      clock: clock
    ) { [weak self] in self?.didEnd($0.status, destination) }
  }

  private func takeLock() -> Bool {
    let place = OwnPath.split(lockPath)
    guard let folder = try? OwnFolder.open(place.folder, makes: true),
      let file = try? folder.file(place.name, O_RDWR | O_CREAT),
      flock(file.number, LOCK_EX | LOCK_NB) == 0
    else { return false }
    lock = consume file
    return true
  }

  private func again(_ destination: RemoteDestination, after pause: Duration) {
    timer = clock.schedule(after: pause) { [weak self] in
      // Nothing is connected for this; the next connection is told of.
      guard let command = RemoteHosts.shared.connection(to: destination) else { return }
      self?.follow(destination, over: command)
    }
  }

  private func didEnd(_ status: TerminationStatus, _ destination: RemoteDestination) {
    run = nil
    let next = next
    self.next = nil
    if Self.missing.contains(status) {
      cannot = true
      lock = nil
    } else if let next {
      again(next, after: .zero)
    } else if status != RemoteCommand.connectionFailure {
      again(destination, after: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func take(_ bytes: [UInt8]) -> Duration? {
    framer.append(bytes)
    do {
      while let line = try framer.next() { store(line) }
    } catch {
      run?.kill()
    }
    return backlog > Self.backlogLimit ? Self.backlogPause : nil
  }

  private func store(_ line: ArraySlice<UInt8>) {
    backlog += 1
    Worker.background.async { [book, weak self] in
      // Without space they are taken with the next connection.
      try? book.take(line)
      MainQueue.perform { self?.didTake() }
    }
  }

  private func didTake() {
    backlog -= 1
    guard telling == nil, book.hasOmitted else { return }
    telling = clock.schedule(after: tellPause) { [weak self] in
      guard let self else { return }
      (telling, tellPause) = (nil, Self.laterTellPause)
      Worker.background.async { [book] in try? book.tellOmitted() }
    }
  }
}
