import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today list`: the widgets that there are.
struct ListCommand: Command {
  var options: CommonOptions
  var isJSON = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard argument == "--json" else { throw reader.unknown(argument) }
      isJSON = true
    }
  }

  private struct Row: Encodable {
    var bundleIdentifier: String
    var name: SafeText
    var path: String
    var app: String?
  }

  func run() async throws(CommandError) -> ExitCode {
    let catalog = BundleCatalog.scan(
      SearchPaths(
        named: options.widgetFolders,
        environment: options.environment,
        executable: HostProcess.executablePath()
      )
    )
    let rows = catalog.widgets.map {
      Row(
        bundleIdentifier: $0.bundleIdentifier,
        name: $0.displayName,
        path: $0.path,
        app: $0.containingApp?.bundleIdentifier
      )
    }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      if let bytes = try? encoder.encode(rows) { StandardStreams.write(Array(bytes) + [0x0A]) }
    } else {
      let width = rows.map(\.bundleIdentifier.count).max() ?? 0
      for row in rows {
        let padding = String(repeating: " ", count: width - row.bundleIdentifier.count)
        StandardStreams.writeLine(
          SafeText("\(row.bundleIdentifier)\(padding)  \(row.name.onOneLine)")
        )
      }
    }
    for problem in catalog.problems { StandardStreams.complain(problem.description) }
    return .success
  }
}
