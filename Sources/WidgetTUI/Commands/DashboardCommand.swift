import Glibc
import Notices
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
    options: [
      .flag("--locked", \.isLocked): "open it locked",
      .flag("--version", \.printsVersion): "print the version",
    ]
  )

  var options = CommonOptions()
  private var isLocked = false
  private var printsVersion = false

  func run() async throws(CommandError) -> ExitCode {
    guard !printsVersion else {
      StandardStreams.writeLine(SafeText("today \(HostVersion.current)"))
      return .success
    }
    let executable = HostProcess.executablePath()
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: executable
    )
    configuration.widgetFolders = options.widgetFolders
    configuration.tracePath = options.tracePath
    configuration.isLocked = isLocked
    let paths = SearchPaths(
      named: options.widgetFolders,
      environment: options.environment,
      executable: executable
    )
    let screen: CursesScreen
    do throws(ScreenError) {
      screen = try CursesScreen(environment: options.environment)
    } catch {
      throw .unavailable(error.description)
    }
    let dashboard: Dashboard
    let user = UserConfiguration(
      environment: options.environment,
      commands: KeyMap.standard.names
    )
    let desktop = DesktopNotices(options, user.settings)
    let others = HostNotices(
      NoticeStore(StateFolders(environment: options.environment), settings: user.settings.notices),
      environment: options.environment
    )
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
          guard user.settings.usesControlGroups else { return completion() }
          ControlGroupScope.prepare(environment: environment, completion: completion)
        }
      )
    } catch {
      throw .failure(error.description)
    }
    await dashboard.runToEnd()
    return .success
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
