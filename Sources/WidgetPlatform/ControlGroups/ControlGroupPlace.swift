import Glibc

/// Where the control group of a process is: version 2 of cgroups(7).
struct ControlGroupPlace: Hashable, Sendable {
  /// The folder of the group.
  var folder: String

  /// Finds the group of this process; nil where there is no version 2.
  static func own() -> ControlGroupPlace? {
    guard let mounts = ProcFile.text("/proc/self/mountinfo"),
      let groups = ProcFile.text("/proc/self/cgroup")
    else { return nil }
    return ControlGroupPlace(mounts: mounts, groups: groups)
  }

  init(folder: String) {
    self.folder = folder
  }

  /// Finds a group in the texts of /proc/PID/mountinfo and /proc/PID/cgroup; nil if they have none.
  ///
  /// Of several mounts of the hierarchy the last one that shows the group is used.
  init?(mounts: String, groups: String) {
    let lines = groups.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("0::/") }) else { return nil }
    // A group outside of the part that the process sees begins with "/..".
    let path = String(line.dropFirst("0::".count))
    guard !path.hasPrefix("/..") else { return nil }
    let found = mounts.split(separator: "\n").compactMap { Self.folder(of: path, in: $0) }.last
    guard let found else { return nil }
    folder = found
  }

  /// The folder of a group below one mount, a line of proc_pid_mountinfo(5).
  private static func folder(of path: String, in line: Substring) -> String? {
    let fields = line.split(separator: " ")
    guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields.count > 4,
      fields[dash + 1] == "cgroup2"
    else { return nil }
    let root = unescaped(fields[3])
    let point = unescaped(fields[4])
    if root == "/" { return path == "/" ? point : point + path }
    guard path == root || path.hasPrefix(root + "/") else { return nil }
    return point + path.dropFirst(root.count)
  }

  /// Replaces `\040` and the like, as which the kernel writes spaces and some other characters.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The processes that are in the group itself.
  var processes: [Int32] {
    ControlGroupFile.numbers(folder + "/cgroup.procs").map { Int32(clamping: $0) }
  }
}
