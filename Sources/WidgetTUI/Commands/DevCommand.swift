import FoundationEssentials
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today dev BUNDLE...`: widgets alone on a page, built and started again when a file is saved.
struct DevCommand: Command {
  private var options: CommonOptions
  private var paths: [String] = []
  private var width: Int? = 60
  private var waitsForDebugger = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--width": width = try reader.number(of: argument, in: 16...1_000)
      case "--locale":
        self.options.environment["LC_ALL"] = try reader.value(of: argument) + ".UTF-8"
      case "--data": try self.options.keepData(in: reader.value(of: argument))
      case "--wait-for-debugger": waitsForDebugger = true
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        guard let path = NamedBundles.absolute(argument) else {
          throw .missing("\(argument): no such bundle or script")
        }
        paths.append(path)
      }
    }
    guard !paths.isEmpty else {
      throw .usage("expected a bundle or a script; see “today help dev”")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let builds = DevBuild.all(of: paths)
    // A package that was never built has no program yet.
    let built = Set(builds.flatMap(\.bundles))
    let environment = options.environment
    _ = try NamedBundles.read(paths.filter { !built.contains($0) }, environment: environment)
    _ = try NamedBundles.read(
      paths.filter(built.contains),
      environment: environment,
      acceptingMissingPrograms: true
    )
    let clock = SteppedClock()
    let screen = try openScreen()
    let dashboard = try dashboard(on: screen, clock, builds)
    let session = DevSession(dashboard.center, screen, clock) { [weak dashboard] in
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
    _ builds: [DevBuild]
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
        guard isWaiting else { return try usual(bundle, id, report) }
        return UnbuiltWidget(report: report)
      }
    }
    // From the first step on, the time of the widgets is that of the page, to a second.
    configuration.toldDate = { [weak clock] in
      guard let clock, clock.offset > .zero else { return nil }
      return Date(timeIntervalSince1970: clock.date.timeIntervalSince1970.rounded(.down))
    }
    if waitsForDebugger { configuration.policy = .withoutDeadlines }
    do throws(HostError) {
      return try Dashboard(
        configuration,
        user: UserConfiguration(environment: options.environment),
        searchedFolders: paths,
        screen: screen,
        events: TerminalEvents()
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
        programs = center.allCards.compactMap { RehearsedPage(center, $0.id).program }
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
