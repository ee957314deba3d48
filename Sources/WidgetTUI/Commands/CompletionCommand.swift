import WidgetHost
import WidgetKitCore

/// `today completion SHELL`: the completions for a shell; `values KIND` prints what there is on this machine.
struct CompletionCommand: Command {
  private var options: CommonOptions
  private var shell: CompletionScript?
  private var kind: String?

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    var words: [String] = []
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
      words.append(argument)
    }
    if words.count == 2, words[0] == "values", ["widgets", "themes"].contains(words[1]) {
      kind = words[1]
    } else if words.count == 1, let shell = CompletionScript(rawValue: words[0]) {
      self.shell = shell
    } else {
      throw .usage("expected bash, zsh or fish; see “today help completion”")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    if let shell {
      StandardStreams.write(Array(shell.text.utf8))
      return .success
    }
    var seen: Set<String> = []
    for value in kind == "themes" ? ThemeCatalog(environment: options.environment).ids : widgets
    where seen.insert(value).inserted {
      StandardStreams.writeLine(SafeText(value).onOneLine)
    }
    return .success
  }

  /// Identifiers, and names that are those of one widget alone.
  private var widgets: [String] {
    let members = PageBook(options).widgets.map(\.member)
    let names = members.map(\.heading.string)
    let identifiers = members.map { member in
      [member.id.bundleIdentifier, member.id.instance?.rawValue].compactMap(\.self).joined(
        separator: ":"
      )
    }
    return identifiers + names.filter { name in names.count { $0 == name } == 1 }
  }
}
