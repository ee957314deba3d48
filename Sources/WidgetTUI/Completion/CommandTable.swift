import WidgetTesting

/// What may be in a place of the command line, as completions know it.
nonisolated enum CompletionKind: Hashable, Sendable {
  /// Anything, or nothing.
  case none
  /// One of some words.
  case words([String])
  /// A file or a folder.
  case path
  /// The identifier or the name of a widget on this machine.
  case widgets
  /// The name of a theme.
  case themes
}

/// An option of a command.
nonisolated struct OptionSummary: Hashable, Sendable {
  /// Its name, with `--`.
  let name: String
  /// What follows it; nil if it has no value.
  let value: CompletionKind?

  /// An option without a value.
  static func flag(_ name: String) -> OptionSummary { OptionSummary(name: name, value: nil) }

  /// An option with a value.
  static func value(_ name: String, _ kind: CompletionKind = .none) -> OptionSummary {
    OptionSummary(name: name, value: kind)
  }
}

/// A command of the program, for completions and their tests.
nonisolated struct CommandSummary: Sendable {
  /// Its name.
  let name: String
  /// What it does, in a few words.
  let summary: String
  /// What its arguments are.
  var arguments = CompletionKind.none
  /// Its options, with what follows each; nil for those without a value.
  var options: [OptionSummary] = []
}

/// The commands that a person types, with their options.
nonisolated enum CommandTable {
  /// The options that all commands have.
  static let common: [OptionSummary] = [
    .value("--widgets", .path), .value("--trace", .path), .flag("--help"),
  ]

  /// The options of the dashboard, which has no name.
  static let dashboard: [OptionSummary] = [
    .flag("--locked"), .flag("--version"),
  ]

  /// The options of a command, by its name; those of the dashboard for `today`.
  static func options(of name: String) -> [OptionSummary] {
    name == "today" ? dashboard : commands.first { $0.name == name }?.options ?? []
  }

  /// The commands, in the order of `today help`.
  static let commands: [CommandSummary] = page + installing + author + data + rest

  private static let page: [CommandSummary] = [
    CommandSummary(
      name: "snapshot",
      summary: "print the cards once",
      arguments: .widgets,
      options: [
        .value("--format", .words(["text", "ansi", "json", "svg", "html"])), .value("--width"),
        .value("--theme", .themes), .value("--page"), .value("--bundle", .path),
        .value("--data", .path), .flag("--plain"),
        .flag("--cached"), .flag("--locked"), .flag("--all"), .value("--max-age"),
        .value("--timeout"),
      ]
    ),
    CommandSummary(
      name: "refresh",
      summary: "request new data from widgets",
      arguments: .widgets,
      options: [.flag("--due"), .flag("--user"), .value("--timeout")]
    ),
    CommandSummary(
      name: "schedule",
      summary: "keep content up to date while no dashboard is open",
      arguments: .words(["on", "off", "status"])
    ),
    CommandSummary(name: "list", summary: "list the installed widgets", options: [.flag("--json")]),
    CommandSummary(
      name: "add",
      summary: "add widgets or scripts to a page",
      arguments: .widgets,
      options: [.value("--as"), .value("--page"), .value("--span")]
    ),
    CommandSummary(
      name: "run",
      summary: "make a command line a card",
      options: [
        .value("--every"), .value("--title"), .flag("--follow"),
        .value("--lines"),
        .value("--timeout"), .value("--format", .words(formats)), .value("--span"),
      ]
    ),
    CommandSummary(
      name: "import",
      summary: "make cards of another program's modules",
      arguments: .words(["waybar", "i3blocks"]),
      options: [.flag("--dry-run")]
    ),
    CommandSummary(name: "remove", summary: "remove widgets from the page", arguments: .widgets),
    CommandSummary(
      name: "move",
      summary: "move a widget to another position or page",
      arguments: .widgets,
      options: [.value("--page")]
    ),
    CommandSummary(name: "rename", summary: "give a page another name"),
    CommandSummary(
      name: "reload",
      summary: "request updates from a script or an app",
      arguments: .widgets,
      options: [.flag("--all")]
    ),
    CommandSummary(
      name: "has-content",
      summary: "set whether a widget has anything to show",
      arguments: .widgets
    ),
    CommandSummary(name: "open", summary: "open a URL as a widget would"),
  ]

  private static let installing: [CommandSummary] = [
    CommandSummary(
      name: "install",
      summary: "install an app, a widget or a script",
      arguments: .path,
      options: [.flag("--yes")]
    ),
    CommandSummary(
      name: "uninstall",
      summary: "remove it with all that is stored for it",
      arguments: .widgets,
      options: [.flag("--yes")]
    ),
    CommandSummary(
      name: "serve",
      summary: "run a widget for a page on another machine",
      arguments: .widgets
    ),
  ]

  private static let author: [CommandSummary] = [
    CommandSummary(
      name: "new",
      summary: "make a widget, as an example to change",
      options: [
        .value("--language", .words(["swift", "python", "sh", "script"])), .value("--identifier"),
        .value("--package", .path),
      ]
    ),
    CommandSummary(
      name: "dev",
      summary: "show widgets alone, and again whenever a file is saved",
      arguments: .path,
      options: [
        .value("--width"), .value("--locale"), .value("--data", .path),
        .flag("--wait-for-debugger"),
      ]
    ),
    CommandSummary(
      name: "lint",
      summary: "check the files of widgets, their views and the protocol",
      arguments: .path,
      options: [
        .flag("--fix"), .flag("--static"),
        .value("--format", .words(["text", "json", "sarif", "github"])),
      ]
    ),
    CommandSummary(
      name: "test",
      summary: "check that widgets conform, and play their scenarios",
      arguments: .path,
      options: [
        .flag("--record"), .value("--repeat"),
        .value("--format", .words(["tap", "junit", "json", "github"])),
        .value("--fault", .words(HarnessFault.allCases.map(\.rawValue))),
        .flag("--watch"),
      ]
    ),
    CommandSummary(name: "trace", summary: "print a trace readably", arguments: .path),
    CommandSummary(
      name: "replay",
      summary: "play a trace",
      arguments: .path,
      options: [
        .value("--format", .words(["text", "ansi", "json", "svg", "html"])), .value("--width"),
        .value("--theme", .themes), .value("--bundle", .path),
      ]
    ),
    CommandSummary(
      name: "log",
      summary: "print the runs and the log of a widget",
      arguments: .widgets,
      options: [.flag("--json")]
    ),
  ]

  private static let data: [CommandSummary] = [
    CommandSummary(
      name: "settings",
      summary: "list, print or set the settings of a widget",
      arguments: .widgets,
      options: [.flag("--json"), .flag("--unset")]
    ),
    CommandSummary(
      name: "defaults",
      summary: "values that apps, widgets and scripts share",
      arguments: .words(["read", "write", "delete"]),
      options: [.flag("--string")]
    ),
    CommandSummary(
      name: "coordinate",
      summary: "run a command while no other program uses a shared file",
      arguments: .words(["read", "write"]),
      options: [.value("--timeout")]
    ),
    CommandSummary(
      name: "notify",
      summary: "post a notification to the widgets of an app group",
      options: [.flag("--remove")]
    ),
    CommandSummary(
      name: "permissions",
      summary: "list, give or withdraw what widgets may do",
      arguments: .widgets,
      options: [.flag("--json"), .value("--grant"), .value("--revoke")]
    ),
    CommandSummary(
      name: "secrets",
      summary: "list, print, store or delete a widget's secrets",
      arguments: .widgets,
      options: [.flag("--set"), .flag("--delete"), .value("--group")]
    ),
    CommandSummary(
      name: "transfers",
      summary: "list background transfers, or end one",
      arguments: .words(["cancel"]),
      options: [.flag("--json")]
    ),
    CommandSummary(
      name: "purge",
      summary: "empty the caches of widgets and apps",
      arguments: .widgets,
      options: [.flag("--json")]
    ),
  ]

  private static let rest: [CommandSummary] = [
    CommandSummary(
      name: "doctor",
      summary: "check the installation, the terminal and the widgets",
      options: [.flag("--json")]
    ),
    CommandSummary(
      name: "themes",
      summary: "list the themes, or print the file of one",
      arguments: .themes
    ),
    CommandSummary(
      name: "completion",
      summary: "print the completions for a shell",
      arguments: .words(["bash", "zsh", "fish"])
    ),
    CommandSummary(name: "help", summary: "print the usage of a command", arguments: .words([])),
  ]

  private static let formats = [
    "text", "xbar", "swiftbar", "argos", "waybar", "i3bar", "i3blocks", "nagios", "json",
    "prometheus",
  ]
}
