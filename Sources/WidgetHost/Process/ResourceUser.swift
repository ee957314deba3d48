/// A widget as ``ResourceWatch`` sees it: its processes, and whether they have anything to do.
protocol ResourceUser: AnyObject {
  /// Which widget it is.
  var id: CardID { get }
  /// All of its processes; nil where nothing runs.
  var processRun: ProcessRun? { get }
  /// Whether a process of it runs or is being started.
  var hasProcess: Bool { get }
  /// Whether nothing is expected of it: it is suspended, or about to be.
  var isAtRest: Bool { get }
  /// Whether it works on what it was asked.
  var isAtWork: Bool { get }
  /// Whether its processes are stopped.
  var isSuspended: Bool { get }
  /// When its card was last on the screen.
  var lastSeen: ContinuousClock.Instant { get }
  /// Reports what was measured.
  func note(_ finding: ResourceFinding)
}

/// What a look at a widget's processes or containers found.
nonisolated enum ResourceFinding: Hashable, Sendable {
  /// Bytes of memory of all its processes.
  case memory(UInt64)
  /// How many processes it has.
  case processes(Int)
  /// Bytes of its containers on disk.
  case storage(UInt64)
  /// Its memory is needed for others; why, in words.
  case release(String)
}
