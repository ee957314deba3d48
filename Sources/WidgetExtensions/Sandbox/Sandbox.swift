import WidgetKitCore
import WidgetPlatform

/// The sandbox in which the widgets of a program run.
///
/// This is a class because its level is found once, when it is first needed, and then applies for the whole
/// run of the program.
@MainActor public final class Sandbox {
  private let mode: SandboxMode
  private let bubblewrap: String?
  private let launcher: String?
  private let companions: SandboxCompanions
  private lazy var system = SystemView()

  /// Creates the sandbox; nothing is tried yet.
  public convenience init(_ mode: SandboxMode, environment: [String: String]) {
    self.init(mode, environment: environment, launcher: LauncherCommand.installed)
  }

  /// Creates the sandbox with another launcher than that of this program, or without one.
  init(_ mode: SandboxMode, environment: [String: String], launcher: String?) {
    self.mode = mode
    bubblewrap = mode == .off ? nil : ToolSearch.path(of: "bwrap", in: environment)
    self.launcher = launcher
    companions = SandboxCompanions(
      environment: environment,
      bubblewrap: bubblewrap,
      launcher: launcher
    )
  }

  /// The level; the first time it is tried, which takes about 10 ms.
  public private(set) lazy var level: SandboxLevel = {
    guard mode != .off else { return .off }
    guard let obstacle = bubblewrapObstacle else { return .full }
    guard let other = launcherObstacle else { return .partial(obstacle) }
    return .none("\(obstacle); \(other)")
  }()

  private var bubblewrapObstacle: String? {
    guard let bubblewrap else { return "bubblewrap is not installed (bwrap is not in PATH)" }
    return SystemCallFilter.obstacle ?? SandboxProbe.obstacle(bubblewrap: bubblewrap, system)
  }

  /// Whether this bwrap can show what a descriptor is of, which nothing else can take the place of.
  private lazy var bindsDescriptors = bubblewrap.map(SandboxProbe.bindsDescriptors) ?? false

  private var launcherObstacle: String? {
    guard let launcher else { return SandboxCompanions.noLauncher }
    return SandboxProbe.obstacle(launcher: launcher, system)
  }

  /// The network of widgets in the full sandbox that may use one; the first time it is tried, which takes
  /// about 30 ms.
  public var network: SandboxNetwork { companions.network }

  /// Returns what a widget does not get of what it was granted, and why.
  ///
  /// - Parameter granted: All that it was granted.
  /// - Returns: For each that it does not get, words that follow “as”.
  func withheld(of granted: [EntitlementRequest]) -> [Entitlement: String] {
    let wanted = Set(granted.map(\.entitlement))
    var reasons: [Entitlement: String] = [:]
    // Landlock cannot tell one socket from another, so that a widget with one could use the session bus.
    if case .partial = level, wanted.contains(.sockets) {
      reasons[.sockets] = "the sandbox is partial"
    }
    if wanted.contains(.desktopBus) {
      reasons[.desktopBus] = busObstacle(hasNetwork: wanted.contains(.network))
    }
    return reasons
  }

  private func busObstacle(hasNetwork: Bool) -> String? {
    switch level {
    case .full: break
    case .partial: return "the sandbox is partial"
    case .off: return "the setting “sandbox” is off, and nothing would filter it"
    case .none: return "there is no sandbox"
    }
    return companions.busObstacle(hasNetwork: hasNetwork)
  }

  /// Whether a widget may only run in the full sandbox.
  var isRequired: Bool { mode == .required }

  /// Puts a program into the sandbox; nil if there is none.
  ///
  /// - Throws: ``HostError`` if what it needs beside the sandbox cannot be made.
  func confine(
    _ launch: LaunchDescription,
    _ profile: SandboxProfile
  ) throws(HostError) -> LaunchDescription? {
    switch level {
    case .full:
      guard let bubblewrap else { return nil }
      return try inBubblewrap(bubblewrap, launch, profile)
    case .partial: return launcher.map { byLauncher($0, launch, profile) }
    case .off, .none: return nil
    }
  }

  private func inBubblewrap(
    _ bubblewrap: String,
    _ launch: LaunchDescription,
    _ profile: SandboxProfile
  ) throws(HostError) -> LaunchDescription {
    var profile = profile
    var confined = launch
    let beside = try companions.companions(of: &profile)
    if let socket = profile.busSocket {
      confined.sockets = [socket]
      confined.environment[SessionBus.variable] = "unix:path=\(BubblewrapCommand.busPath)"
    }
    let command = BubblewrapCommand(
      launch.program,
      launch.arguments,
      in: profile,
      system,
      bindsDescriptors: !profile.sockets.isEmpty && bindsDescriptors
    )
    confined.socketFiles = command.socketFiles
    confined.program = bubblewrap
    confined.arguments = command.arguments
    if !beside.isEmpty, let launcher {
      confined.program = launcher
      confined.arguments = SandboxCompanion.launcherArguments(
        beside,
        bubblewrap,
        command.arguments
      )
    }
    confined.companionCount = beside.count
    confined.inputs = command.inputs
    confined.folder = "/"
    confined.hasMonitor = true
    return confined
  }

  private func byLauncher(
    _ launcher: String,
    _ launch: LaunchDescription,
    _ profile: SandboxProfile
  ) -> LaunchDescription {
    let command = LauncherCommand(launch.program, launch.arguments, in: profile, system)
    var confined = launch
    confined.program = launcher
    confined.arguments = command.arguments
    confined.inputs = command.inputs
    confined.environment["TMPDIR"] = profile.temporary
    return confined
  }
}
