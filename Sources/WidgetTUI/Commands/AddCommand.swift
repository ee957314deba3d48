import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today add`: adds widgets, scripts and instances to a page.
struct AddCommand: Command {
  static let name = "add"
  static let syntax = CommandSyntax<AddCommand>(
    name,
    "add widgets, scripts, or another instance, to a page",
    expected: "at least one widget",
    forms: [
      "ID... [--page PAGE] [--span N]",
      "ID --as NAME [--page PAGE] [--span N]",
      "./SCRIPT... [--page PAGE] [--span N]",
      "HOST:ID... [--page PAGE] [--span N]",
      "mqtt:TOPIC... [--page PAGE] [--span N] [--title TEXT] [--format FORMAT] [--value PATH] "
        + "[--template TEXT] [--history] [--alert LIMIT] [--thresholds LIST]",
    ],
    details: """
      Adds widgets to the end of a page; an open dashboard follows. ID is an identifier, or a name
      that only one widget has; the identifier of an app means all of its widgets. A name with
      a “/” is that of a script: a link to it is made in ~/.config/today/scripts.

      HOST:ID is the widget on another machine, through ssh: HOST has an “@”, such as me@nas, or is a
      name in “hosts” of config.json. A name of several machines makes one card that compares them.
      The card is called ID:HOST.

      mqtt:TOPIC shows the messages under a topic of the MQTT broker in config.json, mqtts://BROKER/TOPIC
      those of another one; “today subscribe” makes cards of all topics of a filter.
      """,
    operands: [.several("ID", .widget, \.names)],
    options: [
      .value("--as NAME", .instance, \.instance): """
      add another instance of a widget, with settings, content and data of its own; commands and \
      config.json name it ID:NAME. NAME is 1 to 64 of the characters A-Z, a-z, 0-9, “.”, “_” and \
      “-”
      """,
      .value("--page PAGE", .page, \.page):
        "the page, which is made if there is none of that name; the first one by default",
      .value("--span N", .number(1...100), \.span): "how many columns the card takes up, 1 to 100",
      .topic("--title TEXT"): "the heading of a topic; without it, its last two levels",
      .topic("--format FORMAT", .words(["text", "json", "nagios", "prometheus"])):
        "how the messages of a topic are read; without it that is found out",
      .topic("--value PATH"): "the number in them, such as $.temperature, with --format json",
      .topic("--template TEXT"): "what is shown of them, such as '{$.temperature} °C'",
      .topic("--history"): "keep that number, and show it as a line",
      .topic("--alert LIMIT"): "tell once when the number gets there, such as >90",
      .topic("--thresholds LIST"): "its colour from a number on, such as 70:orange,90:red",
    ],
    notes: """
      A card is on one page. A page that config.json declares is not changed: the command prints the
      text to put there, and exits with 1.
      """
  )

  var options = CommonOptions()
  private var names: [String] = []
  private var instance: InstanceName?
  /// The page given with `--page`.
  private var page: PageName?
  /// The number of columns given with `--span`.
  private var span: Int?
  /// What is said about the card of a topic.
  var values: [(name: String, value: String)] = []

  func validate() throws(CommandError) {
    guard instance == nil || names.count == 1 else {
      throw Self.misused("--as names one instance, so it needs one widget")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let topics = names.filter(BrokerAddition.isTopic)
    guard topics.isEmpty else {
      guard topics.count == names.count, instance == nil, options.widgetFolders.isEmpty else {
        throw Self.misused("topics of a broker are added with a command of their own")
      }
      let values = values + (span.map { [("span", "\($0)")] } ?? [])
      return try BrokerAddition(options).add(topics, values, to: page)
    }
    guard values.isEmpty else {
      throw Self.misused("--\(values[0].name) is for topics of a broker, such as mqtt:sensors/wan")
    }
    let scripts = try addScripts()
    let book = PageBook(options)
    let machines = MachineAddition(options, book, span)
    if instance == nil, names.contains(where: machines.isOfMachine) {
      let page = try page.map { page throws(CommandError) in
        try PageChoice(book.pages, options).new(page)
      }
      return try book.apply(machines.changes(names, to: page))
    }
    try machines.check(names)
    guard instance == nil, !scripts.isEmpty else {
      return try book.apply(additions(names.map { scripts[$0] ?? $0 }, instance, book))
    }
    return try book.apply(additions(names, scripts: scripts, book))
  }

  /// Makes the scripts that were named by their files widgets; returns the identifier of each.
  private func addScripts() throws(CommandError) -> [String: String] {
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
}

extension ArgumentType where Value == InstanceName {
  /// The name of an instance.
  fileprivate static var instance: Self {
    Self { argument throws(CommandError) in
      guard let name = InstanceName(rawValue: argument.text) else {
        throw argument.expected("a name of \(InstanceName.rule)")
      }
      return name
    }
  }
}
