import PageRecords
import WidgetKitCore
import WidgetPlatform

/// `today move`: moves a widget to another position or page.
struct MoveCommand: Command {
  static let name = "move"
  static let syntax = CommandSyntax<MoveCommand>(
    name,
    "move a widget to position N, or to another page",
    expected: "a widget and its new position, from 1",
    forms: ["ID N [--page PAGE]", "ID --page PAGE"],
    details: """
      Moves a widget to position N on its page or on another one, counted from 1; without N to the
      end. A page is made with its first card, and goes with its last one.
      """,
    operands: [.one("ID", .widget, \.name), .optional("N", .position, \.position)],
    options: [
      .value("--page PAGE", .page, \.page): "the page, which is made with its first card"
    ]
  )

  var options = CommonOptions()
  private var name = ""
  private var position: Int?
  /// The page given with `--page`.
  private var page: PageName?

  func validate() throws(CommandError) {
    guard position != nil || page != nil else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    return try book.apply([move(book)])
  }

  private func move(_ book: PageBook) throws(CommandError) -> PageChange {
    let id = try book.catalog.requiredOne(name)
    guard case .position(_, let page)? = book.place(of: id) else {
      guard book.place(of: id) != nil else {
        throw id.instance == nil ? book.onlyInstances(id) : book.noInstance(id)
      }
      throw .missing("“\(id)” is not on the page; “today add \(id)” adds it")
    }
    let target = try self.page.map { page throws(CommandError) in
      try PageChoice(book.pages, options).new(page)
    }
    let end = target ?? page
    let count = book.widgets.count {
      if case .position(_, let other) = $0.place { other == end } else { false }
    }
    let last = end == page ? count : count + 1
    if let position, position > last {
      throw .usage("position \(position): expected a number from 1 to \(last)")
    }
    return .move(id, page: target, position: position)
  }
}

extension ArgumentType where Value == Int {
  fileprivate static var position: Self {
    Self { argument throws(CommandError) in
      guard let position = Int(argument.text), position > 0 else { throw MoveCommand.misused }
      return position
    }
  }
}
