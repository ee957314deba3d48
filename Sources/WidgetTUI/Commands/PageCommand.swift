import WidgetHost
import WidgetKitCore

/// `today add`, `today remove` and `today move`: which widgets are on the page, in which order.
struct PageCommand: Command {
  /// A change of the page.
  enum Change {
    case add([String])
    case remove([String])
    case move(String, to: Int)
  }

  var options: CommonOptions
  var change: Change

  init(
    _ name: String,
    _ reader: inout ArgumentReader,
    _ options: CommonOptions
  ) throws(CommandError) {
    self.options = options
    let arguments = try reader.names(&self.options)
    switch name {
    case "move":
      guard arguments.count == 2, let position = Int(arguments[1]), position > 0 else {
        throw .usage(
          "expected a widget and its new position, from 1; see “today help move”"
        )
      }
      change = .move(arguments[0], to: position)
    default:
      guard !arguments.isEmpty else {
        throw .usage("expected at least one widget; see “today help \(name)”")
      }
      change = name == "add" ? .add(arguments) : .remove(arguments)
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    switch change {
    case .add(let names):
      let identifiers = try book.resolve(names)
      try CommandError.from { () throws(HostError) in try book.add(identifiers) }
    case .remove(let names):
      let identifiers = try book.resolve(names)
      try CommandError.from { () throws(HostError) in try book.remove(identifiers) }
    case .move(let name, let position):
      let identifiers = try book.resolve([name])
      guard identifiers.count == 1, let identifier = identifiers.first else {
        throw .usage(
          "“\(name)” is ambiguous; use one of: "
            + identifiers.sorted().joined(separator: ", ")
        )
      }
      let shown = book.widgets.filter { if case .position = $0.place { true } else { false } }
      guard shown.contains(where: { $0.bundle.bundleIdentifier == identifier }) else {
        throw .missing(
          "“\(identifier)” is not on the page; “today add \(identifier)” adds it"
        )
      }
      guard position <= shown.count else {
        throw .usage("position \(position): expected a number from 1 to \(shown.count)")
      }
      try CommandError.from { () throws(HostError) in try book.move(identifier, to: position) }
    }
    return .success
  }
}

/// `today reload`: requests updates, from a script, a git hook or a containing app.
struct ReloadCommand: Command {
  var options: CommonOptions
  var names: [String]

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    names = try reader.names(&self.options)
    guard !names.isEmpty else {
      throw .usage("expected at least one widget; see “today help reload”")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let book = PageBook(options)
    var identifiers: [String] = []
    for name in names { identifiers += try book.catalog.match(name).identifiers(of: name) }
    let count = try CommandError.from { () throws(HostError) in try book.reload(identifiers) }
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
    for identifier in try book.resolve([name]) {
      try CommandError.from { () throws(HostError) in
        try book.set(hasContent: hasContent, for: identifier)
      }
    }
    return .success
  }
}

extension PageBook {
  /// The page that the options of a command select.
  init(_ options: CommonOptions) {
    self.init(
      SearchPaths(
        named: options.widgetFolders,
        environment: options.environment,
        executable: HostProcess.executablePath()
      ),
      environment: options.environment,
      limits: options.readSettings().limits.bundles
    )
  }

  /// The widgets that names stand for; an app's name stands for all of its widgets.
  ///
  /// - Throws: ``CommandError`` with `missing` if there is no widget with that name, `usage` if there
  ///   are several.
  fileprivate func resolve(_ names: [String]) throws(CommandError) -> [String] {
    var identifiers: [String] = []
    for name in names { identifiers += try catalog.match(name).required(name) }
    return identifiers
  }
}

nonisolated extension ArgumentReader {
  /// The remaining arguments of a command that has only the common options.
  fileprivate mutating func names(_ options: inout CommonOptions) throws(CommandError) -> [String] {
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
      throw error.code == .busy ? .tryAgain(error.description) : .failure(error.description)
    }
  }
}
