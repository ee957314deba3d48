import Glibc

/// The filter of system calls of the full sandbox.
///
/// sandbox-launcher makes it, with libseccomp: the program itself starts faster without that library.
enum SystemCallFilter {
  private static let standard = made([])
  private static let withLocalSockets = made(["local"])

  /// The program of seccomp(2), which is made when it is first needed, in about 2 ms; empty if it cannot be made.
  static func bytes(allowsLocalSockets: Bool) -> [UInt8] {
    allowsLocalSockets ? withLocalSockets : standard
  }

  /// Why there is no filter; nil if there is one.
  ///
  /// The filter of most widgets is made for that.
  static var obstacle: String? {
    if LauncherCommand.installed == nil { return SandboxCompanions.noLauncher }
    return withLocalSockets.isEmpty
      ? "sandbox-launcher could not make the filter of system calls" : nil
  }

  private static func made(_ arguments: [String]) -> [UInt8] {
    guard let launcher = LauncherCommand.installed else { return [] }
    return SandboxProbe.output(of: launcher, ["--filter"] + arguments) ?? []
  }
}
