import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today permissions`: what widgets request, and what the user permits.
struct PermissionsCommand: Command {
  /// A change of the permissions.
  struct Change {
    var isGranted: Bool
    /// The name of an entitlement, `all`, or `trust`.
    var name: String
  }

  var options: CommonOptions
  var name: String?
  var changes: [Change] = []
  var isJSON = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--json": isJSON = true
      case "--grant", "--revoke":
        changes.append(
          Change(isGranted: argument == "--grant", name: try reader.value(of: argument))
        )
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default:
        guard name == nil else {
          throw .usage("expected one widget; see “today help permissions”")
        }
        name = argument
      }
    }
    guard changes.isEmpty || name != nil else {
      throw .usage("\(changes[0].isGranted ? "--grant" : "--revoke") needs a widget or an app")
    }
  }

  private struct Row: Encodable {
    var bundleIdentifier: String
    var app: String?
    var origin: String
    var entitlement: String
    var values: [String]
    var words: SafeText
    var state: String
  }

  func run() async throws(CommandError) -> ExitCode {
    let page = PageBook(options)
    let book = PermissionBook(
      SearchPaths(
        named: options.widgetFolders,
        environment: options.environment,
        executable: HostProcess.executablePath()
      ),
      environment: options.environment
    )
    var bundles = page.catalog.widgets
    if let name {
      let chosen = Set(try page.catalog.required(name).map(\.bundleIdentifier))
      bundles = bundles.filter { chosen.contains($0.bundleIdentifier) }
    }
    for change in changes { try make(change, book, bundles) }
    if !changes.isEmpty {
      return .success
    }
    list(book, bundles)
    return .success
  }

  private func make(
    _ change: Change,
    _ book: PermissionBook,
    _ bundles: [WidgetBundle]
  ) throws(CommandError) {
    var isKnown = change.name == "trust" || change.name == "all"
    for bundle in bundles {
      guard book.origin(of: bundle) != .named else {
        throw .usage("the widgets of --widgets have all that they request")
      }
      let requests = book.permissions(of: bundle).map(\.request)
      let chosen = requests.filter {
        change.name == "all" || $0.entitlement.rawValue == change.name
      }
      isKnown = isKnown || !chosen.isEmpty
      try CommandError.from { () throws(HostError) in
        if change.name == "trust" {
          try book.setTrusted(change.isGranted, bundle)
        } else {
          try book.set(change.isGranted, chosen, of: bundle)
        }
      }
    }
    guard isKnown else { throw unknown(change.name, book, bundles) }
  }

  private func unknown(
    _ name: String,
    _ book: PermissionBook,
    _ bundles: [WidgetBundle]
  ) -> CommandError {
    let requests = Set(bundles.flatMap { book.permissions(of: $0).map(\.request.entitlement) })
    let list = requests.sorted().map(\.rawValue) + ["all", "trust"]
    return .usage(
      "“\(SafeText(name))” is not requested; expected one of: \(list.joined(separator: ", "))"
    )
  }

  private func list(_ book: PermissionBook, _ bundles: [WidgetBundle]) {
    let rows = bundles.flatMap { bundle in
      book.permissions(of: bundle).map { permission in
        Row(
          bundleIdentifier: bundle.bundleIdentifier,
          app: bundle.containingApp?.bundleIdentifier,
          origin: book.origin(of: bundle).rawValue,
          entitlement: permission.request.entitlement.rawValue,
          values: permission.request.items,
          words: permission.request.words,
          state: permission.state.rawValue
        )
      }
    }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      if let bytes = try? encoder.encode(rows) { StandardStreams.write(Array(bytes) + [0x0A]) }
      return
    }
    let columns = [\Row.bundleIdentifier, \.state, \.entitlement].map { column in
      (column, rows.map { $0[keyPath: column].count }.max() ?? 0)
    }
    for row in rows {
      let cells = columns.map { column, width in
        let text = row[keyPath: column]
        return text + String(repeating: " ", count: width - text.count)
      }
      StandardStreams.writeLine(SafeText("\(cells.joined(separator: "  "))  \(row.words)"))
    }
    if rows.isEmpty { StandardStreams.writeLine("nothing is requested") }
  }
}
