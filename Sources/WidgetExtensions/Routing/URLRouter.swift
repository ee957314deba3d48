import Glibc
public import WidgetKitCore
package import WidgetPlatform

/// Finds what opens a URL, and starts it: the app of the widget that asks, the command that the user set
/// for the scheme, another app that registered it, or a program of the desktop.
@MainActor public final class URLRouter {
  /// The schemes that the desktop opens even if no desktop file has registered them.
  public static let desktopSchemes: Set<String> = ["http", "https", "mailto", "file"]
  /// The schemes that nothing opens: they run code in, or show something other than, what was asked for.
  public static let forbiddenSchemes: Set<String> = ["javascript", "data", "about", "today"]

  /// The apps and their schemes.
  public var registry = SchemeRegistry(apps: [])
  /// Hands the screen over to a program; nil if there is no screen, in which case nothing is opened.
  public var handover: ((TerminalProgram) -> Void)?

  /// Called when an app was started.
  package var onAppStart: ((AppBundle) -> Void)?

  /// Decides whether apps are started in the sandbox; nil where none is.
  package var apps: AppConfinement?

  /// Answers in the place of programs, in a test.
  package var standIns: StandIns?

  /// The limit on the bytes of a URL.
  public var byteLimit = CheckedURL.byteLimit

  /// How often a URL may be passed on by a handler that opens another one.
  public var hopLimit = 3
  /// The environment variable that tells a handler how often.
  private static let hopsVariable = "TODAY_URL_HOPS"
  /// How long `xdg-open` may run before the URL counts as opened.
  private static let desktopPatience: Duration = .seconds(2)

  /// The user's commands, by scheme in lower case.
  public var openers: [String: URLOpener] = [:]

  /// The environment of the programs.
  package let environment: [String: String]
  private let clock: any HostClock
  private let desktop: DesktopApps
  private let hops: Int

  package init(environment: [String: String], clock: any HostClock) {
    self.clock = clock
    hops = max(0, environment[Self.hopsVariable].flatMap(Int.init) ?? 0)
    var environment = environment
    environment[Self.hopsVariable] = "\(hops.addingSaturated(1))"
    self.environment = environment
    desktop = DesktopApps(environment: environment, clock: clock)
  }

  /// Whether the chain of handlers that started this program has reached the limit.
  public var isAtHopLimit: Bool { hops >= hopLimit }

  /// Checks a URL before anything is looked for.
  ///
  /// - Throws: ``URLRefusal`` if it is not a URL, or cannot be opened now.
  package func check(_ text: String) throws(URLRefusal) -> CheckedURL {
    guard text.utf8.count <= byteLimit else {
      throw .tooLong(bytes: text.utf8.count, limit: byteLimit)
    }
    guard let url = CheckedURL(text, byteLimit: byteLimit) else { throw .notURL(text) }
    guard !Self.forbiddenSchemes.contains(url.scheme) else {
      throw .forbiddenScheme(url.scheme)
    }
    guard handover != nil else { throw .noScreen }
    guard !isAtHopLimit else { throw .tooManyHops(hopLimit) }
    return url
  }

  /// Opens a URL; `completion` receives nil when a handler was started, and otherwise the reason.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - caller: The app that makes the request, which is preferred if several claim the scheme.
  ///   - completion: Called once.
  public func open(
    _ text: String,
    from caller: AppBundle? = nil,
    completion: @escaping (URLRefusal?) -> Void
  ) {
    do throws(URLRefusal) {
      let url = try check(text)
      find(url, from: caller) { [weak self] handler in
        guard let self, let handler else { return completion(.noHandler(scheme: url.scheme)) }
        start(handler, url, completion: completion)
      }
    } catch {
      completion(error)
    }
  }

  // MARK: - What opens it

  /// Finds what opens a URL; `completion` is called once, with nil if nothing does.
  package func find(
    _ url: CheckedURL,
    from caller: AppBundle?,
    completion: @escaping (URLHandler?) -> Void
  ) {
    guard standIns == nil else { return completion(.standIn) }
    let app = registry.app(forScheme: url.scheme, calledFrom: caller)
    if let app, app.path == caller?.path { return completion(.app(app)) }
    if let opener = openers[url.scheme] { return completion(.command(opener)) }
    if let app { return completion(.app(app)) }
    desktop.find(scheme: url.scheme) { entry in
      let isForDesktop = Self.desktopSchemes.contains(url.scheme)
      completion(entry.map { .desktop($0) } ?? (isForDesktop ? .xdgOpen : nil))
    }
  }

  // MARK: - Starting it

  /// Starts a handler; `completion` is called once, with nil when it was started.
  package func start(
    _ handler: URLHandler,
    _ url: CheckedURL,
    completion: @escaping (URLRefusal?) -> Void
  ) {
    let refusal = URLRefusal.didNotStart(handler: handler.name)
    switch handler {
    case .app(let app):
      start(app, url, completion)
    case .command(let opener):
      guard let launch = launch(opener.command(for: url.text)) else {
        return completion(.missing(program: handler.name))
      }
      start(launch, onTerminal: opener.usesTerminal) { completion($0 ? nil : refusal) }
    case .desktop(let entry):
      guard let launch = launch(entry.command(for: url)) else {
        return completion(.missing(program: handler.name))
      }
      start(launch, onTerminal: entry.needsTerminal) { completion($0 ? nil : refusal) }
    case .xdgOpen:
      guard let launch = launch(["xdg-open", url.text]) else {
        return completion(.noDesktop(scheme: url.scheme))
      }
      startDesktop(launch) { completion($0 ? nil : refusal) }
    case .standIn: completion(standIns?.open(url) == true ? nil : refusal)
    }
  }

  private func start(
    _ app: AppBundle,
    _ url: CheckedURL,
    _ completion: @escaping (URLRefusal?) -> Void
  ) {
    let launch: LaunchDescription
    do throws(HostError) {
      launch = try self.launch(app, [url.text])
    } catch {
      return completion(.notAnswered(error.description))
    }
    // A graphical program, or one that hangs, would keep the keyboard and show nothing.
    let usesTerminal = app.infoPlist.needsTerminal && !app.infoPlist.isBackgroundOnly
    start(launch, onTerminal: usesTerminal) { [weak self] hasStarted in
      if hasStarted { self?.onAppStart?(app) }
      completion(hasStarted ? nil : .didNotStart(handler: app.executablePath))
    }
  }

  private func launch(
    _ app: AppBundle,
    _ arguments: [String]
  ) throws(HostError) -> LaunchDescription {
    if let apps { return try apps.start(app, arguments) }
    let containers = StateFolders(environment: environment).containers(of: app)
    StateFolders.make(containers)
    return LaunchDescription(
      program: app.executablePath,
      arguments: arguments,
      environment: WidgetEnvironment.make(forAppFrom: environment, containers: containers),
      folder: app.path
    )
  }

  private func start(
    _ launch: LaunchDescription,
    onTerminal: Bool,
    _ completion: @escaping (Bool) -> Void
  ) {
    if onTerminal {
      handover?(TerminalProgram(launch, didStart: completion))
    } else {
      completion(start(launch))
    }
  }

  /// Starts `xdg-open`, whose exit status tells whether a program was started; one that goes on running
  /// is the program.
  private func startDesktop(
    _ launch: LaunchDescription,
    _ completion: @escaping (Bool) -> Void
  ) {
    var answer: ((Bool) -> Void)? = completion
    let timer = clock.schedule(after: Self.desktopPatience) {
      answer?(true)
      answer = nil
    }
    let isStarted = start(launch) { status in
      timer.cancel()
      answer?(status == .exited(0))
      answer = nil
    }
    guard !isStarted else { return }
    timer.cancel()
    answer?(false)
    answer = nil
  }

  /// How a command is started; nil where there is no such program.
  private func launch(_ command: [String]) -> LaunchDescription? {
    guard let name = command.first, let program = program(name) else { return nil }
    return LaunchDescription(
      program: program,
      arguments: Array(command.dropFirst()),
      environment: environment
    )
  }

  /// The path of a program; a name without a slash is looked for in `PATH`.
  private func program(_ name: String) -> String? {
    if name.contains("/") { return name.hasPrefix("/") ? name : nil }
    return ToolSearch.path(of: name, in: environment)
  }

  /// Starts a program with its streams connected to /dev/null, and collects it when it ends.
  private func start(
    _ launch: LaunchDescription,
    onExit: @escaping (TerminationStatus) -> Void = { _ in }
  ) -> Bool {
    let terms = ChildRun.Terms(isolation: .detached)
    return (try? ChildRun(launch, terms) { onExit($0.status) }) != nil
  }
}
