import FoundationEssentials
import Glibc
import Notices
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today notices`: lists notices, dismisses them, and does what can be done about them.
struct NoticesCommand: Command {
  static let name = "notices"
  static let syntax = CommandSyntax<NoticesCommand>(
    name,
    "list notices, dismiss them, or act on them",
    expected: "nothing, dismiss ID, act ID ACTION, on or off",
    forms: [
      "[--waiting] [--since TIME] [--app NAME]... [--follow] [--json]",
      "dismiss ID...|--all [--app NAME]...",
      "act ID ACTION",
      "on|off",
    ],
    details: """
      Lists the notices that wait, by application, then the last earlier ones. “dismiss” puts notices among the
      earlier ones; “act” does what one of them offers: opens its URL, runs its command, or goes to its pane of tmux.

      Notices of the desktop are stored while a page is open. “on” lets a service of “systemctl --user” store them
      always, and “off” ends that.
      """,
    operands: [
      .rest(
        "[dismiss ID...|act ID ACTION|on|off]",
        .text(.words(["dismiss", "act", "on", "off"])),
        \.words
      )
    ],
    options: [
      .flag("--waiting", \.isWaiting): "only those that wait",
      .value("--since TIME", .time, \.age): "all of the last TIME, such as 10s, 5m, 1h or 1d",
      .values("--app NAME", .text, \.applications):
        "only those of an application; may be given several times",
      .flag("--follow", \.follows): "print further ones as they come, until the command is ended",
      .flag("--json", \.isJSON): """
      print a list of objects; with --follow an object a line, again when something became of its notice
      """,
      .flag("--all", \.takesAll): "dismiss all that wait",
    ],
    notes: """
      Exit status: 66 no such notice or action, 69 no systemd for the user (“on”), 75 another program is changing the notices.
      """
  )

  var options = CommonOptions()
  private var words: [String] = []
  private var isWaiting = false
  private var age: Duration?
  private var applications: [String] = []
  private var follows = false
  private var isJSON = false
  private var takesAll = false

  func validate() throws(CommandError) {
    switch words.first {
    case nil:
      guard !takesAll else { throw Self.misused("--all is of “dismiss”") }
    case "dismiss":
      guard takesAll ? words.count == 1 : words.count > 1 else {
        throw Self.misused("expected the numbers of notices, or --all")
      }
    case "act":
      guard words.count == 3 else {
        throw Self.misused("expected the number of a notice and an action")
      }
    case "on", "off":
      guard words.count == 1, !takesAll else { throw Self.misused }
    case .some: throw Self.misused
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let settings = options.readSettings().notices
    let store = NoticeStore(StateFolders(environment: options.environment), settings: settings)
    switch words.first {
    case "dismiss": return try dismiss(store)
    case "act": return try await act(store)
    case "on": return try await startService()
    case "off": return await stopService()
    default: break
    }
    guard follows else {
      let list = try Self.read(store)
      write(try chosen(list))
      tellDamage(list, store)
      return .success
    }
    return try await follow(store)
  }

  static func read(_ store: NoticeStore) throws(CommandError) -> NoticeList {
    try CommandError.from { () throws(HostError) in try store.read() }
  }

  private func chosen(_ list: NoticeList) throws(CommandError) -> NoticeList {
    var list = list
    let since = age.map { Date().addingTimeInterval(-$0.seconds) }
    list.keep(waiting: isWaiting, since: since, applications: applications)
    return list
  }

  // MARK: - Listing

  private func write(_ list: NoticeList) {
    guard isJSON else {
      let lines = NoticeLines(list, now: Date(), columns: Self.columns)
      let text = lines.all(isLimited: age == nil).map { "\($0)\n" }.joined()
      return StandardStreams.write(text: text)
    }
    var bytes = Array("[".utf8)
    var isFirst = true
    for json in list.entries.lazy.compactMap(list.json) {
      bytes += Array((isFirst ? "\n" : ",\n").utf8)
      bytes += json
      isFirst = false
    }
    StandardStreams.write(bytes + Array(isFirst ? "]\n".utf8 : "\n]\n".utf8))
  }

  private static var columns: Int? {
    isatty(STDOUT_FILENO) == 1 ? TerminalSize.drawable(of: STDOUT_FILENO)?.columns : nil
  }

  private func follow(_ store: NoticeStore) async throws(CommandError) -> ExitCode {
    let watch = NoticeWatch(store)
    var followed = FollowedNotices()
    var isFirst = true
    while StandardStreams.hasReader {
      let now = Date()
      let list = try chosen(
        try CommandError.from { () throws(HostError) in try store.read(now: now) }
      )
      let version = list.journal == followed.journal ? followed.version : 0
      let news = followed.take(list, now: now)
      if isJSON {
        for (entry, list) in news {
          guard let json = list.json(entry) else { continue }
          StandardStreams.write(json + [UInt8(ascii: "\n")])
        }
      } else if isFirst {
        if !list.entries.isEmpty { write(list) }
      } else {
        for (entry, list) in news where entry.id > version {
          let lines = NoticeLines(list, now: now, columns: Self.columns)
          for line in lines.rows(of: entry) { StandardStreams.writeLine(line) }
        }
      }
      if let failure = StandardStreams.failure { throw failure }
      isFirst = false
      await watch.change(until: followed.nextExpiry)
    }
    return .success
  }

  /// Says once on standard error that notices were lost with damaged lines of the journal.
  private func tellDamage(_ list: NoticeList, _ store: NoticeStore) {
    if list.damagedCount > 0 {
      // A journal that cannot be written anew now is by the next program that posts.
      try? store.repair()
    }
    guard let damage = store.damage, !damage.isTold else { return }
    StandardStreams.writeError(damage.words(in: store.folder))
    store.didTellDamage()
  }

  // MARK: - Changing

  private func dismiss(_ store: NoticeStore) throws(CommandError) -> ExitCode {
    let all = try Self.read(store)
    var list = all
    list.keep(waiting: true, applications: applications)
    var ids = list.entries.map(\.id)
    if !takesAll {
      let known = Set(all.entries.map(\.id))
      let named = try words.dropFirst().map { word throws(CommandError) in
        let id = try Self.number(word)
        guard known.contains(id) else { throw Self.unknown(word) }
        return id
      }
      // What was dealt with before stays as it is.
      ids = ids.filter(Set(named).contains)
    }
    try CommandError.from { () throws(HostError) in try store.note(.dismissed, of: ids) }
    return .success
  }

  private func act(_ store: NoticeStore) async throws(CommandError) -> ExitCode {
    let list = try Self.read(store)
    guard let notice = list[try Self.number(words[1])].flatMap(list.notice) else {
      throw Self.unknown(words[1])
    }
    let actions = notice.content.actions ?? []
    guard
      let action = actions.first(where: { $0.name == words[2] })
        ?? actions.first(where: { $0.name.lowercased() == words[2].lowercased() })
    else {
      let names = actions.map { "“\(SafeText(lineOf: $0.name))”" }.joined(separator: ", ")
      let advice = names.isEmpty ? "it has none" : "there is \(names)"
      throw .missing("notice \(notice.id) has no action “\(words[2])”; \(advice)")
    }
    return try await NoticeActionRun(action, options).run { () throws(CommandError) in
      try CommandError.from { () throws(HostError) in
        try store.note(.acted(action: action.name), of: [notice.id])
      }
    }
  }

  // MARK: - The service

  private func startService() async throws(CommandError) -> ExitCode {
    let unit = NoticeUnit(environment: options.environment)
    switch await unit.state() {
    case .unavailable:
      throw .unavailable(
        "the systemd user manager is not available; notices of the desktop are stored while a page is open"
      )
    case .silent:
      throw .unavailable(
        "systemctl --user has not answered within \(UserUnits.patience.components.seconds) s; "
          + "check whether the session bus works (DBUS_SESSION_BUS_ADDRESS)"
      )
    case .off, .on: break
    }
    let isOn: Bool
    do throws(HostError) {
      isOn = try await unit.start()
    } catch {
      throw .failure(error.description)
    }
    guard isOn else { throw .failure("systemctl --user could not enable today-notices.service") }
    StandardStreams.writeLine("on")
    return .success
  }

  private func stopService() async -> ExitCode {
    await NoticeUnit(environment: options.environment).stop()
    StandardStreams.writeLine("off")
    return .success
  }

  // MARK: -

  private static func number(_ word: String) throws(CommandError) -> Int {
    guard let id = Int(word), id > 0 else { throw unknown(word) }
    return id
  }

  private static func unknown(_ word: String) -> CommandError {
    .missing("no notice “\(word)”; “today notices” lists their numbers")
  }
}
