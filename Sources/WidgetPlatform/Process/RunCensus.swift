import Glibc

/// The processor time of the processes of runs, from one scan of /proc for all runs that end together, as when
/// the user quits.
@MainActor enum RunCensus {
  /// The runs whose leaders were not collected yet.
  private static var runs: Set<ProcessRun> = []
  private static var last:
    (runs: Set<ProcessRun>, members: [ProcessRun: [Int32]], date: ContinuousClock.Instant)?

  /// How old a scan may be: what a process has used that was started since is not worth another one.
  private static let lifetime: Duration = .milliseconds(50)

  /// Includes a run in the next scan.
  static func begin(_ run: ProcessRun) {
    runs.insert(run)
  }

  /// Leaves out a run whose leader was collected.
  static func end(_ run: ProcessRun) {
    runs.remove(run)
    if runs.isEmpty { last = nil }
  }

  /// The time of all processes of a run that are known, or of those beside its leader, and of the children that
  /// they waited for.
  ///
  /// The usage of a leader that has ended does not contain it, because no process waited for these.
  static func time(of run: ProcessRun, withLeader: Bool) -> Duration {
    let now = ContinuousClock.now
    if last.map({ !$0.runs.contains(run) || $0.date + lifetime < now }) ?? true {
      let asked = runs.union([run])
      last = (asked, ProcessGroups.members(of: asked), now)
    }
    let members = last?.members[run] ?? []
    return ProcessGroups.time(of: withLeader ? members : members.filter { $0 != run.leader })
  }
}
