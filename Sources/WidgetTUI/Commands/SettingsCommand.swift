import FoundationEssentials
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today settings`: the settings of a widget, one of them, or a new value of one.
struct SettingsCommand: Command {
  /// What is done with the settings.
  enum Action {
    case list
    case show(String)
    case set(String, [String])
    case unset(String)
  }

  static let name = "settings"
  static let syntax = CommandSyntax<SettingsCommand>(
    name,
    "list, print or set the settings of a widget",
    expected: "a widget",
    forms: ["ID [--json]", "ID KEY [--json]", "ID KEY VALUE...", "ID KEY --unset"],
    details: """
      Lists the settings of a widget, each with its value and where it comes from: config.json with
      line and column, set in the program, or default. With KEY prints one, with VALUE sets it; an
      open dashboard follows. A setting that config.json has cannot be set here.
      """,
    operands: [.one("ID", .widget, \.name), .rest("[KEY [VALUE...]]", .text, \.words)],
    options: [
      .custom("VALUE"): """
      a list is several values, or one with commas; yes, no, on, off, true and false for a \
      boolean; { file: PATH }, { command: [PROGRAM, ...] } or { environment: NAME } for a \
      secret, which itself is never stored or printed
      """,
      .flag("--unset", \.unsets): "remove the value that was set in the program",
      .flag("--json", \.isJSON): "print JSON",
    ],
    notes: """
      ID is an identifier, a name that only one widget has, or either with :NAME for one instance.

        today settings Clock zones Asia/Tokyo Europe/Rome
        today settings 'Home Assistant' token '{ file: ~/.config/home-assistant-token }'
      """,
    isWord: { argument, _ in
      // A negative number is a value.
      Double(argument) != nil
    }
  )

  var options = CommonOptions()
  private var name = ""
  private var words: [String] = []
  private var unsets = false
  private var action = Action.list
  private var isJSON = false

  mutating func validate() throws(CommandError) {
    switch (words.count, unsets) {
    case (0, false): action = .list
    case (1, false): action = .show(words[0])
    case (1, true): action = .unset(words[0])
    case (_, false): action = .set(words[0], Array(words.dropFirst()))
    default: throw Self.misused("--unset needs one setting")
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
      case .unset(let key):
        // A setting of an earlier manifest has no row.
        let row = try? book.row(key)
        try book.unset(key)
        if let row, row.source != "program" {
          StandardStreams.writeError("\(key) was not set in the program")
        }
      }
    } catch {
      switch error.code {
      case .setting: throw .usage(error.description + secretAdvice(bundle, id))
      case .busy: throw .tryAgain(error.description)
      default: throw .failure(error.description)
      }
    }
    return .success
  }

  /// How a secret that was typed as a value is stored; empty for other settings.
  private func secretAdvice(_ bundle: WidgetBundle, _ id: ExtensionIdentity) -> String {
    guard case .set(let key, _) = action,
      bundle.settings.contains(where: { $0.kind == .secret && $0.name == key })
    else { return "" }
    let command = "{ command: ['today', 'secrets', '\(id.bundleIdentifier)', '\(key)'] }"
    return
      "; the secret itself is no argument: “today secrets \(id.bundleIdentifier) \(key) --set” "
      + "asks for it, and \(command) is its place then"
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
      let cells = rows.map { [$0.declaration.name, "\($0.valueWords)", Self.source($0)] }
      TextTable(cells, widest: 40).write()
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

  /// A path of the command line, which may be relative to the present folder.
  private static func absolute(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("/") || path.hasPrefix("~/")
      ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
