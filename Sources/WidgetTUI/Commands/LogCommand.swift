import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today log ID`: the last runs of a widget and its log.
struct LogCommand: Command {
  var options: CommonOptions
  var identifier: String
  var isJSON = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var identifiers: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      if argument == "--json" {
        isJSON = true
        continue
      }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      identifiers.append(argument)
    }
    guard identifiers.count == 1, let identifier = identifiers.first else {
      throw .usage("expected one widget; see “today help log”")
    }
    self.identifier = identifier
  }

  private struct Log: Encodable {
    var runs: [RunRecord]
    var lines: [SafeText]
  }

  func run() async throws(CommandError) -> ExitCode {
    let folders = StateFolders(environment: options.environment)
    // What is not an identity can still be the name in a heading.
    var id = (try? ExtensionIdentity(parsing: identifier)) ?? ExtensionIdentity(identifier)
    if !hasLog(id, folders) {
      // The log of a removed widget can be printed: an identifier with a log needs no bundle.
      let named = try PageBook(options).catalog.match(identifier).identifiers(of: identifier)
      guard named.count < 2 else {
        let list = named.sorted().joined(separator: ", ")
        throw .usage("“\(identifier)” is ambiguous; use one of: \(list)")
      }
      if let name = named.first { id = ExtensionIdentity(name) }
    }
    let runs = folders.readRuns(of: id)
    let text = folders.readLog(of: id)
    guard text != nil || !runs.isEmpty else {
      throw .missing("no log for “\(identifier)”; “today list” lists the installed widgets")
    }
    let lines = (text ?? "").split(separator: "\n").map { SafeText(String($0)).onOneLine }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      if let bytes = try? encoder.encode(Log(runs: runs, lines: lines)) {
        StandardStreams.write(Array(bytes) + [0x0A])
      }
      return .success
    }
    for row in RunTable.rows(runs) { StandardStreams.writeLine(row) }
    if !runs.isEmpty, !lines.isEmpty { StandardStreams.writeLine("") }
    for line in lines { StandardStreams.writeLine(line) }
    return .success
  }

  private func hasLog(_ id: ExtensionIdentity, _ folders: StateFolders) -> Bool {
    folders.readLog(of: id) != nil || !folders.readRuns(of: id).isEmpty
  }
}
