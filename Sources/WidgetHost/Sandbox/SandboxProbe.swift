import CPlatform
import Glibc

/// Tries a sandbox: runs a program that does nothing with the arguments of a widget.
nonisolated enum SandboxProbe {
  /// How long it may take; usually it is 10 ms.
  private static let patience: Int32 = 2_000

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
    let file = MemoryFile.open([])
    defer { if file >= 0 { close(file) } }
    guard file >= 0, obstacle(executable, arguments, [], output: file) == nil else { return nil }
    return UserFile.bytes("/proc/self/fd/\(file)", byteLimit: 1 << 16)
  }

  private static func obstacle(
    _ executable: String,
    _ arguments: [String],
    _ inputs: [[UInt8]],
    output: Int32? = nil
  ) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe platform_pipe(&ends) == 0 else { return "no pipe could be opened" }
    defer { close(ends[0]) }
    let files = inputs.map(MemoryFile.open)
    var isOpen = true
    func closeFiles() {
      guard isOpen else { return }
      isOpen = false
      for file in files + [ends[1]] where file >= 0 { close(file) }
    }
    defer { closeFiles() }
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { if nowhere >= 0 { close(nowhere) } }
    var child = platform_child()
    let launch = ChildProcess.Launch(
      executable: executable,
      arguments: arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"],
      directory: "/",
      streams: [nowhere, output ?? nowhere, ends[1]],
      inputs: files,
      isolation: .detached
    )
    do throws(HostError) {
      child = try ChildProcess.spawn(launch)
    } catch {
      return error.description
    }
    closeFiles()
    defer { close(child.pidfd) }
    var ready = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, patience) == 1 else {
      _ = platform_signal_group(child.pid, SIGKILL)
      unsafe poll(&ready, 1, patience)
      var exit = platform_exit()
      _ = unsafe platform_reap(&child, &exit)
      return "\(executable) did not answer within \(patience / 1_000) s"
    }
    // If bubblewrap ends before its child knows that, the child would wait for ever, with the pipe open.
    _ = platform_signal_group(child.pid, SIGKILL)
    var exit = platform_exit()
    guard unsafe platform_reap(&child, &exit) == 0 else { return "its status was lost" }
    guard exit.signaled != 0 || exit.code != 0 else { return nil }
    return words(of: ends[0]) ?? "\(executable) ended with \(exit.code)"
  }

  /// The first line that it wrote to standard error; nil if there is none.
  private static func words(of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, patience) == 1 else { return nil }
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    guard count > 0 else { return nil }
    let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first
    return line.map { String(decoding: $0, as: UTF8.self) }
  }
}
