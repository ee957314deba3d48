import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today list`: the installed widgets, and their positions on the page.
struct ListCommand: Command {
  static let syntax = CommandSyntax<ListCommand>(
    "list",
    "list the installed widgets",
    details: """
      Lists the installed widgets and their instances: ID or ID:NAME, position on the page or its
      status (new, available, removed, no content), and name. Errors in bundles are printed on standard error.
      """,
    options: [
      .flag("--json", \.isJSON): "print JSON"
    ]
  )

  var options = CommonOptions()
  private var isJSON = false

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

  func run() async throws(CommandError) -> ExitCode {
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
      let width = rows.map(\.id.count).max() ?? 0
      let placeWidth = rows.map(\.place.count).max() ?? 0
      for row in rows {
        let padding = String(repeating: " ", count: width - row.id.count)
        let placing = String(repeating: " ", count: placeWidth - row.place.count)
        StandardStreams.writeLine(
          SafeText(
            "\(row.id)\(padding)  \(placing)\(row.place)  \(row.name.onOneLine)"
              + (hasPages ? row.page.map { "  (\($0))" } ?? "" : "")
          )
        )
      }
    }
    for problem in book.catalog.problems { StandardStreams.writeError(problem.description) }
    for conflict in SchemeRegistry(apps: book.catalog.apps).conflicts {
      StandardStreams.writeError(conflict.description)
    }
    return .success
  }
}
