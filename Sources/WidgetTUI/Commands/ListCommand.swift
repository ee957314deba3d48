import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today list`: the installed widgets, and their positions on the page.
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
    /// The position on the page, from 1; nil if it is not on the page.
    var position: Int?
    /// `shown`, `new` or `removed`.
    var state: String
    var hasContent: Bool

    var place: String {
      hasContent
        ? position.map { "\($0)" } ?? state : "\(position.map { "\($0) " } ?? "")no content"
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    let rows = book.widgets.map { widget, place in
      let (position, state): (Int?, String) =
        switch place {
        case .position(let position): (position, "shown")
        case .new: (nil, "new")
        case .removed: (nil, "removed")
        }
      return Row(
        bundleIdentifier: widget.bundleIdentifier,
        name: widget.displayName,
        path: widget.path,
        app: widget.containingApp?.bundleIdentifier,
        position: position,
        state: state,
        hasContent: book.contentFlags.hasContent(widget.bundleIdentifier)
      )
    }
    if isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      if let bytes = try? encoder.encode(rows) { StandardStreams.write(Array(bytes) + [0x0A]) }
    } else {
      let width = rows.map(\.bundleIdentifier.count).max() ?? 0
      let placeWidth = rows.map(\.place.count).max() ?? 0
      for row in rows {
        let padding = String(repeating: " ", count: width - row.bundleIdentifier.count)
        let placing = String(repeating: " ", count: placeWidth - row.place.count)
        StandardStreams.writeLine(
          SafeText(
            "\(row.bundleIdentifier)\(padding)  \(placing)\(row.place)  \(row.name.onOneLine)"
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
