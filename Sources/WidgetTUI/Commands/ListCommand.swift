import ExtensionContent
import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today list`: the installed widgets, and their positions on the page.
struct ListCommand: Command {
  static let name = "list"
  static let syntax = CommandSyntax<ListCommand>(
    name,
    "list the installed widgets",
    details: """
      Lists the installed widgets and their instances: ID or ID:NAME, position on the page or its
      status (new, available, removed, no content), and name. Errors in bundles are printed on standard error.
      Share extensions and actions have no cards: --extensions lists them with their identifier, extension point, name
      and path.
      """,
    options: [
      .flag("--extensions", \.listsExtensions): "list the share extensions and the actions instead",
      .flag("--json", \.isJSON): "print JSON",
    ]
  )

  var options = CommonOptions()
  private var isJSON = false
  private var listsExtensions = false

  private struct Row: Encodable {
    var bundleIdentifier: String
    /// The name of the instance; nil for the one without a name.
    var instance: String?
    var name: SafeText
    /// What the widget is for, in a sentence; nil if it does not say that.
    var description: SafeText?
    var path: String
    var app: String?
    /// The page; nil if it is on none.
    var page: String?
    /// The position on the page, from 1; nil if it is on none.
    var position: Int?
    /// `shown`, `new`, `available` or `removed`.
    var state: String
    var hasContent: Bool

    var id: String { instance.map { "\(bundleIdentifier):\($0)" } ?? bundleIdentifier }

    var place: String {
      hasContent
        ? position.map { "\($0)" } ?? state : "\(position.map { "\($0) " } ?? "")no content"
    }
  }

  /// A share extension or an action.
  private struct ExtensionRow: Encodable {
    var identifier: String
    var name: SafeText
    /// The identifier of the extension point.
    var point: String
    /// The folder of the bundle, or the file of the script.
    var path: String
    var app: String?

    init(_ target: ContentExtension) {
      (identifier, name) = (target.identifier, target.bundle.displayName.onOneLine)
      (point, path) = (target.point.identifier, target.bundle.path)
      app = target.bundle.containingApp?.bundleIdentifier
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    guard !listsExtensions else { return listExtensions() }
    let book = PageBook(options)
    let rows = book.widgets.map { member, place in
      let (position, page, state): (Int?, PageName?, String) =
        switch place {
        case .position(let position, let page): (position, page, "shown")
        case .new: (nil, nil, "new")
        case .available: (nil, nil, "available")
        case .removed: (nil, nil, "removed")
        }
      return Row(
        bundleIdentifier: member.id.bundleIdentifier,
        instance: member.id.instance?.rawValue,
        name: member.heading,
        description: member.bundle.infoPlist.widgetDescription,
        path: member.bundle.place,
        app: member.bundle.containingApp?.bundleIdentifier,
        page: page?.rawValue,
        position: position,
        state: state,
        hasContent: book.contentFlags.hasContent(member.id)
      )
    }
    if isJSON {
      StandardStreams.writeJSON(rows)
    } else {
      let hasPages = Set(rows.compactMap(\.page)).count > 1
      let placeWidth = rows.map(\.place.count).max() ?? 0
      let cells = rows.map { row in
        // Places are numbers, to the right.
        let place = String(repeating: " ", count: placeWidth - row.place.count) + row.place
        let page = hasPages ? row.page.map { "  (\($0))" } ?? "" : ""
        return [row.id, place, "\(row.name.onOneLine)\(page)"]
      }
      TextTable(cells).write()
    }
    report(book.catalog)
    return .success
  }

  private func listExtensions() -> ExitCode {
    let catalog = BundleCatalog.scan(SearchPaths(options, options.readSettings()))
    let rows = catalog.contentExtensions.map(ExtensionRow.init)
      .sorted { ($0.identifier, $0.path) < ($1.identifier, $1.path) }
    if isJSON {
      StandardStreams.writeJSON(rows)
    } else {
      TextTable(rows.map { [$0.identifier, $0.point, "\($0.name)", $0.path] }).write()
    }
    report(catalog)
    return .success
  }

  /// What is wrong with bundles, on standard error.
  private func report(_ catalog: BundleCatalog) {
    for problem in catalog.problems { StandardStreams.writeError(problem.description) }
    for conflict in SchemeRegistry(apps: catalog.apps).conflicts {
      StandardStreams.writeError(conflict.description)
    }
  }
}
