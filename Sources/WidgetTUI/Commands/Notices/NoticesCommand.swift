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
      earlier ones; “act” does what one of them offers: opens its URL, runs its command, or goes to its pane of tmux. ID is
      the letter in the list, which a notice keeps as long as it waits, or the number.

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
      .values("--app NAME", .text, \.applications): """
      only those of an application, or of those that a pattern fits (* and ?, as in rules); may be given several times
      """,
      .flag("--follow", \.follows): "print further ones as they come, until the command is ended",
      .flag("--json", \.isJSON): """
      print a list of objects; with --follow an object a line, again when something became of its notice or another one \
      took its place
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
        throw Self.misused("expected the letters or numbers of notices, or --all")
      }
    case "act":
      guard words.count == 3 else {
        throw Self.misused("expected a notice and one of its actions")
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
      let all = try Self.read(store)
      write(try chosen(all), isJSON ? [:] : NoticeLetters.letters(of: all, in: store))
      tellDamage(all, store)
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
    list.keep(waiting: isWaiting, since: since)
    list.keep(applicationsLike: applications)
    return list
  }

  // MARK: - Listing

  private func write(_ list: NoticeList, _ letters: [Int: String]) {
    guard isJSON else {
      let lines = NoticeLines(list, now: Date(), columns: Self.columns, letters: letters)
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
    while StandardStreams.hasReader {
      let now = Date()
      let list = try CommandError.from { () throws(HostError) in try store.read(now: now) }
      let isFirst = followed.journal == nil && followed.version == 0
      let news = try wanted(followed.take(list, now: now))
      if isJSON {
        for news in news {
          guard let json = news.json else { continue }
          StandardStreams.write(json + [UInt8(ascii: "\n")])
        }
      } else {
        let letters = NoticeLetters.letters(of: list, in: store)
        let lines = NoticeLines(list, now: now, columns: Self.columns, letters: letters)
        for line in isFirst ? lines.log(news.map(\.entry)) : Self.newLines(news, lines) {
          StandardStreams.writeLine(line)
        }
      }
      if let failure = StandardStreams.failure { throw failure }
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

  /// What the options choose.
  private func wanted(
    _ news: [FollowedNotices.News]
  ) throws(CommandError) -> [FollowedNotices.News] {
    var ids: [Int: Set<Int>] = [:]
    var wanted: [FollowedNotices.News] = []
    for news in news where !isWaiting || news.entry.state == .waiting {
      let version = news.list.lastVersion
      if ids[version] == nil { ids[version] = Set(try chosen(news.list).entries.map(\.id)) }
      if ids[version]?.contains(news.entry.id) == true { wanted.append(news) }
    }
    return wanted
  }

  /// The lines for notices that have just come; one that differs from the last with its tag only in its progress is no
  /// news.
  private static func newLines(
    _ news: [FollowedNotices.News],
    _ lines: NoticeLines
  ) -> [SafeText] {
    func title(_ news: FollowedNotices.News) -> String? {
      news.list.notice(news.entry)?.content.title
    }
    let replaced: [Int: String] = news.reduce(into: [:]) { titles, news in
      if let id = news.replacement { titles[id] = title(news) }
    }
    let new = news.filter { news in
      news.replacement == nil && news.entry.state == .waiting && news.entry.version == news.entry.id
        && (replaced[news.entry.id] == nil || replaced[news.entry.id] != title(news))
    }
    return new.flatMap { lines.row(of: $0.entry) }
  }

  // MARK: - Changing

  private func dismiss(_ store: NoticeStore) throws(CommandError) -> ExitCode {
    let all = try Self.read(store)
    var list = all
    list.keep(waiting: true)
    list.keep(applicationsLike: applications)
    var ids = list.entries.map(\.id)
    if !takesAll {
      let known = Set(all.entries.map(\.id))
      let named = try words.dropFirst().map { word throws(CommandError) in
        guard let id = Self.number(word, all, store), known.contains(id) else {
          throw Self.unknown(word)
        }
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
    let id = Self.number(words[1], list, store)
    guard let notice = id.flatMap({ list[$0] }).flatMap(list.notice) else {
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

  /// The number of the notice that is named by its number or by its letters; nil if there is none.
  private static func number(_ word: String, _ list: NoticeList, _ store: NoticeStore) -> Int? {
    if let id = Int(word) { return id > 0 ? id : nil }
    return NoticeLetters.areLetters(word)
      ? NoticeLetters.notice(word, in: list, of: store) : nil
  }

  private static func unknown(_ word: String) -> CommandError {
    .missing("no notice “\(word)”; “today notices” lists them with letters and numbers")
  }
}
