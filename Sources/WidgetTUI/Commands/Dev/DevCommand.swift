import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions
import WidgetTesting

/// `today dev BUNDLE...`: widgets alone on a page, built and started again when a file is saved.
struct DevCommand: Command {
  static let name = "dev"
  static let syntax = CommandSyntax<DevCommand>(
    name,
    "show extensions alone, and again whenever a file is saved",
    expected: "a bundle or a script",
    details: """
      Shows widgets alone on a page, with the messages that are exchanged beside it. When a file of a bundle is saved,
      its process is replaced; its data is kept and shared with the card on the page, unless --data names a folder. A
      package with a script “build” beside the bundle is built first, also before it is shown the first time; errors are
      shown in the card with file and line, while the last program keeps running. What a widget writes to standard error
      is shown above the messages. Ctrl-D and a key send what happens on a page: Ctrl-D ? lists them. They show and hide
      the page, ask for an update, switch More and Less, warn of memory, deny activities, or let their time run out, post
      notifications, report a transfer, kill, change the width and the locale, and put the clock of the page forward, by
      a time or to the next thing that is due.

      A share extension or an action gets a request, with the content in the file of --request, or with one that its rule
      accepts; its sheet or its view is shown below the prompt. When it has ended, what it has returned and the messages are
      printed, and the next request begins when a file is saved, or Enter is pressed.
      """,
    operands: [.several("BUNDLE", .bundle, \.paths)],
    options: [
      .value("--width N", .number(16...1_000), \.width):
        "columns of the page, 16 to 1000; 60 by default",
      .custom("--locale LOCALE") { $0.options.environment["LC_ALL"] = $1.text + ".UTF-8" }:
        "the locale of the widgets, such as de_DE",
      .custom("--data DIR", .path) { target, folder throws(CommandError) in
        try target.options.keepData(in: folder.text)
      }:
        "a folder for the data, the logs and the permissions of the widgets, made if it is missing",
      .value("--request FILE", .path, \.request): """
      the content for a share extension or an action, as in a scenario: { "request": { "text": "a note" } }, or \
      a scenario, whose first request is taken
      """,
      .flag("--wait-for-debugger", \.waitsForDebugger):
        "no deadlines; says how to attach to the widgets' own programs",
    ]
  )

  var options = CommonOptions()
  private var paths: [String] = []
  private var width: Int? = 60
  private var request: String?
  private var waitsForDebugger = false

  func run() async throws(CommandError) -> ExitCode {
    let builds = DevBuild.all(of: paths)
    // A package that was never built has no program yet.
    let built = Set(builds.flatMap(\.bundles))
    let environment = options.environment
    if try isRequest(built) {
      guard paths.count == 1, let path = paths.first else {
        throw .usage("expected one share extension or action, and not several extensions")
      }
      await DevRequest(path, contentPath: request, options, build: builds.first).run()
    }
    guard request == nil else { throw .usage("--request is for a share extension or an action") }
    _ = try NamedBundles.read(paths.filter { !built.contains($0) }, environment: environment)
    _ = try NamedBundles.read(
      paths.filter(built.contains),
      environment: environment,
      acceptingMissingPrograms: true
    )
    let clock = SteppedClock()
    let screen = try openScreen()
    let members = MemberWatch()
    let dashboard = try dashboard(on: screen, clock, builds, members)
    let session = DevSession(dashboard.center, screen, clock, members) { [weak dashboard] in
      dashboard?.redraw()
    }
    if waitsForDebugger { say(session, dashboard.center) }
    let watch = Task { await follow(session, builds) }
    await dashboard.runToEnd {
      watch.cancel()
      for build in builds { build.interrupt() }
    }
    return .success
  }

  /// Whether one of the paths is a share extension or an action.
  private func isRequest(_ built: Set<String>) throws(CommandError) -> Bool {
    for path in paths {
      let kinds = try NamedBundles.extensions(
        [path],
        environment: options.environment,
        acceptingMissingPrograms: built.contains(path)
      )
      for case .content in kinds { return true }
    }
    return false
  }

  private func openScreen() throws(CommandError) -> DevScreen {
    do throws(ScreenError) {
      let screen = DevScreen(try CursesScreen(environment: options.environment))
      screen.panel.width = width
      return screen
    } catch {
      throw .unavailable(error.description)
    }
  }

  private func dashboard(
    on screen: DevScreen,
    _ clock: SteppedClock,
    _ builds: [DevBuild],
    _ members: MemberWatch
  ) throws(CommandError) -> Dashboard {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    configuration.widgetFolders = paths
    configuration.tracePath = options.tracePath
    configuration.clock = clock
    configuration.acceptsMissingPrograms = !builds.isEmpty
    configuration.interpose = { usual in
      { bundle, id, report throws(HostError) in
        let isWaiting = builds.contains { build in
          !build.hasSucceeded
            && build.bundles.contains { bundle.path == $0 || bundle.path.hasPrefix($0 + "/") }
        }
        guard isWaiting else { return try members.interpose(usual)(bundle, id, report) }
        return UnbuiltWidget(report: report)
      }
    }
    // From the first step on, the time of the widgets is that of the page, to a second.
    configuration.hostDate = { [weak clock] in
      guard let clock, clock.offset > .zero else { return nil }
      return Date(timeIntervalSince1970: clock.date.timeIntervalSince1970.rounded(.down))
    }
    if waitsForDebugger { configuration.policy = .withoutDeadlines }
    do throws(HostError) {
      return try Dashboard(
        configuration,
        user: UserConfiguration(
          environment: options.environment,
          commands: KeyMap.standard.names
        ),
        searchedFolders: paths,
        screen: screen,
        events: TerminalEvents(),
        sharing: PageShare(options, canPin: false)
      )
    } catch {
      throw .failure(error.description)
    }
  }

  /// Says how to attach a debugger, when the processes run.
  private func say(_ session: DevSession, _ center: WidgetCenter) {
    Task {
      var programs: [Int32] = []
      while programs.isEmpty, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(100))
        programs = center.page.all.compactMap { RehearsedPage(center, $0.id).program }
      }
      let list = programs.map { "\($0)" }.joined(separator: ", ")
      session.note("no deadlines: gdb -p \(list), or lldb -p \(list)")
    }
  }

  /// Builds what has to be built, then builds and starts again what is saved.
  private func follow(_ session: DevSession, _ builds: [DevBuild]) async {
    let folders = paths + builds.map(\.folder)
    // What builds change themselves is not a reason for another one.
    let made = paths + builds.map { "\($0.folder)/Package.resolved" }
    var files = BundleFiles(folders)
    var restless = RestlessFiles()
    if builds.isEmpty { await files.change() }
    while !Task.isCancelled {
      // What is saved during the build makes another one.
      files = BundleFiles(folders)
      let results = await run(builds, session)
      guard !Task.isCancelled else { return }
      files.renew(made)
      session.show(results)
      let pause = restless.pause
      if let path = restless.paths.min(), results.allSatisfy(\.errors.isEmpty) {
        session.note(path, changesAgainFor: pause)
      }
      let start = ContinuousClock.now
      let changed = await files.change(without: restless.paths, for: pause)
      restless.note(changed, after: start.duration(to: .now) - pause)
    }
  }

  private func run(
    _ builds: [DevBuild],
    _ session: DevSession
  ) async -> [(build: DevBuild, errors: [String])] {
    var results: [(DevBuild, [String])] = []
    for build in builds where !Task.isCancelled {
      session.show(build, progress: nil)
      let errors = await build.run(environment: options.environment, check: problem) { line in
        session.show(build, progress: line)
      }
      results.append((build, errors))
    }
    return results
  }

  /// What is wrong with bundles; nil if nothing is.
  private func problem(with bundles: [String]) -> String? {
    do throws(CommandError) {
      _ = try NamedBundles.read(bundles, environment: options.environment)
      return nil
    } catch {
      return error.description
    }
  }
}
