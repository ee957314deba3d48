import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today settings`: the settings of a widget, one of them, or a new value of one.
struct SettingsCommand: Command {
  /// What is done with the settings.
  enum Action {
    case list
    case show(String)
    case set(String, [String])
    case unset(String)
  }

  var options: CommonOptions
  var name: String
  var action: Action
  var isJSON = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var words: [String] = []
    var unsets = false
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--json": isJSON = true
      case "--unset": unsets = true
      // A negative number is a value.
      case _ where argument.hasPrefix("-") && Double(argument) == nil:
        throw reader.unknown(argument)
      default: words.append(argument)
      }
    }
    guard let name = words.first else {
      throw .usage("expected a widget; see “today help settings”")
    }
    self.name = name
    switch (words.count, unsets) {
    case (1, false): action = .list
    case (2, false): action = .show(words[1])
    case (2, true): action = .unset(words[1])
    case (_, false): action = .set(words[1], Array(words.dropFirst(2)))
    default: throw .usage("--unset needs one setting; see “today help settings”")
    }
  }

  private struct Output: Encodable {
    var name: String
    var title: SafeText
    var type: String
    var value: WidgetConfiguration.Value?
    var isSet: Bool
    var source: String?
    var place: String?
    var choices: [String]?
    var required: Bool

    init(_ row: SettingsBook.Row) {
      name = row.declaration.name
      title = row.declaration.title
      type = row.declaration.kind.rawValue
      value = row.value
      isSet = row.isSet
      source = row.source
      place = row.place
      choices = row.declaration.choices.isEmpty ? nil : row.declaration.choices
      required = row.declaration.isRequired
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let page = PageBook(options)
    let (bundle, id) = try widget(in: page.catalog)
    let book = SettingsBook(
      bundle,
      id,
      file: UserConfiguration(environment: options.environment).settings.widgets,
      environment: options.environment
    )
    do throws(HostError) {
      switch action {
      case .list: return list(book)
      case .show(let key): return try show(book.row(key))
      case .set(let key, let words):
        let isFile = try book.row(key).declaration.kind == .file
        try book.set(key, to: isFile ? [Self.absolute(words.joined(separator: " "))] : words)
      case .unset(let key): try book.unset(key)
      }
    } catch {
      switch error.code {
      case .setting: throw .usage(error.description)
      case .busy: throw .tryAgain(error.description)
      default: throw .failure(error.description)
      }
    }
    return .success
  }

  /// The widget that the argument names: an identifier, a name, or either with `:NAME`.
  private func widget(
    in catalog: BundleCatalog
  ) throws(CommandError) -> (WidgetBundle, ExtensionIdentity) {
    let id = try catalog.requiredOne(name)
    guard let bundle = catalog.widget(withIdentifier: id.bundleIdentifier) else {
      throw catalog.missing(name)
    }
    return (bundle, id)
  }

  private func list(_ book: SettingsBook) -> ExitCode {
    let rows = book.rows
    if isJSON {
      write(rows.map(Output.init))
    } else {
      let names = rows.map(\.declaration.name.count).max() ?? 0
      let values = rows.map { min($0.valueWords.count, 40) }.max() ?? 0
      for row in rows {
        let cells = [
          Self.padded(row.declaration.name, names), Self.padded(row.valueWords, values),
          Self.source(row),
        ]
        StandardStreams.writeLine(SafeText(cells.joined(separator: "  ")))
      }
      if rows.isEmpty { StandardStreams.writeLine(SafeText("\(name) has no settings")) }
    }
    for problem in book.problems { StandardStreams.writeError(problem.string) }
    return book.problems.isEmpty ? .success : .failure
  }

  private func show(_ row: SettingsBook.Row) throws(HostError) -> ExitCode {
    if isJSON {
      write(Output(row))
      return .success
    }
    guard row.isSet || row.declaration.kind == .secret else {
      StandardStreams.writeError("\(row.declaration.name) has no value")
      return .failure
    }
    if case .list(let texts) = row.value {
      for text in texts { StandardStreams.writeLine(SafeText(text)) }
    } else {
      StandardStreams.writeLine(SafeText(row.valueWords))
    }
    return .success
  }

  private func write(_ value: some Encodable) {
    StandardStreams.writeJSON(value)
  }

  private static func source(_ row: SettingsBook.Row) -> String {
    switch row.source {
    case "program": "set in the program"
    case let source?: row.place ?? source
    case nil: row.declaration.isRequired ? "required" : "not set"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A path of the command line, which may be relative to the present folder.
  private static func absolute(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("/") || path.hasPrefix("~/")
      ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
