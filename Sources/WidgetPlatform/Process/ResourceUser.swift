/// A widget as ``ResourceWatch`` sees it: its processes, and whether they have work.
@MainActor package protocol ResourceUser: AnyObject {
  /// The widget's identity.
  var id: ExtensionIdentity { get }
  /// All its processes, or nil if none is running.
  var processRun: ProcessRun? { get }
  /// Whether a process of the widget runs or is being started.
  var hasProcess: Bool { get }
  /// Whether the widget has no work: it is suspended, or about to be.
  var isAtRest: Bool { get }
  /// Whether the widget is working on a request.
  var isAtWork: Bool { get }
  /// Whether its processes are suspended.
  var isSuspended: Bool { get }
  /// When its card was last on the screen.
  var lastSeen: ContinuousClock.Instant { get }
  /// Reports a measurement.
  func note(_ finding: ResourceFinding)
}

/// The result of a measurement of a widget's processes or containers.
package enum ResourceFinding: Hashable, Sendable {
  /// Bytes of memory of all its processes.
  case memory(UInt64)
  /// The number of its processes.
  case processes(Int)
  /// How many of its processes hide what they hold, which is not counted then.
  case hidden(Int)
  /// Bytes of its containers on disk, and of files in them that it has deleted and still has open.
  case storage(UInt64)
  /// The kernel has ended its processes, as its control group had no memory left.
  case outOfMemory
  /// Its memory is needed for others; the text says why.
  case release(String)
}
