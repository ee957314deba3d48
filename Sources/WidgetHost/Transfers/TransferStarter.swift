import Glibc

/// Starts the processes that keep transfers.
///
/// A class because it collects them.
public final class TransferStarter {
  /// The hidden command that keeps a transfer.
  public nonisolated static let command = "keep-transfer"

  private let executable: String
  private let environment: [String: String]
  private let book: TransferBook
  private var running: [ObjectIdentifier: ChildProcess] = [:]

  /// Creates a starter.
  ///
  /// - Parameters:
  ///   - executable: The path of the program `today`.
  ///   - environment: The user's environment.
  public init(executable: String, environment: [String: String]) {
    (self.executable, self.environment) = (executable, environment)
    book = TransferBook(environment: environment)
  }

  /// Starts a process that keeps a transfer and outlives this one.
  ///
  /// - Parameter task: The name of the transfer.
  /// - Throws: ``HostError`` if it cannot be started.
  public func start(_ task: String) throws(HostError) {
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { throw .system("open /dev/null", errno) }
    defer { close(nowhere) }
    let launch = ChildProcess.Launch(
      executable: executable,
      arguments: [Self.command, task],
      environment: environment,
      directory: book.folder,
      streams: [nowhere, nowhere, nowhere],
      isolation: .detached
    )
    var key: ObjectIdentifier?
    let child = try ChildProcess(launch) { [weak self] _ in
      if let key { self?.running[key] = nil }
    }
    key = ObjectIdentifier(child)
    running[ObjectIdentifier(child)] = child
  }

  /// Continues all transfers that no process keeps, and reports those that were not taken; `app` limits
  /// it to those of an app.
  ///
  /// - Parameter app: The identifier of the app, or nil for all.
  public func continueAll(of app: String? = nil) {
    for record in book.records() where app == nil || record.app == app {
      if !book.isKept(record.task) { try? start(record.task) }
    }
  }
}
