import FoundationEssentials
import Glibc
import Notices
import WidgetPages
import WidgetPlatform

/// Tells a person of notices from a program without a page.
struct NoticeTelling {
  let store: NoticeStore
  private let settings: NoticeSettings
  private let environment: [String: String]

  init(_ settings: NoticeSettings, _ environment: [String: String]) {
    (self.settings, self.environment) = (settings, environment)
    store = NoticeStore(StateFolders(environment: environment), settings: settings)
  }

  /// Tells of a notice that this program has just stored, unless a page does.
  ///
  /// What takes longer than writing to the terminal is done by another process, for which nobody waits. The main
  /// process of a service waits, as systemd ends all others with it.
  func tell(_ notice: Notice) async {
    let duty = duty(of: notice)
    guard !duty.isEmpty else { return }
    let terminal = CommandTerminal()
    if duty.count == 1, settings.ways.first == .terminal, let terminal,
      let bytes = NoticeDelivery.sequence(for: notice, settings, terminal.identity),
      terminal.send(bytes)
    {
      return
    }
    let asksNobody =
      terminal?.identity.pane == nil
      && NotifySendCall(notice, environment: environment) == nil
    if asksNobody || environment["SYSTEMD_EXEC_PID"] == "\(getpid())" {
      return await deliver(duty, on: terminal)
    }
    let launch = LaunchDescription(
      program: HostProcess.executablePath(),
      arguments: [TellNoticesCommand.name] + duty.map { "\($0.id)" },
      environment: environment,
      folder: "."
    )
    let files = terminal.map { [$0.descriptor] } ?? []
    // What cannot be started tells nobody; the notice is stored.
    _ = try? ChildRun(launch, ChildRun.Terms(isolation: .detached, files: files))
  }

  /// Tells of a notice that this program has just stored, and waits until that is done.
  func tellAndWait(_ notice: Notice) async {
    await deliver(duty(of: notice), on: CommandTerminal())
  }

  /// Tells of notices by number, on the terminal that was passed on.
  func tell(_ ids: [Int]) async {
    guard let first = ids.min(), let waiting = try? store.waiting(after: first - 1) else { return }
    let notices = waiting.notices.filter { ids.contains($0.id) }
    await deliver(notices, on: CommandTerminal(passedOn: CommandTerminal.passedOn))
  }

  private func deliver(_ notices: [Notice], on terminal: CommandTerminal?) async {
    let delivery = NoticeDelivery(settings, environment: environment, terminal: terminal)
    for notice in notices { await delivery.deliver(notice) }
  }

  /// What this program has to tell of after it has stored a notice; in quiet time only what is critical.
  private func duty(of notice: Notice) -> [Notice] {
    guard !settings.ways.isEmpty, notice.state == .waiting else { return [] }
    let isQuiet = QuietTime.current(StateFolders(environment: environment)) != nil
    guard !isQuiet || notice.content.urgency == .critical else { return [] }
    let duty = PageRegister(store).duty(afterPosting: notice)
    return isQuiet ? duty.filter { $0.content.urgency == .critical } : duty
  }
}

/// The terminal of a command, to which sequences are written that are no output of it.
///
/// A class because it owns the descriptor.
final class CommandTerminal: NoticeTerminal {
  let descriptor: Int32
  let identity: TerminalIdentity

  /// The terminal of the session, else that of standard error; nil without one.
  convenience init?() {
    let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var descriptor = unsafe open("/dev/tty", flags)
    if descriptor < 0, isatty(STDERR_FILENO) == 1 {
      descriptor = unsafe open("/proc/self/fd/\(STDERR_FILENO)", flags)
    }
    self.init(descriptor)
  }

  /// The number of the descriptor with which a process passes its terminal on to another one.
  static let passedOn: Int32 = 3

  /// The terminal that another process has passed on; nil if it has none.
  convenience init?(passedOn descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    self.init(fcntl(descriptor, F_DUPFD_CLOEXEC, 4))
  }

  private init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    identity = TerminalIdentity(environment: HostProcess.environment())
    guard descriptor >= 0, isatty(descriptor) == 1 else { return nil }
  }

  isolated deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func send(_ bytes: [UInt8]) -> Bool {
    // A job in the background would be stopped where the terminal is set so (stty tostop).
    signal(SIGTTOU, SIG_IGN)
    // One call, so that nothing of another program comes between. A terminal that takes no more is not waited for.
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    return count == bytes.count
  }
}

/// The hidden command that tells of notices which other programs have stored.
struct TellNoticesCommand: Command {
  static let name = "tell-notices"

  static let syntax = CommandSyntax<TellNoticesCommand>(
    name,
    "tell of notices",
    expected: "numbers of notices; the program starts this command itself",
    operands: [.rest("NUMBER...", .text, \.words)],
    isHidden: true
  )

  var options = CommonOptions()
  private var words: [String] = []

  func run() async throws(CommandError) -> ExitCode {
    let settings = UserConfiguration(environment: options.environment).settings.notices
    await NoticeTelling(settings, options.environment).tell(words.compactMap { Int($0) })
    return .success
  }
}
