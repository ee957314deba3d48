import PageRecords
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

extension CommandOption where Target == RunCommand {
  /// An option that is written into the line of the script, by its name there.
  fileprivate static func script(
    _ usage: String,
    as name: String? = nil,
    _ completion: CompletionKind = .none
  ) -> Self {
    .custom(usage, completion) { target, argument throws(CommandError) in
      let name = name ?? String(usage.dropFirst(2).prefix { $0 != " " })
      // A flag is set.
      let value = usage.contains(" ") ? argument.text : "true"
      if let expected = target.checked.set(name, value) { throw argument.expected(expected) }
      target.values.append((name, value))
    }
  }
}

/// `today run`: makes a command line a card.
struct RunCommand: Command {
  static let name = "run"
  static let syntax = CommandSyntax<RunCommand>(
    name,
    "make a command line a card",
    expected: "one command in quotes, such as today run 'df -h /' --every 1m",
    details: """
      Makes a command line a card: it is written to a script in ~/.local/share/today/scripts, which can be
      edited there, and its identifier is printed. /bin/sh runs it outside of the sandbox, with that folder as the
      current one, not the one in which you type this: give files by their whole paths, or begin with “cd FOLDER &&”.
      """,
    operands: [.one("'COMMAND'", .text, \.command)],
    options: [
      .script("--every TIME", as: "interval"):
        "how often, such as 10s, 5m or 1h; once a minute without it",
      .script("--title TEXT"): "the heading; without it, the command",
      .script("--follow"): "it keeps printing: its last lines are shown as they come",
      .script("--lines N"): "how many rows are shown; -N for the last ones",
      .script("--timeout TIME"): "how long it may take, 1s to 25s",
      .script("--format FORMAT", .words(Self.formats)):
        "how its output is read, such as json; see Docs/Scripts.md",
      .script("--span N"): "how many columns of the page the card takes up",
      .script("--history"): "keep the number of the output, and show it as a line",
      .script("--alert LIMIT"): "tell once when the number gets there, such as >90",
      .script("--host HOST", .hosts): """
      run it on another machine, such as me@nas, or on those of a name in “hosts” of config.json
      """,
      .script("--as-table", as: "table"): """
      compare several machines in a table, a line each; without it their outputs are below each other
      """,
      .script("--thresholds LIST"): "its colour from a number on, such as 70:orange,90:red",
      .value("--page PAGE", .page, \.page):
        "the page, which is made if there is none of that name; the first one by default",
    ],
    notes: """
      Exit status: 64 for a wrong option, 69 without a home folder.
      """
  )

  var options = CommonOptions()
  fileprivate var values: [(name: String, value: String)] = []
  fileprivate var checked = ScriptOptions()
  private var command = ""
  private var page: PageName?

  private static let formats = ScriptFormat.allCases.map(\.rawValue)

  func validate() throws(CommandError) {
    guard !command.allSatisfy(\.isWhitespace) else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    guard options.widgetFolders.isEmpty else {
      throw .usage("a command cannot be added to the page of --widgets")
    }
    guard let folder = WrittenScript.folder(options.environment) else {
      throw .unavailable("there is no home folder (HOME)")
    }
    var values = values
    let title = values.first { $0.name == "title" }?.value ?? command
    if !values.contains(where: { $0.name == "title" }) { values.insert(("title", command), at: 0) }
    let script = WrittenScript(name: title, options: values, body: command).unused(in: folder)
    try CommandError.from { () throws(HostError) in try script.write(to: folder) }
    StandardStreams.writeLine(SafeText(script.identifier))
    guard let page else { return .success }
    let book = PageBook(options)
    let shown = try PageChoice(book.pages, options).new(page)
    // It is on the first page as soon as it is there.
    return try book.apply(
      [.move(ExtensionIdentity(script.identifier), page: shown, position: nil)]
    )
  }
}
