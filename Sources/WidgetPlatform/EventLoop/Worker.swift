import CPlatform
import Dispatch
import Glibc
import Synchronization

/// A thread that performs tasks one after another, for work that must not block the event loop.
///
/// The threads are created before the first widget starts and never end, so that no work waits for a
/// thread that cannot be created because the user has reached the limit on processes. Dispatch would
/// create one when there is work, and its global queues wake the program once a second forever.
package final class Worker: Sendable {
  /// Decodes long messages.
  package static let decoding = Worker()
  /// Writes snapshots and the numbers of scripts; the program ends when it is done.
  package static let writing = Worker()
  /// Syncs files to the disk, measures containers, and reads, unpacks and copies what registries have, which is slow.
  package static let background = Worker()
  /// Searches what scripts have printed.
  package static let queries = Worker()
  /// Asks the Secret Service, which may ask the user.
  package static let secrets = Worker()
  /// Copies the content of requests, which may be large.
  package static let content = Worker()

  /// Starts all workers.
  package static func startAll() {
    _ = (decoding, writing, background, queries, secrets, content)
  }

  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let signal = DispatchSemaphore(value: 0)
  private let hasThread: Bool
  /// Views within the limits nest 64 deep, and snapshots with raised limits 512 deep.
  private static let stackBytes = 2 << 20

  private init() {
    let start = Start()
    hasThread =
      unsafe platform_thread_start(
        { unsafe Worker.main($0) },
        Unmanaged.passRetained(start).toOpaque(),
        Self.stackBytes
      ) == 0
    start.worker.withLock { $0 = self }
    start.isReady.signal()
  }

  /// Passes a worker to its thread, which begins before the worker is complete.
  @MainActor private final class Start: Sendable {
    let worker = Mutex<Worker?>(nil)
    let isReady = DispatchSemaphore(value: 0)
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    start.isReady.wait()
    guard let worker = start.worker.withLock({ $0 }) else { return nil }
    while true {
      worker.signal.wait()
      let work = worker.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      work?()
      platform_ring_bell()
    }
  }

  /// Runs `work` after all tasks that were added before; immediately if no thread could be started.
  package func async(_ work: @escaping @Sendable () -> Void) {
    guard hasThread else {
      work()
      return
    }
    waiting.withLock { $0.append(work) }
    signal.signal()
  }

  /// Does work after all tasks that were added before, and returns what it comes to.
  package func result<Value: Sendable, Failure: Error>(
    of work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
    return try result.get()
  }

  /// Waits until all tasks that were added before are done.
  package func drain() {
    let isDone = DispatchSemaphore(value: 0)
    async { isDone.signal() }
    isDone.wait()
  }
}
