import Glibc
import WidgetKitCore

extension ProcessGroups {
  /// The resources that one run uses.
  package struct Use: Hashable, Sendable {
    /// Bytes of memory.
    package var bytes: UInt64
    /// Processes, without those of the sandbox.
    var processes: Int
    /// Processes that hide what they hold, so that not all memory is counted.
    var hidden = 0
  }

  /// Returns what each run uses, from its control group, or else from one scan of /proc for all others.
  ///
  /// Pages that several processes share count proportionally (Pss of proc_pid_smaps(5)), so that ten
  /// widgets do not pay ten times for one library. Reading that walks page tables, so for a run whose
  /// resident pages are below `threshold`, those are used. Files in memory count too, once (``SharedMemory``).
  package static func use(of runs: Set<ProcessRun>, threshold: UInt64) -> [ProcessRun: Use] {
    var uses: [ProcessRun: Use] = [:]
    for run in runs { uses[run] = counted(run) }
    for (run, pids) in members(of: runs.filter { uses[$0] == nil }) {
      let shared = SharedMemory(of: pids, run)
      uses[run] = Use(
        bytes: bytes(of: pids, shared, threshold: threshold),
        processes: count(pids, run),
        hidden: shared.hiddenProcesses
      )
    }
    return uses
  }

  private static func bytes(
    of pids: [Int32],
    _ shared: SharedMemory,
    threshold: UInt64
  ) -> UInt64 {
    let most = pids.reduce(shared.bytes) { $0.addingSaturated(resident($1)) }
    guard most > threshold else { return most }
    return pids.reduce(shared.bytes) { sum, pid in
      let pages = proportional(pid) ?? resident(pid)
      return sum.addingSaturated(pages - min(pages, shared.mapped(by: pid)))
    }
  }

  /// What the control group of a run has counted; nil if it has none that counts memory.
  private static func counted(_ run: ProcessRun) -> Use? {
    guard let group = run.group, let bytes = group.memoryBytes else { return nil }
    return Use(bytes: bytes, processes: max(0, group.processCount - run.helpers))
  }

  private static func count(_ pids: [Int32], _ run: ProcessRun) -> Int {
    max(0, pids.count - run.helpers)
  }

  /// What one run uses now, and the processor time of its processes and of those they waited for.
  package static func present(_ run: ProcessRun) -> (use: Use, time: Duration)? {
    if let use = counted(run), use.bytes > 0, let time = run.group?.time { return (use, time) }
    guard let pids = members(of: [run])[run], !pids.isEmpty else { return nil }
    let bytes = bytes(of: pids, SharedMemory(of: pids, run), threshold: .max)
    return (Use(bytes: bytes, processes: count(pids, run)), time(of: pids))
  }

  private static func resident(_ pid: Int32) -> UInt64 {
    let words = ProcFile.words("/proc/\(pid)/statm")
    guard words.count > 1, let pages = UInt64(words[1]) else { return 0 }
    return pages * UInt64(max(1, sysconf(Int32(_SC_PAGESIZE))))
  }

  private static func proportional(_ pid: Int32) -> UInt64? {
    let lines = ProcFile.text("/proc/\(pid)/smaps_rollup")?.split(separator: "\n") ?? []
    for line in lines where line.hasPrefix("Pss:") {
      let words = line.split(separator: " ")
      if words.count > 1, let kibibytes = UInt64(words[1]) { return kibibytes * 1_024 }
    }
    return nil
  }
}
