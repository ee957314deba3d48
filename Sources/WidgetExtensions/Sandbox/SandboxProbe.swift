import WidgetPlatform

/// Tries a sandbox: runs a program that does nothing with the arguments of a widget.
enum SandboxProbe {
  /// How long it may take; usually it is 10 ms.
  private static let patience = Duration.seconds(2)

  private static let profile = SandboxProfile(folder: "/", home: "/nonexistent")
  private static let program = "/bin/true"

  /// Why there is no sandbox with this bwrap; nil if there is one.
  static func obstacle(bubblewrap: String, _ system: SystemView) -> String? {
    let command = BubblewrapCommand(program, [], in: profile, system)
    return obstacle(bubblewrap, command.arguments, command.inputs)
  }

  /// Whether a bwrap has the option that shows what a descriptor is of: it then misses the arguments.
  static func bindsDescriptors(_ bubblewrap: String) -> Bool {
    obstacle(bubblewrap, ["--ro-bind-fd"], [])?.contains("arguments") == true
  }

  /// Why there is no sandbox with this launcher; nil if there is one.
  static func obstacle(launcher: String, _ system: SystemView) -> String? {
    let command = LauncherCommand(program, [], in: profile, system)
    return obstacle(launcher, command.arguments, command.inputs)
  }

  /// Why a widget cannot have a network of its own; nil if it can.
  static func obstacle(
    network companion: SandboxCompanion,
    launcher: String,
    bubblewrap: String,
    _ system: SystemView
  ) -> String? {
    var profile = profile
    (profile.usesNetwork, profile.hasOwnNetwork) = (true, true)
    profile.nameServer = companion.nameServer
    let command = BubblewrapCommand(program, [], in: profile, system)
    return obstacle(
      launcher,
      SandboxCompanion.launcherArguments([companion], bubblewrap, command.arguments),
      command.inputs
    )
  }

  /// What a program writes to standard output; nil if it fails.
  static func output(of executable: String, _ arguments: [String]) -> [UInt8]? {
    guard let end = try? run(executable, arguments, [], keeping: 1), end.failure == nil,
      end.status == .exited(0)
    else { return nil }
    return end.output
  }

  private static func obstacle(
    _ executable: String,
    _ arguments: [String],
    _ inputs: [[UInt8]]
  ) -> String? {
    do throws(HostError) {
      let end = try run(executable, arguments, inputs, keeping: 2)
      guard end.failure == nil else {
        return "\(executable) did not answer within \(patience.components.seconds) s"
      }
      guard end.status != .exited(0) else { return nil }
      let line = end.output.split(separator: UInt8(ascii: "\n")).first
      return line.map { String(decoding: $0, as: UTF8.self) }
        ?? "\(executable) ended with \(end.status)"
    } catch {
      return error.description
    }
  }

  /// Runs a program to its end, and keeps what it writes to one of its streams.
  private static func run(
    _ executable: String,
    _ arguments: [String],
    _ inputs: [[UInt8]],
    keeping stream: Int
  ) throws(HostError) -> ChildRun.End {
    let launch = LaunchDescription(
      program: executable,
      arguments: arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"],
      inputs: inputs
    )
    return try AwaitedRun.end(
      of: launch,
      isolation: .detached,
      keeping: stream,
      byteLimit: 64 * 1024,
      time: patience
    )
  }
}
