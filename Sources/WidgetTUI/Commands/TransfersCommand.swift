import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today transfers`: the background transfers of widgets, and ending one.
struct TransfersCommand: Command {
  static let name = "transfers"
  static let syntax = CommandSyntax<TransfersCommand>(
    name,
    "list background transfers, or end one",
    expected: "“cancel TASK”",
    forms: ["[--json]", "cancel TASK"],
    details: """
      Lists the files that widgets download and upload in the background, with the widget and how far
      each is: transferring, waiting (no process takes care of it: the next dashboard continues it),
      complete or failed (its widget or app has not taken the report yet). A transfer goes on without
      a dashboard. The transfers that were reported are not listed any more.
      """,
    operands: [.rest("[cancel TASK]", .text(.words(["cancel"])), \.words)],
    options: [
      .flag("--json", \.isJSON): "print JSON",
      .custom("cancel"): "end a transfer; its widget or app is notified",
    ]
  )

  var options = CommonOptions()
  private var words: [String] = []
  /// The transfer that is to end.
  private var cancelled: String?
  private var isJSON = false

  mutating func validate() throws(CommandError) {
    guard !words.isEmpty else { return }
    guard words.first == "cancel", words.count < 3 else { throw Self.misused }
    guard words.count == 2 else { throw Self.misused("cancel needs a value") }
    cancelled = words[1]
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
