import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today purge`: empties the caches of widgets and apps.
struct PurgeCommand: Command {
  static let name = "purge"
  static let syntax = CommandSyntax<PurgeCommand>(
    name,
    "empty the caches of widgets and apps",
    details: """
      Empties the caches of all widgets and apps, or of those given, and prints how much space each of
      them had taken. Nothing else is removed: no data, groups, settings, or stored views. The cache of
      a widget or app that runs is kept; one that was named is an error then.
      """,
    operands: [.many("ID", .widget, \.names)],
    options: [
      .flag("--json", \.isJSON): "print a list with bundleIdentifier, path, bytes and inUse of each"
    ],
    notes: """
      ID is a widget or an app, which means all its widgets, with all their instances.

      Exit status: 66 if there is no such widget or app, 75 if one that was named runs.
      """
  )

  var options = CommonOptions()
  private var names: [String] = []
  private var isJSON = false

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
