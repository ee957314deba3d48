import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today log ID`: the last runs of a widget and its log.
struct LogCommand: Command {
  static let name = "log"
  static let syntax = CommandSyntax<LogCommand>(
    name,
    "print the runs and the log of a widget",
    expected: "one widget",
    details: """
      Prints the last runs of a widget (start, reason, milliseconds, CPU time, bytes, faults,
      results of updates, end) and its log: what it wrote to standard error, and what the host
      recorded. ID means all its instances.
      """,
    operands: [.one("ID", .widget, \.identifier)],
    options: [
      .flag("--json", \.isJSON): "print JSON"
    ]
  )

  var options = CommonOptions()
  private var identifier = ""
  private var isJSON = false

  private struct Log: Encodable {
    var runs: [RunRecord]
    var lines: [SafeText]
    /// The logs of the instances by their names, if there are several logs.
    var instances: [String: Log]?
  }

  func run() async throws(CommandError) -> ExitCode {
    let folders = StateFolders(environment: options.environment)
    let logs = try logs(folders)
    guard let first = logs.first else {
      throw try missing()
    }
    if isJSON {
      write(logs)
      return .success
    }
    for (id, log) in logs {
      if logs.count > 1 {
        if id != first.id { StandardStreams.writeLine("") }
        StandardStreams.writeLine(SafeText("\(id):"))
      }
      for row in RunTable.rows(log.runs) { StandardStreams.writeLine(row) }
      if !log.runs.isEmpty, !log.lines.isEmpty { StandardStreams.writeLine("") }
      for line in log.lines { StandardStreams.writeLine(line) }
    }
    return .success
  }

  /// Why there is no log: the widget is not known, or has left nothing yet.
  private func missing() throws(CommandError) -> CommandError {
    let catalog = PageBook(options).catalog
    guard try !catalog.widgets(of: identifier).identifiers.isEmpty else {
      return catalog.missing(identifier)
    }
    return .missing(
      "“\(identifier)” has no log yet: no run of it has ended, and it has written nothing"
    )
  }

  /// Prints the log of a widget, with those of its instances as a member `instances`.
  private func write(_ logs: [(id: ExtensionIdentity, log: Log)]) {
    var output = logs.first { $0.id.instance == nil }?.log ?? logs.first?.log
    let others = logs.filter { $0.id.instance != nil }
    if logs.count > 1 {
      output?.instances = Dictionary(
        others.map { ($0.id.instance?.rawValue ?? "", $0.log) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    if let output { StandardStreams.writeJSON(output) }
  }

  /// The logs that the argument names: `ID` stands for every instance.
  private func logs(
    _ folders: StateFolders
  ) throws(CommandError) -> [(id: ExtensionIdentity, log: Log)] {
    // The log of a removed widget can be printed: an identifier with a log needs no bundle.
    let id = (try? ExtensionIdentity(parsing: identifier)) ?? ExtensionIdentity(identifier)
    let own = log(of: id, folders).map { [(id: id, log: $0)] } ?? []
    if id.instance != nil, !own.isEmpty { return own }
    let book = PageBook(options)
    guard try !book.catalog.widgets(of: identifier).identifiers.isEmpty else { return own }
    let named = try book.everyCard(identifier)
    guard Set(named.map(\.bundleIdentifier)).count < 2 else {
      let list = Set(named.map(\.bundleIdentifier)).sorted().joined(separator: ", ")
      throw .usage("“\(identifier)” is ambiguous; use one of: \(list)")
    }
    return named.compactMap { id in log(of: id, folders).map { (id: id, log: $0) } }
  }

  private func log(of id: ExtensionIdentity, _ folders: StateFolders) -> Log? {
    let runs = folders.readRuns(of: id)
    let text = folders.readLog(of: id)
    guard text != nil || !runs.isEmpty else { return nil }
    let lines = (text ?? "").split(separator: "\n").map { SafeText(String($0)).onOneLine }
    return Log(runs: runs, lines: lines)
  }
}
