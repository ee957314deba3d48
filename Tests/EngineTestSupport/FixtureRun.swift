import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// A real process of a fixture widget, with its reports.
final class FixtureRun {
  let world: TestWorld
  let bundle: WidgetBundle
  private(set) var lines: [String] = []
  private(set) var byteCount = 0
  private(set) var log: [SafeText] = []
  private(set) var violations: [String] = []
  private(set) var status: TerminationStatus?
  private(set) var process: WidgetProcess?
  /// Its pid, also after it has ended.
  private(set) var pid: pid_t = 0

  init(
    _ fixture: String,
    environment more: [String: String] = [:],
    limits: HostLimits = HostLimits(),
    sandbox: SandboxMode = .off,
    isPartial: Bool = false,
    entitlements: String? = nil,
    in world: TestWorld? = nil
  ) throws {
    self.world = try world ?? TestWorld()
    try self.world.add(fixture: fixture)
    if let entitlements {
      try self.world.write(
        entitlements,
        to: "\(self.world.widgets)/\(fixture).widget/Entitlements.plist"
      )
    }
    let world = self.world
    bundle = try WidgetBundle(path: "\(world.widgets)/\(fixture).widget")
    let environment = world.environment().merging(more) { $1 }
    let confinement = WidgetConfinement(
      Sandbox(
        sandbox,
        environment: isPartial ? environment.merging(["PATH": "/nowhere"]) { $1 } : environment
      ),
      paths: SearchPaths(named: [world.widgets], environment: environment, executable: nil),
      environment: environment,
      processLimit: 64,
      asks: false
    )
    let bundle = bundle
    let id = ExtensionIdentity(bundle.bundleIdentifier)
    process = try WidgetProcess.start(
      bundle,
      id,
      userEnvironment: environment,
      limits: limits,
      confine: { launch throws(HostError) in
        try confinement.confine(launch, bundle, id)
      },
      report: { [weak self] in self?.take($0) }
    )
    pid = try #require(process?.pid)
  }

  isolated deinit {
    process?.signal(.kill)
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let bytes):
      byteCount += bytes.count + 1
      if lines.count < 1_000 { lines.append(String(decoding: bytes, as: UTF8.self)) }
    case .log(let lines): log += lines
    case .violation(let words), .away(let words): violations.append(words)
    case .message: Issue.record("a program has sent something that is no line")
    case .outOfMemory: violations.append("memory")
    case .ended(let status): self.status = status
    }
  }

  /// Sends a request; its answer comes as a line.
  func request(_ message: some RequestMessage) {
    process?.send(SentMessage(line: OutgoingLine.request(message, id: 1)))
  }

  func notify(_ message: some NotificationMessage) {
    process?.send(SentMessage(line: OutgoingLine.notification(message)))
  }

  /// Sends `initialize` and waits for the answer.
  func greet() async {
    request(InitializeRequest.sample)
    await eventually("an answer to initialize") { !self.lines.isEmpty }
  }

  /// Kills the widget and waits until it was collected.
  func kill() async {
    process?.signal(.kill)
    await eventually("its end") { self.status != nil }
  }

  /// The targets of the process's descriptors, by number.
  func descriptors() throws -> [String: String] {
    try Self.descriptors(of: "\(pid)")
  }

  static func descriptors(of process: String) throws -> [String: String] {
    let folder = "/proc/\(process)/fd"
    var targets: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      targets[name] = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "\(folder)/\(name)"
      )
    }
    return targets
  }
}

/// Runs the main queue until a condition holds, or until the deadline.
@MainActor func eventually(
  _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async rethrows {
  let clock = SystemClock()
  // Another test may have the main thread for longer than a deadline.
  var waited = WaitedTime()
  var turn: (any HostTimer)?
  while try !condition() {
    guard waited.total < TestDeadline.duration else {
      Issue.record("waited in vain for \(what)", sourceLocation: sourceLocation)
      return
    }
    await withCheckedContinuation { continuation in
      turn = clock.schedule(after: .milliseconds(2)) { continuation.resume() }
    }
    waited.takeTurn()
  }
  turn?.cancel()
}
