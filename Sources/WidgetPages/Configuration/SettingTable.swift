import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// All settings, in the order in which Docs/Configuration.md lists them.
nonisolated enum SettingTable {
  static let all: [Setting] =
    ScreenTable.all + LimitTable.all + TimeTable.all + NoticeTable.all + BrokerTable.all + [
      pages, widgets, sources, hosts, sandbox, controlGroups, secrets, openers, developer,
    ]

  /// All settings by their paths.
  static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

  /// The lines of a table in Markdown.
  static var markdown: [String] {
    let defaults = Settings()
    return [
      "| setting | default | range | applies | meaning |", "| --- | --- | --- | --- | --- |",
    ]
      + all.map {
        "| `\($0.path)` | \($0.text(defaults)) | \($0.range) | \($0.effect.rawValue) | \($0.meaning) |"
      }
  }

  /// The paths of all objects that group settings: `limits`.
  static let groups = Set(all.compactMap(\.path.parent))

  private static let pages = Setting(
    "pages",
    .pages(span: .whole(CardSpan.range), where: isCard),
    \.pages,
    .atOnce,
    "[pages](#pages) with their cards: `[{ name: \"Home\", cards: [\"org.today.Clock\"] }]`",
    part: .element
  )

  private static let widgets = Setting(
    "widgets",
    .sections(span: .whole(CardSpan.range), where: isCard),
    \.cards,
    .atOnce,
    "[settings of widgets](#settings-of-widgets), by identifier: `{ \"org.today.Clock\": { zones: [\"Asia/Tokyo\"], span: 2 } }`. `span` is how many columns the card takes up, 1 to 100, at most all; a manifest may set this too. `allowWhenLocked: true` shows the card while the page is locked, with its private content covered; every other card shows only its name. `host: \"server\"` runs the widget on [another machine](Machines.md#on-another-machine). `\"ID:NAME\"` is for one instance",
    part: .member
  )

  private static let sources = Setting(
    "sources",
    ScriptSourceReading.kind,
    \.sources,
    .atOnce,
    "folders whose executable files are [scripts](Scripts.md), besides `~/.config/today/scripts`: `[\"~/bin/status\", { path: \"~/xbar\", format: \"xbar\", show: false }]`. With `host: \"server\"` the folder is on [another machine](Machines.md#on-another-machine). The names are those of the line of a script, which takes precedence",
    part: .entry
  )

  private static let hosts = Setting(
    "hosts",
    .table(
      of: HostsReading.kind,
      by: "name of machines",
      upTo: 100,
      where: HostsReading.isName
    ),
    \.hosts,
    .atOnce,
    "names for [other machines](Machines.md#on-another-machine): `{ nas: \"me@nas.local\", fleet: [\"nas\", \"web-1\", \"web-2\"] }`. `host: \"nas\"`, `today page nas` and `today add nas:org.today.System` are then of that machine, and `host: \"fleet\"` of all of these, [one row each](Machines.md#many-machines)",
    part: .entry
  )

  /// Whether a text names a card: the identifier of a widget, or `ID:NAME` for one instance of it.
  static func isCard(_ text: String) -> Bool {
    guard let id = try? ExtensionIdentity(parsing: text) else { return false }
    return ExtensionIdentity.isIdentifier(id.bundleIdentifier)
  }

  private static let sandbox = Setting(
    "sandbox",
    .choice,
    \.sandbox,
    .nextStart,
    "whether widgets run in a [sandbox](Security.md): `auto`, in the best one that the system offers, and where there is none only those that you trust; `required`, in the full one or not at all; `off`, without one, so that a widget can do what you can. With any other value, with a misspelt name, and at a start while the file cannot be read, `required` applies",
    whenWrong: .required
  )

  private static let controlGroups = Setting(
    "controlGroups",
    .truth,
    \.usesControlGroups,
    .nextStart,
    "whether each widget gets a [control group](Security.md#control-groups), in which the kernel limits its memory and processes; the dashboard asks systemd for a scope where it needs one"
  )

  private static let secrets = Setting(
    "secrets",
    .choice,
    \.secrets,
    .nextStart,
    "where the [secrets](Security.md#secrets) of widgets are kept: `auto`, in the Secret Service of your session if one answers, and otherwise in files that only you can read; `service`, there or nowhere; `file`, in files"
  )

  private static let openers = Setting(
    "openers",
    .table(
      of: OpenerReading.kind,
      by: "URL scheme",
      upTo: 100,
      where: URLOpener.isScheme
    ),
    \.openers,
    .atOnce,
    "the command that opens URLs of a scheme, before all apps but the widget's own and before the desktop: `{ https: [\"firefox\", \"{url}\"] }`, or `{ https: { command: [\"w3m\", \"{url}\"], terminal: true } }` for a program that needs the screen. `{url}` is replaced by the URL, which is the last argument if no argument has it; a program without a slash is looked for in `PATH`",
    part: .entry
  )

  private static let developer = Setting(
    "developer",
    .truth,
    \.schedule.isDeveloper,
    .atOnce,
    "disables the minimum times, the budget and the spreading; for widget authors"
  )
}
