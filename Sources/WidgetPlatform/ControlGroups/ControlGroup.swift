import Glibc
import WidgetKitCore

/// The control group of one run of a widget: all its processes, whatever they do.
///
/// What a process has left, its session, its parent or its mark, does not take it out of the group.
package struct ControlGroup: Hashable, Sendable {
  /// Its folder.
  let folder: String
  /// What the kernel enforces and counts in it.
  let controllers: Set<ControlGroups.Controller>

  /// The limits that the kernel enforces.
  package struct Limits: Hashable, Sendable {
    /// Bytes of memory.
    var memoryBytes: UInt64
    /// Processes and threads.
    var tasks: Int
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  /// Sets the limits; what the system does not limit is left to the measurements of the host.
  func set(_ limits: Limits) {
    if controllers.contains(.memory) {
      ControlGroupFile.write("\(limits.memoryBytes)", to: path("memory.max"))
      // Pages that were swapped out would not count.
      ControlGroupFile.write("0", to: path("memory.swap.max"))
      ControlGroupFile.write("1", to: path("memory.oom.group"))
    }
    if controllers.contains(.processes) {
      ControlGroupFile.write("\(limits.tasks)", to: path("pids.max"))
    }
  }

  /// Opens its folder, for a process that is to start in it.
  ///
  /// The caller closes it; it is negative on errors.
  func open() -> Int32 {
    unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Opens the file that kills all its processes when “1” is written to it; the caller closes it.
  func openKill() -> Int32 {
    unsafe Glibc.open(path("cgroup.kill"), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Suspends all its processes, also those that are started meanwhile, within some milliseconds; returns
  /// whether the system can.
  func freeze() -> Bool { ControlGroupFile.write("1", to: path("cgroup.freeze")) == 0 }

  /// Continues after ``freeze()``.
  func thaw() { ControlGroupFile.write("0", to: path("cgroup.freeze")) }

  /// Kills all its processes at once (Linux 5.14).
  func kill() { ControlGroupFile.write("1", to: path("cgroup.kill")) }

  /// Removes it; returns whether it is gone, which it cannot be as long as a process ends.
  func remove() -> Bool { unsafe rmdir(folder) == 0 || errno == ENOENT }

  // MARK: - What it uses

  /// The bytes of memory that cannot be had back without ending a process, and so no pages of files.
  ///
  /// Nil if they are not counted.
  var memoryBytes: UInt64? {
    guard controllers.contains(.memory) else { return nil }
    let values = ControlGroupFile.values(path("memory.stat"))
    guard values["anon"] != nil else { return nil }
    return ["anon", "shmem", "kernel_stack", "pagetables", "slab_unreclaimable"]
      .reduce(UInt64(0)) { $0.addingSaturated(values[$1] ?? 0) }
  }

  /// The number of its processes.
  var processCount: Int { ControlGroupFile.numbers(path("cgroup.procs")).count }

  /// The processor time of all processes that were ever in it.
  var time: Duration? {
    ControlGroupFile.values(path("cpu.stat"))["usage_usec"].map {
      .microseconds(Int64(clamping: $0))
    }
  }

  /// Whether the kernel has ended it because its memory was used up.
  var ranOutOfMemory: Bool {
    (ControlGroupFile.values(path("memory.events"))["oom_kill"] ?? 0) > 0
  }
}
