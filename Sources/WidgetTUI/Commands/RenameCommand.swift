import PageRecords
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today rename PAGE NAME`: gives a page another name.
struct RenameCommand: Command {
  static let name = "rename"
  static let syntax = CommandSyntax<RenameCommand>(
    name,
    "give a page another name",
    expected: "a page and its new name",
    details: """
      Gives a page another name; an open dashboard follows. Its cards and its place stay. “today move ID --page NAME”
      makes a page. One that config.json declares has its name there.

      Exit status: 66 if there is no such page.
      """,
    operands: [.one("PAGE", .page, \.page), .one("NAME", .newPage, \.name)]
  )

  var options = CommonOptions()
  private var page: PageName?
  private var name: PageName?

  func run() async throws(CommandError) -> ExitCode {
    guard let page, let name else { throw Self.misused }
    let book = PageBook(options)
    let choice = PageChoice(book.pages, options)
    let old = try choice.existing(page)
    _ = try choice.new(name)
    guard old != name else {
      StandardStreams.writeError("the page is already called “\(old)”")
      return .success
    }
    if let other = book.pages.first(where: { $0.isSame(as: name) && $0 != old }) {
      throw .failure("there is a page “\(other)” already; “today move” moves cards to it")
    }
    if let declared = book.declaration(of: old) {
      throw .failure(
        "the page “\(old)” is declared at \(declared.place), which is never rewritten; change its name there"
      )
    }
    try CommandError.from { () throws(HostError) in try book.rename(old, to: name) }
    return .success
  }
}
