import CPlatform
import Glibc

/// The setup of the host's own process, which is done once, before anything else.
public enum HostProcess {
  /// Raises the limit on descriptors, and ignores SIGPIPE and SIGXFSZ: a write to a dead widget, or to
  /// a file that may not grow, must return an error.
  ///
  /// The signals of scripts are ignored too, except by a dashboard, which reads them.
  public static func prepare() {
    platform_run_tasks_on_main()
    platform_ignore_write_signals()
    platform_ignore_user_signals()
    _ = platform_raise_descriptor_limit()
    unsafe platform_name_arguments(CommandLine.unsafeArgv)
  }

  /// Returns the user's environment; if a name occurs twice, the first value is used.
  public static func environment() -> [String: String] {
    var result: [String: String] = [:]
    guard var entry = unsafe platform_environment() else { return result }
    while let text = unsafe entry.pointee {
      let pair = unsafe String(cString: text).split(
        separator: "=",
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      if pair.count == 2, result[String(pair[0])] == nil {
        result[String(pair[0])] = String(pair[1])
      }
      unsafe entry += 1
    }
    return result
  }

  /// Returns the program's own path, with links resolved.
  public static func executablePath() -> String {
    SymbolicLink.target("/proc/self/exe") ?? CommandLine.arguments.first ?? "today"
  }
}
