import Glibc

/// Runs a system program to its end, such as systemctl.
@MainActor public enum HostTool {
  /// Runs a program without a terminal; its output is discarded.
  ///
  /// - Parameters:
  ///   - path: The program, an absolute path.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Its whole environment.
  ///   - input: What it reads from standard input.
  ///   - limit: How long it may run, after which it is killed; nil for as long as it needs.
  ///   - onStart: Called with what interrupts it, as Ctrl-C would.
  /// - Returns: Whether it could be started and exited with 0.
  public static func run(
    _ path: String,
    _ arguments: [String],
    environment: [String: String],
    input: [UInt8] = [],
    limit: Duration? = nil,
    onStart: (@escaping () -> Void) -> Void = { _ in }
  ) async -> Bool {
    let terms = ChildRun.Terms(
      isolation: .detached,
      input: input.isEmpty ? .nothing : .bytes(input),
      time: limit
    )
    let launch = LaunchDescription(
      program: path,
      arguments: arguments,
      environment: environment,
      folder: "."
    )
    let end = try? await ChildRun.end(of: launch, terms) { run in
      onStart { [weak run] in run?.signal(SIGINT) }
    }
    return end?.status == .exited(0)
  }
}

/// Search for a system program.
public enum ToolSearch {
  /// Returns the first executable file of this name in the folders of `PATH`.
  public static func path(of name: String, in environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: isProgram)
  }

  /// Whether there is a regular file that can be executed.
  package static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
