import CPlatform
import FoundationEssentials
import Glibc
import PageRecords
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Somebody who has logged in to look at a page: `today serve --public`.
///
/// The process starts no widget: it shows what the engine of the page stores, and gives up everything else before it reads
/// a key.
struct PublicLogin {
  private let options: CommonOptions
  private let page: PageName
  private let viewers: Int
  /// Whether there is a terminal, and no command was given that would be run in its place.
  private let isAttended: Bool

  /// The most cells of a screen, of which each takes about 100 bytes here: somebody may claim to have a very large one.
  private static let cellLimit = 60_000
  /// How long the text of a page waits for the first update of its widgets.
  private static let firstUpdate: Duration = .seconds(12)

  /// Takes over what the login says of itself; an empty name stands for the first page.
  ///
  /// - Throws: ``CommandError`` with `missing` if there is no such page.
  init(_ name: String, _ options: CommonOptions, viewers: Int) throws(CommandError) {
    let command = options.environment["SSH_ORIGINAL_COMMAND"] ?? ""
    isAttended = command.isEmpty && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let environment = LoginEnvironment(options.environment)
    environment.adopt()
    var options = options
    options.environment = environment.variables
    (self.options, self.viewers) = (options, viewers)
    let pages = PageBook(options).pages
    guard !name.isEmpty else {
      page = pages.first ?? .home
      return
    }
    guard let wanted = PageName(rawValue: name) else {
      throw .usage("--public \(SafeText(name)): expected \(PageName.rule)")
    }
    // A stranger is not told which pages there are.
    guard let found = pages.first(where: { $0.isSame(as: wanted) }) else {
      throw .missing("there is no such page")
    }
    page = found
  }

  /// Shows the page until the person quits, or once.
  ///
  /// - Throws: ``CommandError`` with `unavailable` if that is not possible safely, or too many people look at it.
  func run() async throws(CommandError) -> ExitCode {
    let file = PublicPage(page, StateFolders(environment: options.environment))
    let lockFile: Int32?
    do throws(FileFault) {
      lockFile = try file.enter(limit: viewers)
    } catch {
      throw .unavailable("the page cannot be shown: \(error.words)")
    }
    guard let lockFile else {
      let others = viewers == 1 ? "somebody looks" : "\(viewers) people look"
      throw .unavailable("\(others) at this page already; try again later")
    }
    do throws(HostError) {
      try file.standBy(for: page, environment: options.environment)
    } catch {
      throw .unavailable(error.description)
    }
    guard isAttended, let dashboard = try makeDashboard() else {
      return try await printPage(lockFile)
    }
    let changes: DescriptorWatch
    do throws(CommandError) {
      changes = try follow(file, dashboard.center)
      try confine()
    } catch {
      dashboard.screen.release()
      throw error
    }
    await dashboard.runToEnd { withExtendedLifetime(changes) {} }
    return .success
  }

  /// Shows what the engine stores as it does; the watch of it has to be kept.
  private func follow(
    _ file: PublicPage,
    _ center: WidgetCenter
  ) throws(CommandError) -> DescriptorWatch {
    guard let changes = file.changes({ center.follow() }) else {
      throw .unavailable("the page cannot be followed (error \(errno)); try again later")
    }
    return changes
  }

  /// Gives up everything but looking, for good.
  private func confine() throws(CommandError) {
    let code = platform_confine_viewer()
    guard code != 0 else { return }
    throw .unavailable(
      "the page cannot be shown safely, as this kernel has no filter of system calls (seccomp): \(unsafe String(cString: strerror(code)))"
    )
  }

  /// The page on the terminal; nil if the terminal cannot show it.
  private func makeDashboard() throws(CommandError) -> Dashboard? {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    (configuration.role, configuration.isLocked) = (.viewer, true)
    configuration.schedulesUpdates = false
    // A guardian kills the process groups that are written to its pipe, which a viewer could still write to.
    platform_guardian_refuse()
    let screen: any Screen
    do throws(CommandError) {
      screen = try Dashboard.openScreen(nil, options.environment, cellLimit: Self.cellLimit)
    } catch {
      StandardStreams.writeLine("This terminal cannot show the page, which follows as text.")
      return nil
    }
    do throws(HostError) {
      let dashboard = try Dashboard(
        configuration,
        user: UserConfiguration(environment: options.environment, commands: KeyMap.standard.names),
        searchedFolders: [],
        screen: screen,
        events: TerminalEvents()
      )
      dashboard.center.load()
      dashboard.center.screen.show(page: page)
      return dashboard
    } catch {
      throw .unavailable(error.description)
    }
  }

  /// Prints the page as text, when its widgets have been updated once.
  private func printPage(_ lockFile: Int32) async throws(CommandError) -> ExitCode {
    let deadline = ContinuousClock.now + Self.firstUpdate
    while !PublicPage.isReady(lockFile), ContinuousClock.now < deadline, StandardStreams.hasReader {
      await pause()
    }
    let command = try CommandParser.parse(
      ["snapshot", "--cached", "--locked", "--page", page.rawValue],
      environment: options.environment
    )
    try confine()
    // What is wrong with cards and settings is for the owner of the page.
    _ = try await command.run()
    return .success
  }

  private func pause() async {
    let clock = SystemClock()
    var timer: (any HostTimer)?
    await withCheckedContinuation { continuation in
      timer = clock.schedule(after: .milliseconds(100)) { continuation.resume() }
    }
    timer?.cancel()
  }
}
