public import WidgetPlatform

/// Starts the processes that keep transfers.
@MainActor public struct TransferStarter {
  /// The hidden command that keeps a transfer.
  public nonisolated static let command = "keep-transfer"
  /// The option of that command where the user has pressed something that opened the app.
  public nonisolated static let pressOption = "--after-press"

  private let executable: String
  private let environment: [String: String]
  private let book: TransferBook

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
  /// - Parameters:
  ///   - task: The name of the transfer.
  ///   - afterPress: Whether its app may be started although the user does not trust it.
  /// - Throws: ``HostError`` if it cannot be started.
  public func start(_ task: String, afterPress: Bool = false) throws(HostError) {
    let launch = LaunchDescription(
      program: executable,
      arguments: [Self.command, task] + (afterPress ? [Self.pressOption] : []),
      environment: environment,
      folder: book.folder
    )
    try ChildRun(launch, ChildRun.Terms(isolation: .detached))
  }

  /// Continues all transfers that no process keeps, and reports those that were not taken; `app` limits
  /// it to those of an app.
  ///
  /// - Parameters:
  ///   - app: The identifier of the app, or nil for all.
  ///   - afterPress: Whether an app may be started although the user does not trust it.
  public func continueAll(of app: String? = nil, afterPress: Bool = false) {
    for record in book.records() where app == nil || record.app == app {
      if !book.isKept(record.task) { try? start(record.task, afterPress: afterPress) }
    }
  }
}
