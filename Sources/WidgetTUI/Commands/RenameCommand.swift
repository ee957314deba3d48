import WidgetHost
import WidgetKitCore

/// `today rename PAGE NAME`: gives a page another name.
struct RenameCommand: Command {
  private let options: CommonOptions
  private let page: PageName
  private let name: PageName

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    var options = options
    let arguments = try reader.names(&options)
    guard arguments.count == 2 else {
      throw .usage("expected a page and its new name; see “today help rename”")
    }
    self.options = options
    page = try Self.name(arguments[0])
    name = try Self.name(arguments[1])
  }

  private static func name(_ text: String) throws(CommandError) -> PageName {
    guard let name = PageName(rawValue: text) else {
      throw .usage("“\(SafeText(text))”: expected a name of \(PageName.rule)")
    }
    return name
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    let choice = PageChoice(book.pages, options)
    let old = try choice.existing(page)
    _ = try choice.new(name)
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
