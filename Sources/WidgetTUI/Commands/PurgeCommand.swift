import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today purge`: empties the caches of widgets and apps.
struct PurgeCommand: Command {
  private let options: CommonOptions
  private let names: [String]
  private let isJSON: Bool

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    var names: [String] = []
    var isJSON = false
    while let argument = reader.next() {
      if try options.take(argument, from: &reader) { continue }
      switch argument {
      case "--json": isJSON = true
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: names.append(argument)
      }
    }
    self.options = options
    self.names = names
    self.isJSON = isJSON
  }

  private struct Row: Encodable {
    /// `ID`, or `ID:NAME` for an instance.
    var bundleIdentifier: String
    var path: String
    /// The bytes that it had, which are free now; nil if it was not emptied.
    var bytes: Int?
    var inUse: Bool
  }

  func run() async throws(CommandError) -> ExitCode {
    let folders = StateFolders(environment: options.environment)
    var chosen: [ExtensionIdentity] = []
    for name in names { chosen += try owners(name) }
    let caches = CacheFolder.all(folders).filter { cache in
      names.isEmpty || chosen.contains { cache.belongs(to: $0) }
    }
    let pathsInUse = CacheFolder.pathsInUse()
    var rows: [Row] = []
    var code = ExitCode.success
    for cache in caches {
      var row = Row(
        bundleIdentifier: cache.name,
        path: cache.path,
        inUse: pathsInUse.contains(cache.path)
      )
      if row.inUse {
        if !names.isEmpty {
          StandardStreams.writeError("\(cache.name) is running; its cache was not emptied")
          code = .tryAgain
        }
      } else {
        do throws(HostError) {
          row.bytes = try cache.purge()
        } catch {
          StandardStreams.writeError(error.description)
          code = .failure
        }
      }
      rows.append(row)
    }
    show(rows)
    return code
  }

  /// Whose caches an argument names: widgets, and the app if it is one.
  private func owners(_ name: String) throws(CommandError) -> [ExtensionIdentity] {
    let catalog = PageBook(options).catalog
    let apps = catalog.apps.map(\.bundleIdentifier).filter { $0 == name }
    guard let app = apps.first else { return try catalog.required(name) }
    return [ExtensionIdentity(app)]
      + (try catalog.widgets(of: name)).identifiers.map {
        ExtensionIdentity($0)
      }
  }

  private func show(_ rows: [Row]) {
    if isJSON {
      StandardStreams.writeJSON(rows)
      return
    }
    for row in rows where row.inUse || row.bytes ?? 0 > 0 {
      let words = row.inUse ? "in use" : "\(row.bytes ?? 0) bytes"
      StandardStreams.writeLine(SafeText("\(row.bundleIdentifier)  \(words)"))
    }
    let freed = rows.reduce(0) { $0.addingSaturated($1.bytes ?? 0) }
    StandardStreams.writeLine(SafeText("\(freed) bytes freed"))
  }
}
