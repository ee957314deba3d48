import PageRecords
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today has-content`: an app sets whether its widget has anything to show.
struct HasContentCommand: Command {
  static let name = "has-content"
  static let syntax = CommandSyntax<HasContentCommand>(
    name,
    "set whether a widget has anything to show",
    expected: "a widget, and on or off",
    details: """
      Sets whether a widget has anything to show. “off” removes its card and stored content, and the
      widget is not started until it is “on” again. ID means all its instances.
      """,
    operands: [.one("ID", .widget, \.name), .choice(\.state)]
  )

  var options = CommonOptions()
  private enum State: String, CaseIterable {
    case on
    case off
  }

  private var name = ""
  private var state = State.on

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    for id in try book.everyCard(name) {
      if id.instance != nil, book.place(of: id) == nil { throw book.noInstance(id) }
      try CommandError.from { () throws(HostError) in
        try book.set(hasContent: state == .on, for: id)
      }
    }
    return .success
  }
}
