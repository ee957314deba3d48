import Glibc
import WidgetPlatform

/// A program in a sandbox, as a command of bwrap(1).
///
/// The first process of the sandbox is a shell that sets the limit on processes, which the kernel counts
/// for each user namespace, waits for the program, and collects orphans. When it ends, the kernel kills
/// everything else in the sandbox. The sandbox is not tied to the host (`--die-with-parent`), as the host
/// itself decides how a widget ends.
struct BubblewrapCommand: Hashable, Sendable {
  /// The arguments of bwrap.
  var arguments: [String]
  /// What bwrap reads from descriptors 3, 4 and so on.
  var inputs: [[UInt8]]
  /// The sockets that bwrap gets as descriptors behind these.
  var socketFiles: [SocketFile]

  /// The first process of a sandbox; its arguments are the limit, the program, and its arguments.
  ///
  /// dash calls the limit `-p`, other shells `-u`.
  private static let firstProcess =
    #"ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; shift; "$@"; exit $?"#
  /// The limit on a file that is copied; a cache of libraries has some 100 KiB.
  private static let copiedBytes = 1 << 20
  /// Where a widget finds the proxy of the session bus.
  static let busPath = "/run/session-bus"
  /// The bytes of each folder in memory.
  private static let temporaryBytes = 16 << 20

  /// Makes the command.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: Its arguments.
  ///   - profile: What it may see and use.
  ///   - system: What every widget sees of the system.
  ///   - bindsDescriptors: Whether this bwrap can show what a descriptor is of.
  init(
    _ program: String,
    _ arguments: [String],
    in profile: SandboxProfile,
    _ system: SystemView,
    bindsDescriptors: Bool = false
  ) {
    let filter = SystemCallFilter.bytes(allowsLocalSockets: profile.usesLocalSockets)
    var files = [("/etc/passwd", Self.users(profile)), ("/etc/group", Self.groups(profile))]
    var shown: [String] = []
    for path in system.copiedFiles {
      if let bytes = UserFile.bytes(path, byteLimit: Self.copiedBytes) {
        files.append((path, bytes))
      } else {
        shown += ["--ro-bind-try", path, path]
      }
    }
    if profile.hasOwnNetwork {
      files.append(("/etc/resolv.conf", system.resolver(asking: profile.nameServer)))
    }
    inputs = [[]] + files.map(\.1) + [filter]
    var options = Self.namespaces(profile) + system.arguments
    if profile.usesNetwork { options += system.networkArguments }
    if profile.usesNetwork, !profile.hasOwnNetwork { options += system.resolverArguments }
    options += shown
    for (index, file) in files.enumerated() {
      options += ["--perms", "0444", "--file", "\(4 + index)", file.0]
    }
    options += Self.temporary("/tmp") + ["--symlink", "../tmp", "/var/tmp", "--dir", profile.home]
    options += Self.devices(profile)
    options += profile.seesProcesses ? Self.processes : ["--proc", "/proc"]
    options += Self.files(profile)
    let sockets = profile.sockets.compactMap(SocketFile.init)
    socketFiles = bindsDescriptors ? sockets : []
    for (index, socket) in sockets.enumerated() {
      options +=
        bindsDescriptors
        ? ["--ro-bind-fd", "\(3 + inputs.count + index)", socket.path]
        : ["--ro-bind-try", socket.path, socket.path]
    }
    if let socket = profile.busSocket { options += ["--ro-bind", socket, Self.busPath] }
    // Root owns files below /proc/sys, and could write them without any capability.
    options += profile.seesProcesses ? [] : ["--remount-ro", "/proc"]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", profile.folder]
    options += ["--seccomp", "\(4 + files.count)"]
    inputs[0] = options.flatMap { Array($0.utf8) + [0] }
    self.arguments =
      ["--args", "3", "--", "/bin/sh", "-c", Self.firstProcess, "today", "\(profile.processLimit)"]
      + [program] + arguments
  }

  /// A network of its own is made by the launcher, in whose namespaces bwrap runs.
  private static func namespaces(_ profile: SandboxProfile) -> [String] {
    [
      "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
      "--as-pid-1", "--cap-drop", "ALL",
    ] + (profile.usesNetwork ? [] : ["--unshare-net"])
  }

  /// The processes of the machine, and who is logged in.
  private static let processes = [
    "--ro-bind", "/proc", "/proc", "--ro-bind-try", "/run/systemd/users", "/run/systemd/users",
  ]

  private static func temporary(_ path: String) -> [String] {
    ["--size", "\(temporaryBytes)", "--tmpfs", path]
  }

  private static func devices(_ profile: SandboxProfile) -> [String] {
    ["--dev", "/dev"] + temporary("/dev/shm")
      + profile.devices.flatMap { ["--dev-bind-try", $0, $0] }
  }

  /// The files of the widget and those that it was granted, the outer ones first.
  private static func files(_ profile: SandboxProfile) -> [String] {
    let granted =
      (profile.readableIfThere + profile.readableFiles).map { ("--ro-bind-try", $0) }
      + profile.writableIfThere.map { ("--bind-try", $0) }
    let hidden = granted.flatMap { option, path in
      profile.hidden.compactMap { HiddenFolder($0, in: path) }.map { ($0, option) }
    }
    let masks = Set(hidden.map(\.0.path)).sorted()
    var options = granted.sorted { $0.1 < $1.1 }.flatMap { [$0.0, $0.1, $0.1] }
    // Nothing can be moved that something is mounted on.
    for (folder, option) in hidden { options += folder.above.flatMap { [option, $0, $0] } }
    options += masks.flatMap { ["--tmpfs", $0] }
    // Its own files may be in one of them.
    options += profile.readable.flatMap { ["--ro-bind", $0, $0] }
    options += profile.writable.flatMap { ["--bind", $0, $0] }
    return options + masks.flatMap { ["--remount-ro", $0] }
  }

  /// A passwd(5) with the user alone.
  private static func users(_ profile: SandboxProfile) -> [UInt8] {
    let home = profile.home.contains(":") || profile.home.contains("\n") ? "/" : profile.home
    let own = "\(profile.user):x:\(getuid()):\(getgid())::\(home):/bin/sh\n"
    let nobody = "nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n"
    return Array((own + nobody).utf8)
  }

  private static func groups(_ profile: SandboxProfile) -> [UInt8] {
    Array("\(profile.user):x:\(getgid()):\nnogroup:x:65534:\n".utf8)
  }
}
