import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today reload`: requests updates, from a script, a git hook or a containing app.
struct ReloadCommand: Command {
  static let name = "reload"
  static let syntax = CommandSyntax<ReloadCommand>(
    name,
    "request updates from a script or an app",
    expected: "at least one widget, or only --all",
    forms: ["ID...", "--all"],
    details: """
      Requests an update of widgets, or of all of them. An open dashboard makes it; otherwise the next
      “today refresh --due” does. Prints the number of cards on the page that were asked. ID means
      all its instances.
      """,
    operands: [.rest("ID...", .widget, \.names)],
    options: [
      .flag("--all", \.isForAll): "all widgets"
    ]
  )

  var options = CommonOptions()
  private var names: [String] = []
  private var isForAll = false

  func validate() throws(CommandError) {
    guard names.isEmpty == isForAll else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    var cards: [ExtensionIdentity] = []
    if isForAll {
      for widget in book.catalog.widgets { cards += try book.everyCard(widget.bundleIdentifier) }
    }
    // A widget that is not there is one that is not asked.
    for name in names where try !book.catalog.widgets(of: name).identifiers.isEmpty {
      cards += try book.everyCard(name)
    }
    let count = try CommandError.from { () throws(HostError) in try book.reload(cards) }
    StandardStreams.writeLine(SafeText("\(count)"))
    return .success
  }
}
