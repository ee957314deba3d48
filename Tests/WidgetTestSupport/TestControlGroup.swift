internal import FoundationEssentials
internal import Glibc

/// A control group of a test, which is removed with all that is in it.
///
/// It can be made by root where version 2 of control groups is mounted; elsewhere it needs a scope of systemd. It is
/// a class because it owns a folder.
package final class TestControlGroup {
  /// The folder of the group.
  package let folder: String

  private static let root = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
    unsafe access($0 + "/cgroup.procs", W_OK) == 0
  }

  /// Whether one can be made here.
  package static var canBeMade: Bool { root != nil && geteuid() == 0 }

  /// Makes one.
  package init() throws {
    let name = "today-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    folder = (Self.root ?? "") + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? Data("1".utf8).write(to: URL(filePath: folder + "/cgroup.kill"))
    // A process that was killed is in its group for a moment.
    for _ in 0..<1_000 where !isRemoved { sched_yield() }
  }

  /// The processes of all widgets whose host is in the group.
  package var processes: [Substring] {
    groups.flatMap { Self.text($0 + "/cgroup.procs").split(separator: "\n") }
  }

  /// Whether there are groups of widgets, and all are frozen.
  package var isFrozen: Bool {
    !groups.isEmpty && groups.allSatisfy { Self.text($0 + "/cgroup.events").contains("frozen 1") }
  }

  private var groups: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/widgets")) ?? []
    return names.filter { Int($0) != nil }.map { "\(folder)/widgets/\($0)" }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
  }

  private var isRemoved: Bool {
    for path in groups + [folder + "/widgets", folder + "/host"] { _ = unsafe rmdir(path) }
    return unsafe rmdir(folder) == 0
  }
}
