/// A program that runs beside a sandbox, for one run of a widget: what `sandbox-launcher --beside` starts.
struct SandboxCompanion: Hashable, Sendable {
  /// What a companion does.
  enum Kind: String, Sendable {
    /// It passes some messages of the session bus on.
    case bus
    /// It connects the network of the sandbox to that of the machine.
    case network
    /// The same by a program that goes into the background when it is ready.
    case networkDaemon = "network-daemon"
  }

  var kind: Kind
  /// The path of the program.
  var program: String
  /// Its arguments; `{}` is replaced by the number of the first process of the run.
  var arguments: [String]
  /// The address of the name server that it offers to the sandbox, which asks that of the machine; nil for none.
  var nameServer: String?

  /// The name of its program.
  var name: String { program.split(separator: "/").last.map(String.init) ?? program }

  /// The arguments of the launcher that starts companions, waits until they are ready, and becomes a program.
  static func launcherArguments(
    _ companions: [SandboxCompanion],
    _ program: String,
    _ arguments: [String]
  ) -> [String] {
    ["--beside"]
      + companions.flatMap { companion in
        [companion.kind.rawValue, "\(1 + companion.arguments.count)", companion.program]
          + companion.arguments
      } + ["--", program] + arguments
  }

  /// User-mode networking by slirp4netns(1), which does not forward to what listens on this machine's loopback.
  static func slirp(_ program: String) -> SandboxCompanion {
    SandboxCompanion(
      kind: .network,
      program: program,
      arguments: [
        "--configure", "--mtu=65520", "--disable-host-loopback", "--ready-fd=3", "{}", "tap0",
      ],
      nameServer: "10.0.2.3"
    )
  }

  /// User-mode networking by pasta(1), with nothing forwarded to what listens on this machine.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - isRoot: Whether root starts it, as it would become somebody else who may not enter the network.
  /// - Returns: The companion.
  static func pasta(_ program: String, isRoot: Bool) -> SandboxCompanion {
    let nameServer = "169.254.1.53"
    return SandboxCompanion(
      kind: .networkDaemon,
      program: program,
      arguments: [
        // IPv4 alone, and no address that stands for the loopback of the machine.
        "--ipv4-only", "--config-net", "--no-map-gw", "--dns-forward", nameServer,
        // No ports of either side are passed on.
        "--tcp-ports", "none", "--udp-ports", "none", "--tcp-ns", "none", "--udp-ns", "none",
        // It would write to the system log otherwise.
        "--quiet", "--log-file", "/dev/null",
      ] + (isRoot ? ["--runas", "0:0"] : []) + ["{}"],
      nameServer: nameServer
    )
  }

  /// A proxy of the session bus by xdg-dbus-proxy(1).
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - address: The address of the bus.
  ///   - socket: The path at which it listens.
  ///   - names: The names to which messages are passed on.
  /// - Returns: The companion.
  static func busProxy(
    _ program: String,
    address: String,
    socket: String,
    names: [String]
  ) -> SandboxCompanion {
    SandboxCompanion(
      kind: .bus,
      program: program,
      arguments: [address, socket, "--filter"] + names.map { "--talk=\($0)" } + ["--fd=3"]
    )
  }
}
