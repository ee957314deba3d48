import Dispatch
import Glibc

/// The reading end of a pipe, watched by the main queue.
final class PipeReader {
  private let descriptor: Int32
  private var source: (any DispatchSourceRead)?
  private var pauses = 0

  /// Takes over the descriptor, which must not block.
  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  isolated deinit {
    // Started readers close through their source.
    if source == nil, !stopped { Glibc.close(descriptor) }
  }

  private var stopped = false

  /// Whether anything can still be read.
  var isOpen: Bool { source != nil }

  /// Calls `handler` on the main queue while there is something to read.
  func start(_ handler: @escaping () -> Void) {
    let descriptor = descriptor
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { handler() } }
    source.setCancelHandler { Glibc.close(descriptor) }
    source.resume()
    self.source = source
  }

  /// What is there, at most so many bytes; nil at the end or where there is nothing.
  func read(atMost byteLimit: Int) -> [UInt8]? {
    guard source != nil else { return nil }
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteLimit) { buffer, initialized in
      repeat {
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, byteLimit)
      } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    if count == 0 || (count < 0 && errno != EAGAIN) {
      stop()
      return nil
    }
    return count > 0 ? bytes : nil
  }

  /// Does not read for a while, so that the pipe fills and the writer waits.
  func pause(for duration: Duration) {
    guard let source else { return }
    source.suspend()
    pauses += 1
    let nanoseconds = Int(duration.seconds * 1e9)
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in
      MainActor.assumeIsolated { resume() }
    }
  }

  private func resume() {
    guard let source, pauses > 0 else { return }
    pauses -= 1
    source.resume()
  }

  /// Closes the descriptor; nothing is read any more.
  func stop() {
    guard let source else { return }
    // A source that is cancelled while suspended never runs its cancel handler.
    while pauses > 0 {
      pauses -= 1
      source.resume()
    }
    stopped = true
    source.cancel()
    self.source = nil
  }
}
