import CPlatform
import Glibc

/// Which processes belong to a run: its leader and everything that it started, in its group or not.
nonisolated enum ProcessGroups {
  /// The members of some runs, from one look at /proc; runs without any are left out.
  static func members(of runs: Set<ProcessRun>) -> [ProcessRun: [Int32]] {
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
      // Some more, since they multiply.
      capacity = count * 2
    }
  }

  /// CPU time of a run's processes other than its leader, and of what they have waited for.
  ///
  /// That is what the leader's own usage does not tell when it has ended: nobody waited for these.
  static func strayTime(of run: ProcessRun) -> Duration {
    let pids = members(of: [run])[run] ?? []
    let ticks = pids.filter { $0 != run.leader }.reduce(0.0) { $0 + (processorTicks($1) ?? 0) }
    return .seconds(ticks / Double(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }

  /// utime, stime, cutime and cstime of proc_pid_stat(5), in clock ticks.
  private static func processorTicks(_ pid: Int32) -> Double? {
    // The name in parentheses may hold anything; the fields begin behind its last `)`.
    guard let text = ProcFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 14 else { return nil }
    return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) }
  }
}
