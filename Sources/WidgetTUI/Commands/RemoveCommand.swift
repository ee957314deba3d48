import PageRecords
import WidgetKitCore
import WidgetPlatform

/// `today remove`: removes widgets from their pages.
struct RemoveCommand: Command {
  static let name = "remove"
  static let syntax = CommandSyntax<RemoveCommand>(
    name,
    "remove widgets from the page",
    expected: "at least one widget",
    details: """
      Removes widgets from the page and ends them. Their data is kept; “today add” adds them again.
      ID is the widget without the name of an instance, ID:NAME an instance.
      """,
    operands: [.several("ID", .widget, \.names)]
  )

  var options = CommonOptions()
  private var names: [String] = []

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    return try book.apply(removals(book))
  }

  private func removals(_ book: PageBook) throws(CommandError) -> [PageChange] {
    var changes: [PageChange] = []
    for name in names {
      for id in try book.catalog.required(name) {
        let place = book.place(of: id)
        if place == nil, id.instance != nil { throw book.noInstance(id, isWanted: false) }
        if place == nil { throw book.onlyInstances(id) }
        if let script = book.undeclaredScript(id) {
          throw .failure(
            "“\(id)” is on the page “\(script.page.name)” because \(script.path) is there, and the page is "
              + "declared at \(script.page.place), which is never rewritten; add "
              + "widgets: { \"\(id)\": { show: false } } to that file, or remove the script"
          )
        }
        changes.append(.remove(id))
      }
    }
    return changes
  }
}
