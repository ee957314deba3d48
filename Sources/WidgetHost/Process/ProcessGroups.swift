import FoundationEssentials
import Glibc

/// Which processes are in a group: its leader, and everything that it started and that stayed.
nonisolated enum ProcessGroups {
  /// The members of some groups, from one look at /proc; groups without any are left out.
  static func members(of groups: Set<Int32>) -> [Int32: [Int32]] {
    guard !groups.isEmpty else { return [:] }
    var members: [Int32: [Int32]] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let pid = Int32(name) else { continue }
      let group = getpgid(pid)
      if groups.contains(group) { members[group, default: []].append(pid) }
    }
    return members
  }
}
