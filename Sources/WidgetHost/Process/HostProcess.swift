import CPlatform
import Glibc

/// What the host's own process is set up with, once, before anything else.
public enum HostProcess {
  /// Raises the limit of descriptors, and ignores SIGPIPE and SIGXFSZ: a write to a dead widget, or
  /// to a file that may not grow, must be an error value.
  public static func prepare() {
    platform_ignore_write_signals()
    _ = platform_raise_descriptor_limit()
    unsafe platform_name_arguments(CommandLine.unsafeArgv)
  }

  /// The user's environment; of a name given twice the first counts.
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

  /// The program's own path, with links followed.
  public static func executablePath() -> String {
    SymbolicLink.target("/proc/self/exe") ?? CommandLine.arguments.first ?? "today"
  }
}
