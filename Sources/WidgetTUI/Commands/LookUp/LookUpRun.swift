import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Runs what was chosen on the terminal of the process.
enum LookUpRun {
  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - action: What was chosen; its program is searched for in `PATH`.
  ///   - environment: The environment of the user.
  /// - Returns: Success.
  /// - Throws: ``CommandError`` if the program is missing or fails.
  static func run(
    _ action: LookUpAction,
    environment: [String: String]
  ) async throws(CommandError) -> ExitCode {
    let launch = try Self.launch(action, environment: environment)
    // Standard input was read to its end, and what is printed there is for the person.
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { throw .unavailable("there is no terminal") }
    for stream in [STDIN_FILENO, STDOUT_FILENO] where isatty(stream) == 0 { dup2(terminal, stream) }
    defer { close(terminal) }
    var hasStarted = false
    var status = TerminationStatus.unknown
    await withCheckedContinuation { continuation in
      let run = TerminalProgram(launch, didStart: { hasStarted = $0 }, didEnd: { status = $0 })
      // What has ended is told after the terminal was given back.
      run.run(terminal: terminal) { continuation.resume() }
    }
    guard hasStarted else { throw .failure("\(launch.program) could not be started") }
    switch status {
    case .exited(0): return .success
    case let status: throw .failure("\(action.command[0]) ended with \(status)")
    }
  }

  /// How the command is started.
  ///
  /// - Parameters:
  ///   - action: What was chosen; its program is searched for in `PATH`.
  ///   - environment: The environment of the user.
  /// - Returns: The program and its arguments.
  /// - Throws: ``CommandError`` if the program is missing.
  static func launch(
    _ action: LookUpAction,
    environment: [String: String]
  ) throws(CommandError) -> LaunchDescription {
    let name = action.command[0]
    guard let program = name.contains("/") ? name : ToolSearch.path(of: name, in: environment)
    else {
      throw .unavailable("\(name) is not in PATH")
    }
    return LaunchDescription(
      program: program,
      arguments: Array(action.command.dropFirst()),
      environment: environment,
      folder: "."
    )
  }
}
