import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today transfers`: the background transfers of widgets, and ending one.
struct TransfersCommand: Command {
  var options: CommonOptions
  /// The transfer that is to end.
  var cancelled: String?
  var isJSON = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--json": isJSON = true
      case "cancel" where cancelled == nil: cancelled = try reader.value(of: argument)
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: throw .usage("expected “cancel TASK”; see “today help transfers”")
      }
    }
  }

  private struct Row: Encodable {
    var task: String
    var kind: TransferRecord.Kind
    var url: SafeText
    var widget: String
    var app: String
    var identifier: SafeText
    /// `transferring`, `waiting` for its process, `complete` or `failed`; the last two are not reported.
    var state: String
    var bytes: Int?
    var total: Int?
    var path: String?
    var error: SafeText?
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = TransferBook(environment: options.environment)
    if let cancelled {
      try cancel(cancelled, book)
      return .success
    }
    let rows = book.records().map { row($0, book) }
    if isJSON {
      StandardStreams.writeJSON(rows)
      return .success
    }
    for row in rows {
      let bytes = row.bytes.map { "  \($0)\(row.total.map { " of \($0)" } ?? "") bytes" } ?? ""
      let error = row.error.map { "  \($0)" } ?? ""
      StandardStreams.writeLine(
        SafeText("\(row.task)  \(row.widget)  \(row.state)\(bytes)  \(row.url)\(error)")
      )
    }
    if rows.isEmpty { StandardStreams.writeLine("no transfers") }
    return .success
  }

  private func row(_ record: TransferRecord, _ book: TransferBook) -> Row {
    let state =
      switch record.result {
      case nil: book.isKept(record.task) ? "transferring" : "waiting"
      case let result?: result.path == nil ? "failed" : "complete"
      }
    let progress = record.result == nil ? book.progress(of: record.task) : nil
    return Row(
      task: record.task,
      kind: record.kind,
      url: SafeText(record.url),
      widget: record.widget,
      app: record.app,
      identifier: SafeText(record.identifier),
      state: state,
      bytes: progress?.bytes,
      total: progress?.total,
      path: record.result?.path,
      error: record.result?.error.map { SafeText($0) }
    )
  }

  private func cancel(_ task: String, _ book: TransferBook) throws(CommandError) {
    guard let record = book.read(task), record.result == nil else {
      throw .missing("no transfer “\(SafeText(task))” is open; “today transfers” lists them")
    }
    try CommandError.from { () throws(HostError) in
      try book.cancel(task)
      // Its end is reported by a process of its own, also if that of the transfer is gone.
      guard !book.isKept(task) else { return }
      let starter = TransferStarter(
        executable: HostProcess.executablePath(),
        environment: options.environment
      )
      try starter.start(task)
    }
  }
}

/// The process that keeps a transfer, which the program starts itself.
struct KeepTransferCommand: Command {
  private let task: String
  private let afterPress: Bool
  private let options: CommonOptions

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    let (task, option) = (reader.next(), reader.next())
    guard let task, option == nil || option == TransferStarter.pressOption, reader.next() == nil
    else {
      throw .usage("expected one transfer; the program starts this command itself")
    }
    self.task = task
    afterPress = option != nil
  }

  func run() async throws(CommandError) -> ExitCode {
    let keeper = TransferKeeper(
      task: task,
      environment: options.environment,
      executable: HostProcess.executablePath(),
      secrets: SecretStorage(options),
      sandbox: UserConfiguration(environment: options.environment).settings.sandbox,
      afterPress: afterPress
    )
    // The transfer is gone, or kept by another process.
    guard let keeper else { return .success }
    await withCheckedContinuation { continuation in keeper.run { continuation.resume() } }
    withExtendedLifetime(keeper) {}
    return .success
  }
}
