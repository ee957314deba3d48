import CPlatform
import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// A program in a sandbox without namespaces, as a command of sandbox-launcher (Sources/SandboxLauncher).
///
/// The launcher becomes the program: there is no process that waits for it.
struct LauncherCommand: Hashable, Sendable {
  /// The arguments of the launcher.
  var arguments: [String]
  /// What the launcher reads from descriptor 3: the rules.
  var inputs: [[UInt8]]

  /// The devices that every widget may use: none of them can be a terminal.
  private static let devices = ["null", "zero", "full", "random", "urandom"].map { "/dev/\($0)" }
  /// What every widget may know about the machine.
  private static let facts = [
    "cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version",
  ].map { "/proc/\($0)" }
  /// The processes of the machine, and who is logged in.
  private static let processes = ["/proc", "/run/systemd/users"]
  /// The most files and folders into which a granted folder is divided.
  private static let partLimit = 4_096

  init(_ program: String, _ arguments: [String], in profile: SandboxProfile, _ system: SystemView) {
    let writable = profile.writableIfThere.flatMap { Self.parts(of: $0, without: profile.hidden) }
    let readable = (profile.readableIfThere + profile.readableFiles)
      .flatMap { Self.parts(of: $0, without: profile.hidden) }
    // What is in a folder that the widget may change has no rule of its own: a link could be in its place.
    let outer = Set(writable + profile.writable)
    func others(_ paths: [String]) -> [String] {
      paths.filter { path in !outer.contains { path == $0 || path.hasPrefix($0 + "/") } }
    }
    let innermost = writable.filter { path in
      !outer.contains { path.hasPrefix($0 + "/") }
    }
    var rules: [(kind: String, path: String)] = []
    func add(_ kind: String, _ paths: [String]) { rules += paths.map { (kind, $0) } }
    add("read-try", system.paths + (profile.usesNetwork ? system.networkPaths : []))
    add("read-try", profile.seesProcesses ? Self.processes : Self.facts)
    add("device-try", Self.devices + profile.devices)
    add("read", others(profile.readable))
    add("read-try", others(readable))
    add("write-try", innermost)
    add("write", profile.writable)
    if profile.usesNetwork { add("network", [""]) }
    inputs = [rules.flatMap { Array("\($0.kind):\($0.path)".utf8) + [0] }]
    self.arguments = [program] + arguments
  }

  /// A granted path, or if some of it must stay hidden, all in it but that.
  ///
  /// What is created there later, and the list of names, are then hidden too. Landlock only adds rights: what is in a folder with a right has it too.
  private static func parts(of path: String, without hidden: [String]) -> [String] {
    guard let path = resolvedPath(path) else { return [] }
    let hidden = hidden.compactMap(resolvedPath)
    var (open, parts): ([String], [String]) = ([path], [])
    while let next = open.popLast(), parts.count + open.count < partLimit {
      if hidden.contains(next) { continue }
      let prefix = next == "/" ? next : next + "/"
      guard hidden.contains(where: { $0.hasPrefix(prefix) }) else {
        parts.append(next)
        continue
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? []
      // A rule for a link would be one for what it leads to.
      open += names.sorted().map { prefix + $0 }.filter { SymbolicLink.target($0) == nil }
    }
    return parts.sorted()
  }

  /// The launcher of this program, or of the one in PATH for a program that uses the library; nil if there is none.
  static let installed: String? = {
    let launcher = HelperProgram.sandboxLauncher
    if let own = launcher.path(beside: HostProcess.executablePath()) { return own }
    let other = ToolSearch.path(of: "today", in: ProcessInfo.processInfo.environment)
    return other.flatMap(resolvedPath).flatMap { launcher.path(beside: $0) }
  }()
}
