import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The connection to another machine that all widgets of it share: a process of `ssh` that ends with the host.
@MainActor package final class RemoteHost {
  /// The machine.
  let destination: RemoteDestination
  private let clock: any HostClock
  private let environment: [String: String]
  private let socket: String
  private let onConnect: (RemoteCommand) -> Void
  private let gate: ConnectionGate
  /// The place in the queue before a connection is begun.
  private var ticket: Int?
  private var state = State.idle
  private var waiting: [(Result<RemoteCommand, RemoteFailure>) -> Void] = []
  private var run: ChildRun?
  private var said: [SafeText] = []
  private var deadline: (any HostTimer)?
  /// How often it has failed since it was last connected, and since when.
  private var failures = 0
  private var since: Date?

  private enum State {
    case idle
    case connecting
    case connected(RemoteCommand)
    /// It is tried again when something is wanted of it, but not before.
    case failed(RemoteFailure, until: ContinuousClock.Instant)
  }

  /// The time for a connection to be made, with a proxy before it.
  private static let patience = Duration.seconds(20)
  /// The longest pause after a failure.
  private static let longestPause = Duration.seconds(60)
  /// By how much a pause may be longer.
  private static let spread = 0.25
  /// sun_path of unix(7), without the suffix under which ssh makes its socket first.
  private static let socketBytes = 108 - 18

  /// Creates one without a connection; `onConnect` is called with each one that is made.
  init(
    _ destination: RemoteDestination,
    environment: [String: String],
    clock: any HostClock,
    gate: ConnectionGate? = nil,
    onConnect: @escaping (RemoteCommand) -> Void = { _ in }
  ) {
    self.onConnect = onConnect
    self.gate = gate ?? ConnectionGate(clock: clock)
    self.destination = destination
    self.environment = environment
    self.clock = clock
    let folders = StateFolders(environment: environment)
    socket = "\(folders.runtime)/\(ConnectionSocket.name(of: destination))"
  }

  isolated deinit { close() }

  /// Ends the connection, and leaves nothing of it.
  func close() {
    if let ticket { gate.withdraw(ticket) }
    guard let run else { return }
    run.kill()
    _ = unsafe unlink(socket)
  }

  /// The way to run commands there, if there is a connection.
  var connection: RemoteCommand? {
    if case .connected(let command) = state { command } else { nil }
  }

  /// Passes the way to run commands there, when there is a connection, or why there is none.
  package func connect(_ completion: @escaping (Result<RemoteCommand, RemoteFailure>) -> Void) {
    switch state {
    case .connected(let command): return completion(.success(command))
    case .failed(let failure, let until) where clock.now < until:
      return completion(.failure(failure))
    case .connecting: waiting.append(completion)
    case .idle, .failed:
      waiting.append(completion)
      state = .connecting
      ticket = gate.enter { [weak self, gate] in
        guard let self else { return gate.leave() }
        begin()
      }
    }
  }

  private func begin() {
    ticket = nil
    do throws(RemoteFailure) {
      try start()
    } catch {
      gate.leave()
      fail(error)
    }
  }

  /// The user wants it now: the next use does not wait for the end of the pause after a failure.
  func endPause() {
    guard case .failed = state else { return }
    state = .idle
  }

  private func start() throws(RemoteFailure) {
    guard let program = ToolSearch.path(of: "ssh", in: environment) else {
      throw .noProgram
    }
    let folder = OwnPath.split(socket).folder
    guard socket.utf8.count <= Self.socketBytes, StateFolders.make(folder) else {
      throw .noFolder(folder)
    }
    _ = unsafe unlink(socket)
    said = []
    let options =
      RemoteCommand.options + [
        "RequestTTY=no", "ControlMaster=yes", "ControlPersist=no", "ConnectTimeout=10",
        "ServerAliveInterval=5",
        "ServerAliveCountMax=3", "PermitLocalCommand=yes", "LocalCommand=echo connected",
      ]
    let command = RemoteCommand(destination: destination, program: program, socket: socket)
    do throws(HostError) {
      run = try ChildRun(
        LaunchDescription(
          program: program,
          arguments: options.flatMap { ["-o", $0] } + [
            "-N", "-S", socket, "--", destination.description,
          ],
          environment: environment,
          folder: "/"
        ),
        ChildRun.Terms(
          output: .passed { [weak self] _ in
            self?.didConnect(command)
            return nil
          },
          errors: .lines { [weak self] in self?.note($0) },
          teardown: [.terminate]
        )
      ) { [weak self] _ in self?.didEnd() }
    } catch {
      throw .unreachable(since: firstFailure(), reason: error.description)
    }
    deadline = clock.schedule(after: Self.patience) { [weak self] in self?.run?.endGently() }
  }

  private func didConnect(_ command: RemoteCommand) {
    guard case .connecting = state else { return }
    deadline?.cancel()
    gate.leave()
    (failures, since) = (0, nil)
    state = .connected(command)
    Worker.background.async { [destination, environment] in
      LastContacts.note(destination, in: StateFolders(environment: environment))
    }
    answer(.success(command))
    onConnect(command)
  }

  private func note(_ lines: [SafeText]) { said = (said + lines).suffix(20) }

  private func didEnd() {
    deadline?.cancel()
    run = nil
    if case .connected = state {
      // Whoever uses it notices by itself; the next use connects again.
      state = .idle
      return
    }
    gate.leave()
    fail(.unreachable(since: firstFailure(), reason: Self.reason(said)))
  }

  /// When it could first not be reached, since it was last connected.
  private func firstFailure() -> Date {
    let date = since ?? clock.date
    since = date
    return date
  }

  private func fail(_ failure: RemoteFailure) {
    failures += 1
    let pause = min(Self.longestPause, .seconds(1 << min(failures - 1, 6)))
    // Machines that went away together do not come back together.
    let spread = pause * Double.random(in: 0...Self.spread)
    state = .failed(failure, until: clock.now + pause + spread)
    answer(.failure(failure))
  }

  private func answer(_ result: Result<RemoteCommand, RemoteFailure>) {
    let completions = waiting
    waiting = []
    for completion in completions { completion(result) }
  }

  /// What ssh has said about a failure, in one sentence.
  static func reason(_ lines: [SafeText]) -> String {
    // ssh ends its lines for a terminal without line discipline.
    let words = lines.map { line in
      line.string.hasSuffix("␍") ? String(line.string.dropLast()) : line.string
    }
    if words.contains(where: { $0.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") }) {
      return "its host key has changed; if that is right, remove the old one with ssh-keygen -R"
    }
    if words.contains(where: { $0.hasPrefix("Host key verification failed") }) {
      return "its host key is not known yet; log in once with ssh, and confirm the key"
    }
    let last =
      words.last { line in line.contains { !$0.isWhitespace } } ?? "it did not answer in time"
    if last.contains("Permission denied (") {
      return "no login without a question, with a key or an agent: \(last)"
    }
    for prefix in ["ssh: ", "kex_exchange_identification: "] where last.hasPrefix(prefix) {
      return String(last.dropFirst(prefix.count))
    }
    return last
  }
}
