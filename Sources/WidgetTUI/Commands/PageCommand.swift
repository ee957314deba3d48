import WidgetHost
import WidgetKitCore

/// `today add`, `today remove` and `today move`: which widgets are on the page, in which order.
struct PageCommand: Command {
  /// A change of the page.
  enum Change {
    case add([String], instance: InstanceName?)
    case remove([String])
    case move(String, to: Int?)
  }

  var options: CommonOptions
  var change: Change
  /// The page given with `--page`.
  var page: PageName?
  /// The number of columns given with `--span`.
  var span: Int?

  init(
    _ name: String,
    _ reader: inout ArgumentReader,
    _ options: CommonOptions
  ) throws(CommandError) {
    self.options = options
    var arguments: [String] = []
    var instance: InstanceName?
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      if argument == "--as", name == "add" {
        instance = try Self.instance(try reader.value(of: argument))
      } else if argument == "--page", name != "remove" {
        page = try reader.page(of: argument)
      } else if argument == "--span", name == "add" {
        span = try reader.number(of: argument, in: 1...100)
      } else if argument.hasPrefix("-") {
        throw reader.unknown(argument)
      } else {
        arguments.append(argument)
      }
    }
    switch name {
    case "move":
      let position = arguments.count == 2 ? Int(arguments[1]) : nil
      guard position.map({ $0 > 0 }) ?? (arguments.count == 1 && page != nil) else {
        throw .usage(
          "expected a widget and its new position, from 1; see “today help move”"
        )
      }
      change = .move(arguments[0], to: position)
    default:
      guard !arguments.isEmpty else {
        throw .usage("expected at least one widget; see “today help \(name)”")
      }
      guard instance == nil || arguments.count == 1 else {
        throw .usage("--as names one instance, so it needs one widget; see “today help add”")
      }
      change = name == "add" ? .add(arguments, instance: instance) : .remove(arguments)
    }
  }

  private static func instance(_ text: String) throws(CommandError) -> InstanceName {
    guard let name = InstanceName(rawValue: text) else {
      throw .usage("--as \(SafeText(text)): expected a name of \(InstanceName.rule)")
    }
    return name
  }

  func run() async throws(CommandError) -> ExitCode {
    let scripts = try addScripts()
    let book = PageBook(options)
    let changes: [PageChange]
    switch change {
    case .add(let names, nil) where !scripts.isEmpty:
      changes = try additions(names, scripts: scripts, book)
    case .add(let names, let instance):
      changes = try additions(names.map { scripts[$0] ?? $0 }, instance, book)
    case .remove(let names): changes = try removals(names, book)
    case .move(let name, let position): changes = [try move(name, to: position, book)]
    }
    let declared = book.declarations(for: changes)
    guard declared.isEmpty else {
      for page in declared {
        StandardStreams.writeError(
          "the page “\(page.name)” is declared at \(page.place), which is never rewritten; "
            + "replace it there with the text on standard output"
        )
        StandardStreams.writeLine(SafeText(page.text + ","))
      }
      return .failure
    }
    try CommandError.from { () throws(HostError) in try book.change(changes) }
    return .success
  }

  /// Makes the scripts that were named by their files widgets; returns the identifier of each.
  private func addScripts() throws(CommandError) -> [String: String] {
    guard case .add(let names, _) = change else { return [:] }
    guard names.contains(where: ScriptAddition.isPath) else { return [:] }
    let settings = UserConfiguration(environment: options.environment).settings
    let scripts = ScriptAddition(SearchPaths(options, settings))
    var identifiers: [String: String] = [:]
    for name in names where ScriptAddition.isPath(name) {
      identifiers[name] = try scripts.add(name)
    }
    return identifiers
  }

  /// The changes that add widgets of which some are scripts, which are on the page as soon as they are
  /// linked.
  private func additions(
    _ names: [String],
    scripts: [String: String],
    _ book: PageBook
  ) throws(CommandError) -> [PageChange] {
    let page = try self.page.map { page throws(CommandError) in
      try PageChoice(book.pages, options).new(page)
    }
    var changes = try additions(names.filter { scripts[$0] == nil }, nil, book)
    for name in names {
      guard let identifier = scripts[name] else { continue }
      let id = ExtensionIdentity(identifier)
      let width = span.map { PageChange.span(id, $0) }
      if case .position(_, let present)? = book.place(of: id) {
        if let page, page != present { changes.append(.move(id, page: page, position: nil)) }
        changes += width.map { [$0] } ?? []
      } else {
        changes += additions(of: id, to: page)
      }
    }
    return changes
  }

  private func additions(
    _ names: [String],
    _ instance: InstanceName?,
    _ book: PageBook
  ) throws(CommandError) -> [PageChange] {
    let page = try self.page.map { page throws(CommandError) in
      try PageChoice(book.pages, options).new(page)
    }
    guard let instance else {
      var ids: [ExtensionIdentity] = []
      for name in names { ids += try book.catalog.required(name) }
      for id in ids { try checkPage(of: id, page, book) }
      return ids.flatMap { additions(of: $0, to: page) }
    }
    var id = try book.catalog.requiredOne(names[0])
    guard id.instance == nil else {
      throw .usage("“\(names[0])” already names an instance; give --as or :NAME, not both")
    }
    id.instance = instance
    if case .position(_, let other)? = book.place(of: id) {
      throw .failure(
        "“\(id)” is already on the page “\(other)”; give another instance another name"
      )
    }
    return additions(of: id, to: page)
  }

  private func additions(of id: ExtensionIdentity, to page: PageName?) -> [PageChange] {
    [.add(id, page: page)] + (span.map { [.span(id, $0)] } ?? [])
  }

  /// Refuses to add a card to a page that is on another one.
  private func checkPage(
    of id: ExtensionIdentity,
    _ page: PageName?,
    _ book: PageBook
  ) throws(CommandError) {
    guard let page, case .position(_, let other)? = book.place(of: id), other != page else {
      return
    }
    throw .failure(
      "“\(id)” is on the page “\(other)”; “today move \(id) --page \(page)” moves it, "
        + "“today add \(id.bundleIdentifier) --as NAME --page \(page)” adds another instance"
    )
  }

  private func removals(_ names: [String], _ book: PageBook) throws(CommandError) -> [PageChange] {
    var changes: [PageChange] = []
    for name in names {
      for id in try book.catalog.required(name) {
        let place = book.place(of: id)
        if place == nil, id.instance != nil { throw book.noInstance(id) }
        if place == nil { throw Self.onlyInstances(id, book) }
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

  private func move(
    _ name: String,
    to position: Int?,
    _ book: PageBook
  ) throws(CommandError) -> PageChange {
    let id = try book.catalog.requiredOne(name)
    guard case .position(_, let page)? = book.place(of: id) else {
      guard book.place(of: id) != nil else {
        throw id.instance == nil ? Self.onlyInstances(id, book) : book.noInstance(id)
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

  /// The error for a widget of which only instances with names have been on the page.
  private static func onlyInstances(_ id: ExtensionIdentity, _ book: PageBook) -> CommandError {
    let list = book.cards(of: id.bundleIdentifier).map(\.description).sorted()
    return .missing(
      "“\(id)” is not on the page, but its instances are; name one of: "
        + list.joined(separator: ", ")
    )
  }
}

/// `today reload`: requests updates, from a script, a git hook or a containing app.
struct ReloadCommand: Command {
  var options: CommonOptions
  var names: [String] = []
  /// Whether all widgets are asked.
  var isForAll = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--all": isForAll = true
      case _ where argument.hasPrefix("-"): throw reader.unknown(argument)
      default: names.append(argument)
      }
    }
    guard names.isEmpty == isForAll else {
      throw .usage("expected at least one widget, or only --all; see “today help reload”")
    }
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

/// `today has-content`: an app sets whether its widget has anything to show.
struct HasContentCommand: Command {
  var options: CommonOptions
  var name: String
  var hasContent: Bool

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    let arguments = try reader.names(&self.options)
    guard arguments.count == 2, let hasContent = ["on": true, "off": false][arguments[1]] else {
      throw .usage("expected a widget, and on or off; see “today help has-content”")
    }
    name = arguments[0]
    self.hasContent = hasContent
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    for id in try book.everyCard(name) {
      if id.instance != nil, book.place(of: id) == nil { throw book.noInstance(id) }
      try CommandError.from { () throws(HostError) in
        try book.set(hasContent: hasContent, for: id)
      }
    }
    return .success
  }
}

extension PageBook {
  /// The page that the options of a command select.
  init(_ options: CommonOptions) {
    let settings = options.readSettings()
    self.init(
      SearchPaths(options, settings),
      environment: options.environment,
      limits: settings.limits.bundles,
      declared: settings.pages
    )
  }

  /// The place of a card; nil if it is on no page, was on none, and is not the one without a name.
  fileprivate func place(of id: ExtensionIdentity) -> Place? {
    widgets.first { $0.member.id == id }?.place
  }
}

nonisolated extension ArgumentReader {
  /// The remaining arguments of a command that has only the common options.
  mutating func names(_ options: inout CommonOptions) throws(CommandError) -> [String] {
    var names: [String] = []
    while let argument = next() {
      if try options.take(argument, from: &self) { continue }
      guard !argument.hasPrefix("-") else { throw unknown(argument) }
      names.append(argument)
    }
    return names
  }
}

nonisolated extension CommandError {
  /// Calls `body`, and converts an error of the engine; `busy` has the exit status for “try again”.
  static func from<Result>(
    _ body: () throws(HostError) -> Result
  ) throws(CommandError) -> Result {
    do throws(HostError) {
      return try body()
    } catch {
      switch error.code {
      case .busy: throw .tryAgain(error.description)
      case .missing: throw .missing(error.description)
      default: throw .failure(error.description)
      }
    }
  }
}
