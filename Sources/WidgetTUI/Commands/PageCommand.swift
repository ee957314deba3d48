import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// `today page`: the page of another machine, drawn here.
struct PageCommand: Command {
  static let name = "page"
  static let syntax = CommandSyntax<PageCommand>(
    name,
    "open the page of another machine",
    expected: "a machine, and at most a page, such as today page me@nas",
    details: """
      Opens a page of another machine, the first one if none is named. Its widgets run there, through
      one connection of ssh, with the settings, the sandbox and the limits of that machine; layout,
      theme, motion and keys are those of this one. While the machine is away the last pictures stay.
      HOST is a machine as ssh has it, such as me@nas, or a name in “hosts” of config.json.

      today must be installed there, and ssh must be able to log in without a question.
      Exit status: 69 if the machine cannot be reached and its page was never shown.
      """,
    operands: [.one("HOST", .text(.hosts), \.machine), .optional("PAGE", .text, \.page)],
    options: [
      .value("--height N|N%", .height, \.height): """
      in N rows below the prompt, or in that part of the terminal; what is above stays
      """,
      .flag("--locked", \.isLocked): "open it locked",
    ]
  )

  var options = CommonOptions()
  private var machine = ""
  private var page: String?
  private var height: InlineHeight?
  private var isLocked = false

  func run() async throws(CommandError) -> ExitCode {
    guard options.widgetFolders.isEmpty else {
      throw .usage("--widgets cannot be used with the page of another machine")
    }
    let user = UserConfiguration(
      environment: options.environment,
      commands: KeyMap.standard.names
    )
    RemoteHosts.shared.names = HostNames(user.settings.hosts)
    let destination = try MachineChoice(RemoteHosts.shared.names).one(machine)
    let environment = StateFolders.environment(
      options.environment,
      forPage: page,
      of: destination
    )
    let cards = StateFolders(environment: environment).machinePage
    let remote = RemotePage(
      page,
      of: RemoteHosts.shared.host(destination, environment: options.environment),
      environment: options.environment,
      limits: user.settings.limits
    )
    if !PageList.isKept(in: cards) { try await fetch(remote, into: cards) }
    keepCards(of: remote, in: cards, StateFolders(environment: environment).snapshots)
    remote.connect()

    var configuration = CenterConfiguration(
      environment: environment,
      executablePath: HostProcess.executablePath()
    )
    configuration.machine = destination
    configuration.widgetFolders = [cards]
    configuration.tracePath = options.tracePath
    configuration.isLocked = isLocked
    configuration.interpose = { _ in
      { bundle, _, report throws(HostError) in
        remote.open(PageList.card(of: bundle), report: report)
      }
    }
    let screen = try Dashboard.openScreen(height, options.environment)
    let dashboard: Dashboard
    do throws(HostError) {
      dashboard = try Dashboard(
        configuration,
        user: user,
        searchedFolders: [cards],
        screen: screen,
        events: TerminalEvents(),
        sharing: PageShare(options, canPin: false)
      )
    } catch {
      throw .failure(error.description)
    }
    await dashboard.runToEnd()
    return .success
  }

  /// Asks for the cards of a page that was never shown here.
  private func fetch(_ remote: RemotePage, into folder: String) async throws(CommandError) {
    let (answers, answer) = AsyncStream.makeStream(of: Result<[PageCard], CommandError>.self)
    remote.onCards = {
      answer.yield(.success($0))
      answer.finish()
    }
    remote.onTrouble = {
      answer.yield(.failure(.unavailable(SafeText($0).string)))
      answer.finish()
    }
    remote.connect()
    for await found in answers {
      let list = PageList(try found.get())
      try CommandError.from { () throws(HostError) in try list.keep(in: folder) }
    }
    (remote.onCards, remote.onTrouble) = (nil, nil)
  }

  /// Takes over the cards of the page whenever the machine tells of them.
  private func keepCards(of remote: RemotePage, in folder: String, _ snapshots: String) {
    let keeper = CardKeeper(folder, snapshots)
    remote.onCards = { keeper.keep($0) }
  }
}

/// Keeps the cards of a page, one list at a time, however often its machine tells of them, and no pictures of others.
private final class CardKeeper {
  private let folder: String
  private let snapshots: String
  private var next: [PageCard]?
  private var isAtWork = false

  init(_ folder: String, _ snapshots: String) {
    (self.folder, self.snapshots) = (folder, snapshots)
  }

  func keep(_ cards: [PageCard]) {
    next = cards
    goOn()
  }

  private func goOn() {
    guard !isAtWork, let cards = next else { return }
    (isAtWork, next) = (true, nil)
    Worker.background.async { [weak self, folder, snapshots] in
      let list = PageList(cards)
      // Without space the cards are those of before.
      try? list.keep(in: folder)
      SnapshotFolder.removeOthers(than: list.identities, below: snapshots)
      MainQueue.perform {
        self?.isAtWork = false
        self?.goOn()
      }
    }
  }
}

/// The machines that a command can name.
struct MachineChoice {
  private let names: HostNames

  init(_ names: HostNames) {
    self.names = names
  }

  /// A single machine.
  ///
  /// - Throws: ``CommandError`` with `usage` if the text is no machine, or several.
  func one(_ text: String) throws(CommandError) -> RemoteDestination {
    guard let destination = RemoteDestination(text) else {
      throw .usage("“\(SafeText(text))” is not a machine; expected one such as me@nas")
    }
    guard !names.isFleet(destination) else {
      let machines = names.machines(of: destination).map(\.description).joined(separator: ", ")
      throw .usage("“\(destination)” stands for several machines; name one of \(machines)")
    }
    return destination
  }
}
