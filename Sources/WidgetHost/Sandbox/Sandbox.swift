import WidgetKitCore

/// The sandbox in which the widgets of a program run.
///
/// This is a class because its level is found once, when it is first needed, and then holds for the whole
/// run of the program.
public final class Sandbox {
  private let mode: SandboxMode
  private let bubblewrap: String?
  private lazy var system = SystemView()

  /// Creates the sandbox; nothing is tried yet.
  public init(_ mode: SandboxMode, environment: [String: String]) {
    self.mode = mode
    bubblewrap = mode == .off ? nil : ToolSearch.path(of: "bwrap", in: environment)
  }

  /// The level; the first time it is tried, which takes about 10 ms.
  public private(set) lazy var level: SandboxLevel = {
    guard mode != .off else { return .off }
    guard let bubblewrap else {
      return .none("bubblewrap is not installed (bwrap is not in PATH)")
    }
    return SandboxProbe.obstacle(bubblewrap, system).map { .none($0) } ?? .full
  }()

  /// Whether a widget may only run in a sandbox.
  var isRequired: Bool { mode == .required }

  /// Puts a program into the sandbox; nil if there is none.
  func confine(_ launch: LaunchDescription, _ profile: SandboxProfile) -> LaunchDescription? {
    guard level == .full, let bubblewrap else { return nil }
    let command = BubblewrapCommand(launch.program, launch.arguments, in: profile, system)
    var confined = launch
    confined.program = bubblewrap
    confined.arguments = command.arguments
    confined.inputs = command.inputs
    confined.folder = "/"
    confined.hasMonitor = true
    return confined
  }
}
