import PageRecords
import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today completion SHELL`: the completions for a shell; with `next -- WORD...` what may be in place of the last word.
struct CompletionCommand: Command {
  static let name = "completion"
  static let syntax = CommandSyntax<CompletionCommand>(
    name,
    "print the completions for a shell",
    expected: "bash, zsh or fish",
    forms: [
      "bash|zsh|fish"
    ],
    details: """
      Prints the completions for a shell: commands, options, their values, and the widgets of this machine. The
      package of Debian and “make install” install them; otherwise:

        bash   source <(today completion bash), in ~/.bashrc
        zsh    today completion zsh > a file called _today in a folder of $fpath
        fish   today completion fish > ~/.config/fish/completions/today.fish
      """,
    operands: [
      .rest("bash|zsh|fish", .text(.words(CompletionScript.allCases.map(\.rawValue))), \.words)
    ]
  )

  var options = CommonOptions()
  private var words: [String] = []

  func validate() throws(CommandError) {
    let isShell = words.count == 1 && CompletionScript(rawValue: words[0]) != nil
    guard isShell || words.count > 1 && words[0] == "next" else { throw Self.misused }
  }

  func run() async throws(CommandError) -> ExitCode {
    if let shell = CompletionScript(rawValue: words[0]) {
      StandardStreams.write(Array(shell.text.utf8))
      return .success
    }
    let (before, current) = (Array(words.dropFirst().dropLast()), words.last ?? "")
    let place = CompletionPlace(after: before)
    let isOption = current.hasPrefix("-") && !place.options.isEmpty
    let mayBePath = place.kind == .widgets && current.contains("/")
    StandardStreams.writeLine(!isOption && (place.kind == .path || mayBePath) ? "files" : "words")
    var seen: Set<String> = []
    let values =
      isOption ? place.options.map { ($0.name, $0.words) } : await values(place.kind)
    for (value, words) in values where seen.insert(value).inserted {
      let meaning = words.isEmpty ? "" : "\t\(SafeText(words).onOneLine)"
      StandardStreams.write(text: "\(SafeText(value).onOneLine)\(meaning)\n")
    }
    return .success
  }

  /// What may be in a place, with its meaning if that is not clear.
  private func values(_ kind: CompletionKind) async -> [(String, String)] {
    switch kind {
    case .none, .path: []
    case .words(let words): words.map { ($0, "") }
    case .verbs(let kinds): kinds.keys.sorted().map { ($0, "") }
    case .widgets: widgets.map { ($0, "") }
    case .pages: PageBook(options).pages.map { ($0.rawValue, "") }
    case .hosts: hosts.map { ($0, "") }
    case .themes: ThemeCatalog(environment: options.environment).ids.map { ($0, "") }
    case .entries: await entries
    case .installedEntries: gallery.installed.states().map { ($0.version.id, "") }
    case .commands: CommandTable.commands.map { ($0.name, $0.summary) }
    }
  }

  /// The names of machines in config.json, and the machines of cards and sources.
  private var hosts: [String] {
    let settings = options.readSettings()
    let used = UsedMachines(settings, PageBook(options), HostNames(settings.hosts))
    return settings.hosts.keys.sorted() + used.machines.map(\.description)
  }

  private var gallery: Gallery {
    Gallery(environment: options.environment, share: ShareFolder.path)
  }

  /// What the registries list, as far as it is on the disk.
  private var entries: [(String, String)] {
    get async {
      let found = try? await gallery.find(.stored)
      return (found?.listings ?? []).map { ($0.entry.id, $0.entry.name.string) }
    }
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
