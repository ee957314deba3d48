import FoundationEssentials
import Glibc
import WidgetKitCore

/// The connection to another machine that all widgets of it share: a process of `ssh` that ends with the host.
///
/// A class because its process, its timer and the widgets call it.
final class RemoteHost {
  /// The machine.
  let destination: RemoteDestination
  private let clock: any HostClock
  private let environment: [String: String]
  private let socket: String
  private var state = State.idle
  private var waiting: [(Result<RemoteCommand, RemoteFailure>) -> Void] = []
  private var process: ChildProcess?
  private var output: PipeReader?
  private var errors: PipeReader?
  private var errorLog = ErrorLog()
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
  /// sun_path of unix(7), without the suffix under which ssh makes its socket first.
  private static let socketBytes = 108 - 18

  init(_ destination: RemoteDestination, environment: [String: String], clock: any HostClock) {
    self.destination = destination
    self.environment = environment
    self.clock = clock
    let folders = StateFolders(environment: environment)
    // Several pages have connections of their own, which end with them.
    let hash = StableHash.value(of: "\(destination) \(getpid())")
    socket = "\(folders.runtime)/ssh-\(String(hash, radix: 36))"
  }

  isolated deinit { process?.signal(SIGKILL) }

  /// Passes the way to run commands there, when there is a connection, or why there is none.
  func connect(_ completion: @escaping (Result<RemoteCommand, RemoteFailure>) -> Void) {
    switch state {
    case .connected(let command): return completion(.success(command))
    case .failed(let failure, let until) where clock.now < until:
      return completion(.failure(failure))
    case .connecting: waiting.append(completion)
    case .idle, .failed:
      waiting.append(completion)
      do throws(RemoteFailure) {
        try start()
      } catch {
        fail(error)
      }
    }
  }

  private func start() throws(RemoteFailure) {
    guard let program = ToolSearch.path(of: "ssh", in: environment) else {
      throw .missing
    }
    let folder = OwnPath.split(socket).folder
    guard socket.utf8.count <= Self.socketBytes, StateFolders.make(folder) else {
      throw .folder(folder)
    }
    _ = unsafe unlink(socket)
    state = .connecting
    said = []
    errorLog = ErrorLog()
    let options =
      RemoteCommand.options + [
        "ControlMaster=yes", "ControlPersist=no", "ConnectTimeout=10", "ServerAliveInterval=5",
        "ServerAliveCountMax=3", "PermitLocalCommand=yes", "LocalCommand=echo connected",
      ]
    do throws(HostError) {
      let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { if null >= 0 { close(null) } }
      let outputEnds = try PipeEnds(nonBlocking: .read)
      defer { close(outputEnds.write) }
      let output = PipeReader(descriptor: outputEnds.read)
      let errorEnds = try PipeEnds(nonBlocking: .read)
      defer { close(errorEnds.write) }
      let errors = PipeReader(descriptor: errorEnds.read)
      process = try ChildProcess(
        ChildProcess.Launch(
          executable: program,
          arguments: options.flatMap { ["-o", $0] } + [
            "-N", "-S", socket, "--", destination.description,
          ],
          environment: environment,
          directory: "/",
          streams: [null, outputEnds.write, errorEnds.write],
          isolation: .widget
        )
      ) { [weak self] _ in self?.didEnd() }
      self.output = output
      self.errors = errors
      let command = RemoteCommand(destination: destination, program: program, socket: socket)
      output.start { [weak self] in
        guard let bytes = self?.output?.read(atMost: 1_024), !bytes.isEmpty else { return }
        self?.didConnect(command)
      }
      errors.start { [weak self] in self?.readErrors() }
    } catch {
      throw .failed(error.description)
    }
    deadline = clock.schedule(after: Self.patience) { [weak self] in self?.process?.signal(SIGTERM)
    }
  }

  private func didConnect(_ command: RemoteCommand) {
    guard case .connecting = state else { return }
    deadline?.cancel()
    (failures, since) = (0, nil)
    state = .connected(command)
    answer(.success(command))
  }

  private func readErrors() {
    guard let bytes = errors?.read(atMost: 4_096) else { return }
    said = (said + errorLog.append(bytes)).suffix(20)
    if bytes.count == 4_096 { errors?.pause(for: .milliseconds(100)) }
  }

  private func didEnd() {
    readErrors()
    said += errorLog.finish()
    deadline?.cancel()
    output?.stop()
    errors?.stop()
    (process, output, errors) = (nil, nil, nil)
    if case .connected = state {
      // Whoever uses it notices by itself; the next use connects again.
      state = .idle
      return
    }
    fail(.failed(Self.reason(said)))
  }

  private func fail(_ failure: RemoteFailure) {
    failures += 1
    since = since ?? clock.date
    let pause = min(Self.longestPause, .seconds(1 << min(failures - 1, 6)))
    let failure = failure.described(destination, since: since ?? clock.date)
    state = .failed(failure, until: clock.now + pause)
    answer(.failure(failure))
  }

  private func answer(_ result: Result<RemoteCommand, RemoteFailure>) {
    let completions = waiting
    waiting = []
    for completion in completions { completion(result) }
  }

  /// What ssh has said about a failure, in one sentence.
  static func reason(_ lines: [SafeText]) -> String {
    let words = lines.map(\.string)
    if words.contains(where: { $0.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") }) {
      return "its host key has changed; if that is right, remove the old one with ssh-keygen -R"
    }
    let last =
      words.last { line in line.contains { !$0.isWhitespace } } ?? "it did not answer in time"
    for prefix in ["ssh: ", "kex_exchange_identification: "] where last.hasPrefix(prefix) {
      return String(last.dropFirst(prefix.count))
    }
    return last
  }
}

/// Why nothing can be run on another machine.
enum RemoteFailure: Error {
  /// ssh is not installed.
  case missing
  /// There is no folder for the socket of the connection, or its path is too long.
  case folder(String)
  /// What ssh has said.
  case failed(String)
  /// The words for the user.
  case words(String)

  /// The words for the user.
  var description: String {
    switch self {
    case .missing: "ssh is not installed; install it with: apt install openssh-client"
    case .folder(let path): "\(path): no place for the socket of a connection"
    case .failed(let words), .words(let words): words
    }
  }

  /// The same with the machine, and the time since when it cannot be reached.
  fileprivate func described(_ destination: RemoteDestination, since: Date) -> RemoteFailure {
    guard case .failed(let reason) = self else { return self }
    return .words("\(destination.machine) is unreachable since \(Self.time(since)): \(reason)")
  }

  private static func time(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "then" }
    let (hour, minute) = unsafe (parts.tm_hour, parts.tm_min)
    return "\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

/// The connections of this process to other machines.
///
/// A class because all widgets of a machine share one.
final class RemoteHosts {
  /// The connections of the program.
  static let shared = RemoteHosts()

  private var hosts: [RemoteDestination: RemoteHost] = [:]

  /// The connection to a machine, which is made when it is first used.
  func host(_ destination: RemoteDestination, environment: [String: String]) -> RemoteHost {
    if let host = hosts[destination] { return host }
    let host = RemoteHost(destination, environment: environment, clock: SystemClock())
    hosts[destination] = host
    return host
  }
}
