package import ExtensionContent
import Glibc
package import WidgetKitCore
package import WidgetPlatform
import WidgetScripts

/// A script that is an action or a share extension, run once: content in, content out.
///
/// A class because it owns the process.
package final class FilterRun {
  /// How a run has ended.
  package enum Outcome {
    /// It has returned this content.
    case completed(RequestSpool)
    /// It has changed nothing; the reason is for the user.
    case cancelled(SafeText)
  }

  /// What a run is given besides its content.
  package struct Request {
    /// The type of the content.
    package var type: UniformType
    /// The name of the content; nil if it has none.
    package var name: String?
    /// The values of options by their names, of those that are not the script's own.
    package var options: [String: String] = [:]
    /// The terminal of its user, for what is copied by escape sequences; nil if there is none.
    package var terminal = HostProcess.terminalPath()

    package init(type: UniformType, name: String? = nil, options: [String: String] = [:]) {
      (self.type, self.name, self.options) = (type, name, options)
    }
  }

  /// How long it may be silent.
  private static let patience = Duration.seconds(30)

  private let clock: any HostClock
  private let output: RequestSpool
  private let byteLimit: Int
  private let completion: (Outcome) -> Void
  private var run: ChildRun?
  private var timer: (any HostTimer)?
  private var failure: SafeText?
  /// Whether the reason of its end is what the script has written to standard error.
  package private(set) var hasSaidWhy = false

  /// Starts a script.
  ///
  /// - Parameters:
  ///   - script: The script, and what it says of itself.
  ///   - input: The content.
  ///   - request: What it is given besides.
  ///   - environment: The user's environment, of which it gets what every extension gets.
  ///   - limits: The limits of extensions.
  ///   - clock: The clock of its time.
  ///   - completion: Called once, when it has ended.
  /// - Throws: ``HostError`` if it cannot be started.
  package init(
    _ script: ContentExtension,
    _ input: RequestSpool,
    _ request: Request,
    environment: [String: String],
    limits: HostLimits,
    clock: any HostClock = SystemClock(),
    completion: @escaping (Outcome) -> Void
  ) throws(HostError) {
    (self.clock, self.completion) = (clock, completion)
    byteLimit = limits.requestBytes
    output = try RequestSpool(in: TemporaryFolder.path(environment))
    let content = try input.openForReading()
    defer { close(content) }
    let launch = Self.launch(script, request, environment)
    run = try ChildRun(
      launch,
      ChildRun.Terms(
        input: .file(content),
        output: .passed { [weak self] in self?.take($0) },
        errors: .lines { [weak self] _ in self?.startTime() },
        limits: limits.process,
        group: limits.resources.group(helpers: 0),
        teardown: [.terminate]
      ),
      clock: clock
    ) { self.didEnd($0) }
    startTime()
  }

  /// Ends it; its outcome is that it was cancelled.
  package func cancel() { end("it was cancelled") }

  private static func launch(
    _ script: ContentExtension,
    _ request: Request,
    _ environment: [String: String]
  ) -> LaunchDescription {
    let id = ExtensionIdentity(script.identifier)
    let containers = StateFolders(environment: environment).containers(of: id)
    var launch = LaunchDescription(
      ScriptProgram(path: script.bundle.path, options: ScriptOptions()),
      userEnvironment: environment
    )
    launch.environment = WidgetEnvironment.make(
      from: environment.filter { !$0.key.hasPrefix("TODAY_") },
      bundle: launch.folder,
      containers: containers
    )
    // Its interpreter was found there, and so are the programs that it calls.
    launch.environment["PATH"] = environment["PATH"] ?? launch.environment["PATH"]
    launch.environment["TODAY_TYPE"] = request.type.identifier
    if let name = request.name { launch.environment["TODAY_NAME"] = name }
    // It has a session of its own, and so no terminal, which one that copies to the clipboard needs.
    launch.environment["TODAY_TERMINAL"] = request.terminal
    launch.environment["TMUX"] = environment["TMUX"]
    for option in script.script?.options ?? [] {
      launch.environment[option.variable] = request.options[option.name] ?? option.value
    }
    return launch
  }

  private func startTime() {
    guard failure == nil else { return }
    timer?.cancel()
    timer = clock.schedule(after: Self.patience) { [weak self] in
      self?.end("it was silent for \(Self.patience.components.seconds) s")
    }
  }

  private func take(_ bytes: [UInt8]) -> Duration? {
    guard failure == nil else { return nil }
    startTime()
    guard output.size + bytes.count <= byteLimit else {
      end("it returned more than \(byteLimit / (1 << 20)) MiB")
      return nil
    }
    do throws(HostError) {
      try output.append(bytes)
    } catch {
      end(SafeText(error.description))
    }
    return nil
  }

  private func end(_ reason: SafeText) {
    guard failure == nil else { return }
    failure = reason
    timer?.cancel()
    run?.endGently()
  }

  private func didEnd(_ end: ChildRun.End) {
    timer?.cancel()
    run = nil
    if let failure { return completion(.cancelled(failure)) }
    guard end.status == .exited(0) else {
      hasSaidWhy = !end.lines.isEmpty
      return completion(.cancelled(end.lines.last ?? SafeText("\(end.status)")))
    }
    completion(.completed(output))
  }
}
