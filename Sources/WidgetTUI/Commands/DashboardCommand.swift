import Glibc
import Notices
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today`: the dashboard.
struct DashboardCommand: Command {
  static let name = "today"
  static let syntax = CommandSyntax<DashboardCommand>(
    name,
    "open the dashboard; ? lists the keys, q quits",
    operands: [.optional("PAGE|ID", .widget, \.shownName)],
    options: [
      .value("--height N|N%", .height, \.height): """
      in N rows below the prompt, or in that part of the terminal; what is above stays
      """,
      .flag("--popup", \.opensPopup): "in a popup of tmux, zellij or kitty",
      .flag("--locked", \.isLocked): "open it locked",
      .flag("--version", \.printsVersion): "print the version",
    ]
  )

  var options = CommonOptions()
  private var isLocked = false
  private var printsVersion = false
  /// The rows below the prompt; nil for the whole terminal.
  private var height: InlineHeight?
  private var opensPopup = false
  /// The page, or the card that is shown alone.
  private var shownName: String?

  /// Whether an option says where the page is shown, so that what follows it is not a command.
  static func isPlaced(by option: String) -> Bool {
    option == "--popup" || option == "--height" || option.hasPrefix("--height=")
  }

  mutating func validate() throws(CommandError) {
    guard height == nil || !opensPopup else { throw Self.misused("expected --height or --popup") }
  }

  func run() async throws(CommandError) -> ExitCode {
    guard !printsVersion else {
      StandardStreams.writeLine(SafeText("today \(HostVersion.current)"))
      return .success
    }
    if opensPopup { try SharePopup.openPage(environment: options.environment) }
    let executable = HostProcess.executablePath()
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: executable
    )
    configuration.widgetFolders = options.widgetFolders
    configuration.tracePath = options.tracePath
    configuration.isLocked = isLocked
    // A widget that is on no page has a card then.
    if let shownName { configuration.namedWidgets = [shownName] }
    let paths = SearchPaths(
      named: options.widgetFolders,
      environment: options.environment,
      executable: executable
    )
    let screen = try Dashboard.openScreen(height, options.environment)
    let user = UserConfiguration(
      environment: options.environment,
      commands: KeyMap.standard.names
    )
    let desktop = DesktopNotices(options, user.settings)
    let others = HostNotices(
      NoticeStore(StateFolders(environment: options.environment), settings: user.settings.notices),
      environment: options.environment
    )
    let subscriptions = SubscriptionFollower(options)
    let dashboard: Dashboard
    do throws(HostError) {
      dashboard = try Dashboard(
        configuration,
        user: user,
        searchedFolders: paths.folders,
        screen: screen,
        events: TerminalEvents(),
        sharing: PageShare(options, canPin: options.widgetFolders.isEmpty),
        prepareWidgets: { [environment = options.environment] completion in
          if user.settings.notices.includesDesktop { desktop.start() }
          if user.settings.notices.includesHosts { others.start() }
          subscriptions.start()
          guard user.settings.usesControlGroups else { return completion() }
          ControlGroupScope.prepare(environment: environment, completion: completion)
        }
      )
    } catch {
      throw .failure(error.description)
    }
    if let shownName {
      do throws(CommandError) {
        try dashboard.begin(with: shownName)
      } catch {
        screen.release()
        throw error
      }
    }
    await dashboard.runToEnd()
    return .success
  }
}

extension Dashboard {
  /// The terminal, or the rows of it that are wanted.
  static func openScreen(
    _ height: InlineHeight?,
    _ environment: [String: String],
    cellLimit: Int = TerminalSize.cellLimit
  ) throws(CommandError) -> any Screen {
    do throws(ScreenError) {
      guard let height else {
        return try CursesScreen(environment: environment, cellLimit: cellLimit)
      }
      return try InlineScreen(height, environment: environment)
    } catch {
      throw .unavailable(error.description)
    }
  }
}

extension ArgumentType where Value == InlineHeight {
  /// Rows, or a part of the terminal.
  static var height: Self {
    Self { argument throws(CommandError) in
      guard let height = InlineHeight(argument.text) else {
        throw argument.expected("rows, such as 20, or a part of the terminal, such as 40%")
      }
      return height
    }
  }
}

extension Dashboard {
  /// Begins with the page of a name, else with the card of a widget alone.
  fileprivate func begin(with name: String) throws(CommandError) {
    center.load()
    if let page = PageName(rawValue: name), center.screen.show(page: page) { return }
    let ids = try center.page.catalog.required(name)
    guard let card = center.page.all.first(where: { ids.contains($0.id) }) else {
      throw .missing("“\(name)” is on no page; “today add \(name)” adds it")
    }
    center.screen.show(page: card.page)
    takeChanges()
    model.place.focus = PageFocus(card: card.id)
    model.place.zoom = PageZoom(card: card.id)
    pageDidChange()
  }
}

extension Dashboard {
  /// Shows the page until the user quits, and ends the program.
  ///
  /// Not by continuing a task, which needs a thread: where the system gives none (RLIMIT_NPROC), the
  /// program would wait for one instead of ending.
  /// - Parameter end: What is to be done after the quit.
  func runToEnd(_ end: @escaping () -> Void = {}) async {
    await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
      run {
        withExtendedLifetime(self, end)
        exit(ExitCode.success.rawValue)
      }
    }
  }
}
