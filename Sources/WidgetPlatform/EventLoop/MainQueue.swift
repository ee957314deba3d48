import Dispatch

/// The main thread, for what other threads have found out.
package enum MainQueue {
  /// Does work on the main thread, after what waits there.
  package static func perform(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(work) }
  }
}
