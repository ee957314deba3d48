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
    let builds = paths.compactMap { DevBuild(bundle: $0) }
    let files = BundleFiles(paths)
    // A package that was never built has no program to show.
    for build in builds {
      let errors = await build.run(environment: options.environment)
      guard errors.isEmpty else {
        throw .failure(errors.joined(separator: "\n") + "\n\(build.path) has failed")
      }
    }
    let built = files.changed
    _ = try NamedBundles.read(paths, environment: options.environment)
    let clock = SteppedClock()
    let screen = try openScreen()
    let dashboard = try dashboard(on: screen, clock)
    let session = DevSession(dashboard.center, screen, clock) { [weak dashboard] in
      dashboard?.redraw()
    }
    if waitsForDebugger { say(session, dashboard.center) }
    let watch = Task { await follow(session, builds, except: built) }
    await withCheckedContinuation { continuation in
      dashboard.run { continuation.resume() }
    }
    watch.cancel()
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
    _ clock: SteppedClock
  ) throws(CommandError) -> Dashboard {
    var configuration = CenterConfiguration(
      environment: options.environment,
      executablePath: HostProcess.executablePath()
    )
    configuration.widgetFolders = paths
    configuration.tracePath = options.tracePath
    configuration.clock = clock
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

  /// Builds and starts again what is saved, except for the programs that a build has made.
  private func follow(
    _ session: DevSession,
    _ builds: [DevBuild],
    except built: Set<String>
  ) async {
    let folders = paths + builds.map(\.folder)
    var files = BundleFiles(folders, except: built)
    while !Task.isCancelled {
      await files.change()
      guard !Task.isCancelled else { return }
      // What is saved during the build makes another one.
      files = BundleFiles(folders, except: built)
      var errors: [String: [String]] = [:]
      for build in builds {
        errors[build.bundle] = await build.run(environment: options.environment)
      }
      session.show(buildErrors: errors)
      if errors.values.allSatisfy(\.isEmpty) { session.restart() }
    }
  }
}
