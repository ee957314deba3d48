import CPlatform
import FoundationEssentials
import Glibc

/// The processes of a run: its leader and all its descendants, in its group or not.
package enum ProcessGroups {
  /// Returns the members of some runs, from one scan of /proc; runs without members are omitted.
  package static func members(of runs: Set<ProcessRun>) -> [ProcessRun: [Int32]] {
    guard !runs.isEmpty else { return [:] }
    let order = Array(runs)
    let asked = order.map { platform_run(leader: $0.leader, mark: $0.mark) }
    var capacity = 256
    while true {
      var count = 0
      let found = unsafe [platform_member](unsafeUninitializedCapacity: capacity) {
        buffer,
        initialized in
        guard let base = buffer.baseAddress else { return }
        count = unsafe platform_members(asked, asked.count, base, capacity)
        initialized = min(count, capacity)
      }
      if count <= capacity {
        return Dictionary(grouping: found) { order[$0.run] }.mapValues { $0.map(\.pid) }
      }
      // A margin, because processes may be added meanwhile.
      capacity = count * 2
    }
  }

  /// The CPU time of all processes of a run that are known.
  package static func time(of run: ProcessRun) -> Duration {
    run.group?.time ?? time(of: members(of: [run])[run] ?? [])
  }

  /// The CPU time of processes and of the children that they waited for.
  static func time(of pids: [Int32]) -> Duration {
    let ticks = pids.reduce(0.0) { $0 + (processorTicks($1) ?? 0) }
    return .seconds(ticks / Double(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }

  /// Whether every thread of some processes waits: for input, for time to pass, or for each other.
  static func areWaiting(_ pids: [Int32]) -> Bool {
    pids.allSatisfy { pid in
      threads(of: pid).allSatisfy { thread in
        // The states of proc_pid_stat(5): R runs, D waits for the disk.
        guard let state = ProcFile.state("/proc/\(pid)/task/\(thread)") else { return true }
        return state != "R" && state != "D"
      }
    }
  }

  /// Whether all processes of a run wait, and none of them has ended a moment ago.
  ///
  /// The end of a process wakes the one that waits for it, in a sandbox three in a row. As states are read one after
  /// the other, each could seem to wait; but then there are others at the second look.
  static func isAtRest(_ run: ProcessRun) -> Bool {
    let members = members(of: [run])[run] ?? []
    let states = members.map(states)
    guard areWaiting(members) else { return false }
    let again = Self.members(of: [run])[run] ?? []
    return again == members && again.map(Self.states) == states && !ProcFile.hasEnded(run.leader)
  }

  /// The states of the threads of a process, by their names; empty if it is gone.
  private static func states(of pid: Int32) -> [String: Character] {
    threads(of: pid).reduce(into: [:]) { $0[$1] = ProcFile.state("/proc/\(pid)/task/\($1)") ?? "X" }
  }

  private static func threads(of pid: Int32) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
  }

  /// utime, stime, cutime and cstime of proc_pid_stat(5), in clock ticks.
  private static func processorTicks(_ pid: Int32) -> Double? {
    // The name in parentheses may contain anything; the fields follow its last `)`.
    guard let text = ProcFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 14 else { return nil }
    return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) }
  }
}
