import WidgetKitCore

/// The sandbox in which the widgets of a program run.
///
/// This is a class because its level is found once, when it is first needed, and then holds for the whole
/// run of the program.
public final class Sandbox {
  private let mode: SandboxMode
  private let bubblewrap: String?
  private let launcher: String?
  private lazy var system = SystemView()

  /// Creates the sandbox; nothing is tried yet.
  public convenience init(_ mode: SandboxMode, environment: [String: String]) {
    let launcher = LauncherCommand.program(of: HostProcess.executablePath())
    self.init(mode, environment: environment, launcher: launcher)
  }

  /// Creates the sandbox with another launcher than that of this program, or without one.
  init(_ mode: SandboxMode, environment: [String: String], launcher: String?) {
    self.mode = mode
    bubblewrap = mode == .off ? nil : ToolSearch.path(of: "bwrap", in: environment)
    self.launcher = launcher
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
    return SandboxProbe.obstacle(bubblewrap: bubblewrap, system)
  }

  private var launcherObstacle: String? {
    guard let launcher else { return "sandbox-launcher, which comes with today, is not installed" }
    return SandboxProbe.obstacle(launcher: launcher, system)
  }

  /// Whether a widget may only run in the full sandbox.
  var isRequired: Bool { mode == .required }

  /// Puts a program into the sandbox; nil if there is none.
  func confine(_ launch: LaunchDescription, _ profile: SandboxProfile) -> LaunchDescription? {
    switch level {
    case .full: bubblewrap.map { inBubblewrap($0, launch, profile) }
    case .partial: launcher.map { byLauncher($0, launch, profile) }
    case .off, .none: nil
    }
  }

  private func inBubblewrap(
    _ bubblewrap: String,
    _ launch: LaunchDescription,
    _ profile: SandboxProfile
  ) -> LaunchDescription {
    let command = BubblewrapCommand(launch.program, launch.arguments, in: profile, system)
    var confined = launch
    confined.program = bubblewrap
    confined.arguments = command.arguments
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
