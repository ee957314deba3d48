import Glibc
public import WidgetKitCore

/// Opens URLs: by the command that the user set for the scheme, by the app that registered it,
/// or by the desktop for a few schemes.
public final class URLRouter {
  /// The schemes that are passed to the desktop.
  public static let desktopSchemes: Set<String> = ["http", "https", "mailto"]

  /// The apps and their schemes.
  public var registry = SchemeRegistry(apps: [])
  /// Hands the screen over to a program; nil if there is no screen, in which case nothing is opened.
  public var handover: ((TerminalProgram) -> Void)?

  /// The limit on the bytes of a URL.
  public var byteLimit = CheckedURL.byteLimit

  /// How often a URL may be passed on by a handler that opens another one.
  public var hopLimit = 3
  /// The environment variable that tells a handler how often.
  private static let hopsVariable = "TODAY_URL_HOPS"

  /// The user's commands, by scheme in lower case.
  public var openers: [String: [String]] = [:]

  private let environment: [String: String]
  private let hops: Int
  private var running: [ObjectIdentifier: ChildProcess] = [:]

  init(environment: [String: String]) {
    hops = max(0, environment[Self.hopsVariable].flatMap(Int.init) ?? 0)
    var environment = environment
    environment[Self.hopsVariable] = "\(hops.addingSaturated(1))"
    self.environment = environment
  }

  /// Whether the chain of handlers that started this program has reached the limit.
  public var isAtHopLimit: Bool { hops >= hopLimit }

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
    guard text.utf8.count <= byteLimit else {
      return completion(.tooLong(bytes: text.utf8.count, limit: byteLimit))
    }
    guard let url = CheckedURL(text, byteLimit: byteLimit) else {
      return completion(.notURL(text))
    }
    guard handover != nil else { return completion(.noScreen) }
    guard !isAtHopLimit else { return completion(.tooManyHops(hopLimit)) }
    if let command = openers[url.scheme], let program = command.first {
      completion(start(command, url) ? nil : .didNotStart(handler: program))
    } else if let app = registry.app(forScheme: url.scheme, calledFrom: caller) {
      let refusal = URLRefusal.didNotStart(handler: app.executablePath)
      open(url, with: app) { completion($0 ? nil : refusal) }
    } else if Self.desktopSchemes.contains(url.scheme) {
      openOnDesktop(url) { completion($0 ? nil : .didNotStart(handler: "xdg-open")) }
    } else {
      completion(.noHandler(scheme: url.scheme))
    }
  }

  private func open(
    _ url: CheckedURL,
    with app: AppBundle,
    _ completion: @escaping (Bool) -> Void
  ) {
    let launch = ChildProcess.Launch(
      executable: app.executablePath,
      arguments: [url.text],
      environment: environment,
      directory: app.path,
      isolation: .detached
    )
    // A graphical program, or one that hangs, would keep the keyboard and show nothing.
    if app.infoPlist.needsTerminal && !app.infoPlist.isBackgroundOnly {
      handover?(TerminalProgram(launch, didStart: completion))
    } else {
      completion(start(launch))
    }
  }

  /// Opens a URL with `xdg-open`, whose exit status tells whether a handler was started.
  private func openOnDesktop(_ url: CheckedURL, _ completion: @escaping (Bool) -> Void) {
    let isStarted = start(["xdg-open"], url) { completion($0 == .exited(0)) }
    if !isStarted { completion(false) }
  }

  /// Starts a command with the URL among its arguments; false where there is no such program.
  private func start(
    _ command: [String],
    _ url: CheckedURL,
    onExit: @escaping (TerminationStatus) -> Void = { _ in }
  ) -> Bool {
    guard let name = command.first, let program = program(name) else { return false }
    let launch = ChildProcess.Launch(
      executable: program,
      arguments: URLOpener.arguments(command, url: url.text),
      environment: environment,
      directory: "/",
      isolation: .detached
    )
    return start(launch, onExit: onExit)
  }

  /// The path of a program; a name without a slash is looked for in `PATH`.
  private func program(_ name: String) -> String? {
    if name.contains("/") { return name.hasPrefix("/") ? name : nil }
    return ToolSearch.path(of: name, in: environment)
  }

  /// Starts a program with its streams connected to /dev/null, and collects it when it ends.
  private func start(
    _ launch: ChildProcess.Launch,
    onExit: @escaping (TerminationStatus) -> Void = { _ in }
  ) -> Bool {
    let null = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    var launch = launch
    launch.streams = [null, null, null]
    var key: ObjectIdentifier?
    let child = try? ChildProcess(launch) { [weak self] status in
      if let key { self?.running[key] = nil }
      onExit(status)
    }
    guard let child else { return false }
    key = ObjectIdentifier(child)
    running[ObjectIdentifier(child)] = child
    return true
  }
}
