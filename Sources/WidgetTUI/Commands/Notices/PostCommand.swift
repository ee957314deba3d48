import FoundationEssentials
import Glibc
import Notices
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today post`: tells a person that something has happened, now or when a command ends.
struct PostCommand: Command {
  static let name = "post"
  static let syntax = CommandSyntax<PostCommand>(
    name,
    "post a notice",
    expected: "TITLE [BODY], --json, or --on-exit TIME -- COMMAND",
    forms: [
      "TITLE [BODY] [--urgency low|normal|critical] [--tag TAG] [--progress N] "
        + "[--action NAME=URL]... [--expire TIME] [--app NAME] [--wait]",
      "--json",
      "--on-exit TIME [--show-progress] [--urgency low|normal|critical] [--tag TAG] [--expire TIME] "
        + "[--app NAME] -- COMMAND [ARGUMENT...]",
    ],
    details: """
      Stores a notice, which “today notices” lists, and prints its number. If no page is open, you are told by the
      terminal, by notify-send or by the bell. BODY may have several lines; “-” is standard input.
      """,
    operands: [.rest("TITLE [BODY]", .text, \.words)],
    options: [
      .choice("--urgency", \.urgency): """
      a low one no longer waits after an hour; a critical one waits until it is dismissed; normal by default
      """,
      .value("--tag TAG", .text, \.tag):
        "take the place of the last notice of the application with TAG",
      .value("--progress N", .number(0...100), \.progress): "how much is done, 0 to 100",
      .values("--action NAME=URL", .text, \.actions): """
      something that can be done about it, up to 16 times; NAME alone tells only those who wait (--wait)
      """,
      .value("--expire TIME", .time, \.expiry):
        "no longer wait after TIME, such as 10s, 5m, 1h or 1d",
      .value("--app NAME", .text, \.application):
        "who tells; the program that runs the command by default",
      .flag("--wait", \.waits): """
      wait until somebody deals with it, and print “acted NAME”, “dismissed”, “expired” or “replaced”
      """,
      .flag("--json", \.isJSON): """
      read the notice from standard input: an object with title, body, urgency, tag, progress, action (a list of \
      NAME=URL, or of objects with name and url, command or pane), expire, app and wait
      """,
      .value("--on-exit TIME", .timeFromZero, \.shortest): """
      run COMMAND in its place, and post its end if it took TIME or longer; 0s for any time. From TIME on a notice says \
      that it is running
      """,
      .flag("--show-progress", \.showsProgress): """
      give COMMAND a terminal of its own that is passed on, so that the progress that it tells its terminal (OSC 9;4) is \
      in the notice
      """,
    ],
    notes: """
      With --on-exit the exit status is that of COMMAND, or 127 if it cannot be found.

      Exit status: 1 if the notice cannot be stored, or if it expired or was replaced while --wait waited, 64 usage
      error, 75 another program is changing the notices.
      """,
    isWord: { argument, words in argument == "-" && words.count == 1 }
  )

  var options = CommonOptions()
  private var words: [String] = []
  private var urgency = NoticeContent.Urgency.normal
  private var tag: String?
  private var progress: Int?
  private var actions: [String] = []
  private var expiry: Duration?
  private var application: String?
  private var waits = false
  private var isJSON = false
  private var shortest: Duration?
  private var showsProgress = false

  mutating func validate() throws(CommandError) {
    let isDescribed =
      urgency != .normal || tag != nil || expiry != nil || application != nil
    let isOffered = progress != nil || !actions.isEmpty || waits
    if shortest != nil {
      guard !isJSON, words.first?.isEmpty == false else { throw Self.misused }
      guard !isOffered else {
        throw Self.misused("the end of a command has no --progress, --action and --wait")
      }
    } else if showsProgress {
      throw Self.misused("--show-progress is of --on-exit")
    } else if isJSON {
      guard words.isEmpty, !isDescribed, !isOffered else {
        throw Self.misused("--json reads all of the notice from standard input")
      }
    } else {
      guard 1...2 ~= words.count else { throw Self.misused }
      guard !words[0].allSatisfy(\.isWhitespace) else { throw Self.misused("the title is empty") }
    }
    guard actions.count <= NoticeLimits.actions else {
      throw .usage("a notice has at most \(NoticeLimits.actions) actions")
    }
    // They are chosen by their names.
    let names = actions.map { $0.prefix { $0 != "=" } }
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw .usage("two actions have the name “\(name)”")
    }
    guard urgency != .critical || expiry == nil else {
      throw .usage("a critical notice waits until it is dismissed; leave out --expire")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let settings = options.readSettings().notices
    let telling = NoticeTelling(settings, options.environment)
    let store = telling.store
    if let shortest { return try await run(telling, shortest) }
    let draft = try isJSON ? NoticeDraft(StandardInput.bytes(), options) : draft()
    // Whoever waits sees each change from before the notice on.
    let watch = draft.waits ? NoticeWatch(store) : nil
    let notice = try CommandError.from { () throws(HostError) in
      try store.add(draft.stored, expiresAfter: draft.seconds)
    }
    StandardStreams.write(text: "\(notice.id)\n")
    await telling.tell(notice)
    return try await watch?.end(of: notice.id) ?? .success
  }

  /// The notice of the arguments.
  private func draft() throws(CommandError) -> NoticeDraft {
    var draft = NoticeDraft(title: words[0], options)
    if words.count == 2 {
      draft.content.body =
        words[1] == "-" ? String(decoding: try StandardInput.bytes(), as: UTF8.self) : words[1]
    }
    draft.content.urgency = urgency
    draft.content.tag = tag
    draft.content.progress = progress
    if let application { draft.content.application = application }
    for action in actions { draft.actions.append(try NoticeDraft.action(action)) }
    draft.seconds = expiry?.seconds
    draft.waits = waits
    return draft
  }

  /// Runs a command in place of this one, and posts its end.
  private func run(
    _ telling: NoticeTelling,
    _ shortest: Duration
  ) async throws(CommandError) -> ExitCode {
    let command = words.map(ShellWord.readable).joined(separator: " ")
    var common = NoticeDraft(title: "", options)
    common.content.application = application ?? OwnPath.split(words[0]).name
    // The end takes the place of what was told while it ran.
    common.content.tag = tag ?? "\(getpid()) \(UInt32.random(in: 0 ... .max))"
    let name = NoticeDraft.name(of: command)
    var running = RunningCommand(name, common, after: shortest, in: telling.store)
    let run = AttendedRun(words, hasTerminal: showsProgress, &running)
    guard run.time >= shortest, let end = run.end else { run.exit() }
    var draft = NoticeDraft(end, of: command, run.time, options)
    if let lines = run.errors.lastLines(Self.errorLines) {
      draft.content.body = [draft.content.body ?? "", lines].joined(separator: "\n")
    }
    draft.content.application = common.content.application
    draft.content.urgency = urgency
    draft.content.tag = common.content.tag
    draft.seconds = expiry?.seconds
    do throws(HostError) {
      if draft.isInterrupted {
        running.remove()
      } else {
        let notice = try telling.store.add(draft.stored, expiresAfter: draft.seconds)
        await telling.tell(notice)
      }
    } catch {
      StandardStreams.writeError(error.description)
    }
    run.exit()
  }

  /// The most lines of errors in the notice of an end.
  private static let errorLines = 5
}
