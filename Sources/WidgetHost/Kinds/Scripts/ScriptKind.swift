import Glibc
import WidgetKitCore

/// A script of the user: a program that prints something and ends, and knows nothing of the protocol.
///
/// Its connection answers the host in the place of the program, and runs it once for each update.
enum ScriptKind: WidgetKind {
  static func includes(_ bundle: WidgetBundle) -> Bool { bundle.script != nil }

  static func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    userEnvironment: [String: String],
    limits: HostLimits,
    confine: WidgetKinds.Confine,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection {
    guard let script = bundle.script else { preconditionFailure("a bundle of another kind") }
    let launch = LaunchDescription(script, userEnvironment: userEnvironment)
    return ScriptConnection(
      script,
      launch: try confine(launch),
      limits: limits,
      starts: .shared,
      report: report
    )
  }
}

nonisolated extension LaunchDescription {
  /// Describes how a script is run: as by its user at a prompt in its folder, which for a link
  /// is that of its target, with all of the environment.
  init(_ script: ScriptProgram, userEnvironment: [String: String]) {
    let folder = OwnPath.split(resolvedPath(script.path) ?? script.path).folder
    self.init(program: script.path, environment: userEnvironment, folder: folder)
    guard !Self.hasInterpreter(script.path) else { return }
    // As shells do with a file that the kernel cannot run.
    program = "/bin/sh"
    arguments = [script.path]
  }

  /// Whether the kernel can run a file, as it is no plain text: it begins with `#!`, or has bytes that no
  /// text has.
  private static func hasInterpreter(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(descriptor, &start, start.count)
    guard count > 0 else { return count < 0 }
    return start.starts(with: Array("#!".utf8)) || start.prefix(count).contains(0)
  }
}
