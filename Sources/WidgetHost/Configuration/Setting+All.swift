import WidgetKitCore

/// All settings, in the order in which Docs/Configuration.md lists them.
nonisolated extension Setting {
  static let all: [Setting] =
    screen + limits + memory + deadlines + restarts + schedule + [
      pages, widgets, sources, sandbox, controlGroups, secrets, openers, developer,
    ]

  /// All settings by their paths.
  static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

  /// The paths of all objects that group settings: `limits`.
  static let groups = Set(all.compactMap(\.path.parent))

  private static let screen: [Setting] = [
    Setting(
      "theme",
      .text(upTo: 64),
      \.screen.theme,
      .atOnce,
      "the name of a [theme](#themes). `auto` is `dark` or `light`, as the background of the terminal is: it is asked for it, and until it answers, `COLORFGBG` says"
    ),
    Setting(
      "glyphs",
      .choice,
      \.screen.glyphs,
      .atOnce,
      "the characters of lines and bars; `console` has only those of the Linux console's font. With `auto`, as the terminal and its locale allow; where only ASCII can be shown, this is used"
    ),
    Setting(
      "motion",
      .truth,
      \.screen.animates,
      .atOnce,
      "whether changes of a card's height are animated, numbers that change are emphasized for a moment, and "
        + "texts take turns in one place"
    ),
    Setting(
      "suspendWhenUnfocused",
      .truth,
      \.screen.suspendsWhenUnfocused,
      .atOnce,
      "whether all views disappear, and widgets are suspended, while another window has the focus, where the terminal reports that"
    ),
    Setting(
      "keys",
      .table(of: .command, by: "key", upTo: 100, where: KeyName.isKey),
      \.screen.keys,
      .atOnce,
      "the command of a key, by its name: `{ \"ctrl-r\": \"refreshAll\" }`; see [Other keys](#other-keys)"
    ),
    Setting(
      "columns.minimum",
      .whole(16...500),
      \.screen.columnMinimum,
      .atOnce,
      "width of a column, in cells, below which the page has one column fewer"
    ),
    Setting(
      "columns.preferred",
      .whole(16...500),
      \.screen.columnPreferred,
      .atOnce,
      "best width of a column; the page has as many columns as come nearest to it without going below `columns.minimum`"
    ),
    Setting(
      "columns.limit",
      .whole(1...1_000),
      \.screen.columnLimit,
      .atOnce,
      "largest number of columns"
    ),
  ]

  private static let limits: [Setting] = [
    Setting(
      "limits.lineBytes",
      .whole(1024...16 << 20),
      \.limits.lineBytes,
      .nextStart,
      "one message; a longer one ends the widget: “too large”"
    ),
    Setting(
      "limits.jsonDepth",
      .whole(8...256),
      \.limits.jsonDepth,
      .nextStart,
      "nesting of a message"
    ),
    Setting(
      "limits.viewDepth",
      .whole(4...64),
      \.limits.view.depth,
      .nextStart,
      "nesting of the nodes of a view"
    ),
    Setting(
      "limits.viewNodes",
      .whole(16...65_536),
      \.limits.view.nodes,
      .nextStart,
      "nodes and text spans of a view"
    ),
    Setting(
      "limits.gridRows",
      .whole(1...10_000),
      \.limits.view.gridRows,
      .nextStart,
      "rows of a grid"
    ),
    Setting(
      "limits.gridColumns",
      .whole(1...1_000),
      \.limits.view.gridColumns,
      .nextStart,
      "columns of a grid"
    ),
    Setting(
      "limits.textBytes",
      .whole(64...1 << 20),
      \.limits.view.textBytes,
      .nextStart,
      "one text"
    ),
    Setting(
      "limits.inputBytesPerSecond",
      .number(1024...1e9),
      \.limits.inputBytesPerSecond,
      .nextStart,
      "average input from a widget; above it, reading pauses"
    ),
    Setting(
      "limits.inputBurstBytes",
      .number(1024...1e9),
      \.limits.inputBurstBytes,
      .nextStart,
      "input from a widget at once"
    ),
    Setting(
      "limits.inputEnduranceSeconds",
      .seconds(1...600),
      \.limits.inputEndurance,
      .nextStart,
      "how long a widget may send more before it is ended: “too much output”"
    ),
    Setting(
      "limits.picturesPerSecond",
      .number(1...120),
      \.limits.picturesPerSecond,
      .nextStart,
      "views that are shown per second; the newest is shown"
    ),
    Setting(
      "limits.queuedMessages",
      .whole(4...10_000),
      \.limits.queuedMessages,
      .nextStart,
      "messages that wait for a widget to read them; above it, the widget is ended: “not responding”"
    ),
    Setting(
      "limits.queuedBytes",
      .whole(4096...64 << 20),
      \.limits.queuedBytes,
      .nextStart,
      "bytes that wait for a widget to read them; likewise"
    ),
    Setting(
      "limits.openRequests",
      .whole(1...1_000),
      \.limits.openRequests,
      .nextStart,
      "unanswered requests of a widget"
    ),
    Setting(
      "limits.protocolErrorsPerMinute",
      .whole(0...1_000),
      \.policy.protocolErrorsPerMinute,
      .nextStart,
      "invalid messages per minute; above it, the widget is ended: “too many invalid messages”"
    ),
    Setting(
      "limits.bodyRows",
      .whole(4...1_000),
      \.limits.bodyRows,
      .nextStart,
      "rows of a card"
    ),
    Setting(
      "limits.openPresses",
      .whole(1...100),
      \.policy.openPresses,
      .nextStart,
      "presses that wait for the live view or for an answer"
    ),
    Setting(
      "limits.openActivities",
      .whole(0...100),
      \.policy.openActivities,
      .nextStart,
      "open expiring activities of a widget"
    ),
    Setting(
      "limits.urlBytes",
      .whole(64...65_536),
      \.limits.urlBytes,
      .atOnce,
      "a URL; a longer one is not opened"
    ),
    Setting(
      "limits.urlHops",
      .whole(1...100),
      \.limits.urlHops,
      .atOnce,
      "how many handlers in sequence may open another URL"
    ),
    Setting(
      "limits.openURLSeconds",
      .seconds(0...3600),
      \.limits.openURLPause,
      .atOnce,
      "time between two URLs that a widget opens"
    ),
    Setting(
      "limits.heightChangeSeconds",
      .seconds(0...60),
      \.limits.heightPause,
      .nextStart,
      "time between two changes of a card's height without user input; the latest request is granted then"
    ),
    Setting(
      "limits.processes",
      .whole(1...10_000),
      \.limits.resources.processes,
      .nextStart,
      "processes of a widget; above it, the widget is ended: “too many processes”"
    ),
    Setting(
      "limits.containerBytes",
      .whole(4096...1 << 40),
      \.limits.resources.containerBytes,
      .nextStart,
      "disk space of a widget's own folders; above it, with more than 100,000 files, or with more than 64 nested folders, the widget is ended: “storage full”"
    ),
    Setting(
      "limits.widgets",
      .whole(1...10_000),
      \.limits.bundles.widgets,
      .nextStart,
      "widgets that are used; further ones are counted in one message"
    ),
    Setting(
      "limits.bundles",
      .whole(1...100_000),
      \.limits.bundles.bundles,
      .nextStart,
      "bundles that are read, valid or not"
    ),
    Setting(
      "limits.propertyListBytes",
      .whole(1024...16 << 20),
      \.limits.bundles.propertyListBytes,
      .nextStart,
      "the Info.plist of a bundle"
    ),
    Setting(
      "limits.imageBytes",
      .whole(1024...ImageLimits.largestFileBytes),
      \.limits.images.fileBytes,
      .nextStart,
      "the file of a picture; above it, its “alt” is shown"
    ),
    Setting(
      "limits.imagePixels",
      .whole(1...ImageLimits.mostPixels),
      \.limits.images.pixels,
      .nextStart,
      "pixels of a picture; above it, its “alt” is shown"
    ),
    Setting(
      "limits.imagesPerView",
      .whole(0...1_000),
      \.limits.images.perView,
      .nextStart,
      "pictures of one view; of further ones the “alt” is shown"
    ),
    Setting(
      "limits.drawnImageBytes",
      .whole(65_536...1 << 30),
      \.limits.images.drawnBytes,
      .nextStart,
      "memory for all pictures of the page; of those that find no room the “alt” is shown"
    ),
    Setting(
      "limits.errorRingBytes",
      .whole(1024...16 << 20),
      \.limits.errorRingBytes,
      .nextStart,
      "standard error that is kept in memory"
    ),
    Setting(
      "limits.logBytes",
      .whole(4096...1 << 30),
      \.limits.logBytes,
      .nextStart,
      "a log file; rotated once"
    ),
    Setting(
      "limits.logLinesPerSecond",
      .whole(1...10_000),
      \.limits.logLinesPerSecond,
      .nextStart,
      "lines of a log; further ones are dropped and counted"
    ),
  ]

  private static let memory: [Setting] = [
    Setting(
      "memory.softBytes",
      .whole(1 << 20...64 << 30),
      \.limits.resources.memory.softBytes,
      .nextStart,
      "memory of a widget; above it, the widget is warned"
    ),
    Setting(
      "memory.hardBytes",
      .whole(1 << 20...64 << 30),
      \.limits.resources.memory.hardBytes,
      .nextStart,
      "memory of a widget; above it, the widget is ended: “Unable to Load (memory)”"
    ),
    Setting(
      "memory.pageBytes",
      .whole(1 << 20...256 << 30),
      \.limits.resources.memory.pageBytes,
      .nextStart,
      "memory of all widgets; above it, suspended widgets are ended"
    ),
    Setting(
      "memory.addressSpaceBytes",
      .whole(32 << 20...1 << 40),
      \.limits.process.memoryBytes,
      .nextStart,
      "address space of a widget, enforced by the kernel"
    ),
    Setting(
      "memory.fileBytes",
      .whole(4096...1 << 40),
      \.limits.process.fileBytes,
      .nextStart,
      "the largest file that a widget may write"
    ),
    Setting(
      "memory.descriptors",
      .whole(16...65_536),
      \.limits.process.descriptors,
      .nextStart,
      "open files of a widget"
    ),
  ]

  private static let deadlines: [Setting] = [
    Setting(
      "deadlines.initializeSeconds",
      .seconds(0.1...600),
      \.policy.initialize,
      .nextStart,
      "answer to `initialize`"
    ),
    Setting(
      "deadlines.widgetMarginInsetsSeconds",
      .seconds(0.1...60),
      \.policy.widgetMarginInsets,
      .nextStart,
      "answer to `widgetMarginInsets`"
    ),
    Setting(
      "deadlines.viewWillAppearSeconds",
      .seconds(0.1...60),
      \.policy.viewWillAppear,
      .nextStart,
      "the live view; meanwhile the snapshot is shown"
    ),
    Setting(
      "deadlines.viewWillDisappearSeconds",
      .seconds(0.1...60),
      \.policy.viewWillDisappear,
      .nextStart,
      "saving state"
    ),
    Setting(
      "deadlines.widgetPerformUpdateSeconds",
      .seconds(1...3600),
      \.policy.widgetPerformUpdate,
      .nextStart,
      "an update; after it, the update has failed"
    ),
    Setting(
      "deadlines.shutdownSeconds",
      .seconds(0.1...60),
      \.policy.shutdown,
      .nextStart,
      "exit after `shutdown`, before SIGTERM"
    ),
    Setting(
      "deadlines.terminateSeconds",
      .seconds(0.1...60),
      \.policy.terminate,
      .nextStart,
      "exit after SIGTERM, before SIGKILL"
    ),
    Setting(
      "deadlines.activityGraceSeconds",
      .seconds(0...600),
      \.policy.activityGrace,
      .nextStart,
      "expiring activities after the view has gone"
    ),
    Setting(
      "deadlines.idleSeconds",
      .seconds(1...86_400),
      \.policy.idle,
      .nextStart,
      "how long a widget stays suspended before it is terminated"
    ),
  ]

  private static let restarts: [Setting] = [
    Setting(
      "restarts.longestPauseSeconds",
      .seconds(0...3600),
      \.policy.restarts.longestPause,
      .nextStart,
      "longest pause between two starts of a failing widget"
    ),
    Setting(
      "restarts.failureLimit",
      .whole(1...1_000),
      \.policy.restarts.failureLimit,
      .nextStart,
      "failures after which a widget is stopped"
    ),
    Setting(
      "restarts.windowSeconds",
      .seconds(1...86_400),
      \.policy.restarts.window,
      .nextStart,
      "period in which failures count"
    ),
    Setting(
      "restarts.forgivenessSeconds",
      .seconds(1...86_400),
      \.policy.restarts.forgiveness,
      .nextStart,
      "time without a failure after which earlier failures no longer count"
    ),
  ]

  private static let schedule: [Setting] = [
    Setting(
      "schedule.floorSeconds",
      .seconds(1...86_400),
      \.schedule.floor,
      .atOnce,
      "shortest time between two scheduled updates of a visible card"
    ),
    Setting(
      "schedule.hiddenFloorSeconds",
      .seconds(1...86_400),
      \.schedule.hiddenFloor,
      .atOnce,
      "the same for a card that is not visible"
    ),
    Setting(
      "schedule.hiddenBudget",
      .whole(0...100_000),
      \.schedule.hiddenBudget,
      .atOnce,
      "scheduled updates per 24 hours of a card that is not visible, spread over the day; 0 for none"
    ),
    Setting(
      "schedule.standardIntervalSeconds",
      .seconds(1...604_800),
      \.schedule.standardInterval,
      .atOnce,
      "interval of a widget that requests none"
    ),
    Setting(
      "schedule.longestIntervalSeconds",
      .seconds(60...31_536_000),
      \.schedule.longestInterval,
      .atOnce,
      "the longest interval that a widget may request"
    ),
    Setting(
      "schedule.savePower",
      .truth,
      \.schedule.savesPower,
      .atOnce,
      "whether the intervals of cards that are not visible double while the machine is on a battery, and after 30 minutes without a key or a click"
    ),
  ]

  private static let pages = Setting(
    "pages",
    .pages(span: .whole(CardSpan.range), where: isCard),
    \.pages,
    .atOnce,
    "[pages](#pages) with their cards: `[{ name: \"Home\", cards: [\"org.today.Clock\"] }]`"
  )

  private static let widgets = Setting(
    "widgets",
    .sections(span: .whole(CardSpan.range), where: isCard),
    \.cards,
    .atOnce,
    "[settings of widgets](#settings-of-widgets), by identifier: `{ \"org.today.Clock\": { zones: [\"Asia/Tokyo\"], span: 2 } }`. `span` is how many columns the card takes up, 1 to 100, at most all; a manifest may set this too. `allowWhenLocked: true` shows the card as it is while the page is locked. `host: \"server\"` runs the widget on [another machine](Scripts.md#on-another-machine). `\"ID:NAME\"` is for one instance"
  )

  private static let sources = Setting(
    "sources",
    .sources,
    \.sources,
    .atOnce,
    "folders whose executable files are [scripts](Scripts.md), besides `~/.config/today/scripts`: `[\"~/bin/status\", { path: \"~/xbar\", format: \"xbar\", show: false }]`. With `host: \"server\"` the folder is on [another machine](Scripts.md#on-another-machine). The names are those of the line of a script, which comes before them"
  )

  /// Whether a text names a card: the identifier of a widget, or `ID:NAME` for one instance of it.
  private static func isCard(_ text: String) -> Bool {
    guard let id = try? ExtensionIdentity(parsing: text) else { return false }
    return ExtensionIdentity.isIdentifier(id.bundleIdentifier)
  }

  private static let sandbox = Setting(
    "sandbox",
    .choice,
    \.sandbox,
    .nextStart,
    "whether widgets run in a [sandbox](Security.md): `auto`, in the best one that the system offers, and where there is none only those that you trust; `required`, in the full one or not at all; `off`, without one, so that a widget can do what you can. With any other value, with a misspelt name, and at a start while the file cannot be read, `required` holds",
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
      of: .opener,
      by: "URL scheme",
      upTo: 100,
      where: URLOpener.isScheme
    ),
    \.openers,
    .atOnce,
    "the command that opens URLs of a scheme, before all apps but the widget's own and before the desktop: `{ https: [\"firefox\", \"{url}\"] }`, or `{ https: { command: [\"w3m\", \"{url}\"], terminal: true } }` for a program that needs the screen. `{url}` stands for the URL, which is the last argument if no argument has it; a program without a slash is looked for in `PATH`"
  )

  private static let developer = Setting(
    "developer",
    .truth,
    \.schedule.isDeveloper,
    .atOnce,
    "disables the minimum times, the budget and the spreading; for widget authors"
  )
}
