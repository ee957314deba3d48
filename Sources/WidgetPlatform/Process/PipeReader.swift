import CPlatform
import Glibc

/// The reading end of a pipe, watched by the event loop.
@MainActor package final class PipeReader {
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var pauseEnd: (any HostTimer)?

  /// Whether the descriptor is open.
  package private(set) var isOpen = true

  /// Takes ownership of the descriptor, which must not block.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  isolated deinit { stop() }

  /// Calls `handler` on the main thread while there is data to read.
  package func start(_ handler: @escaping () -> Void) {
    watch = DescriptorWatch(descriptor, for: .reading, handler)
    watch?.resume()
  }

  /// Reads at most `byteLimit` available bytes; returns nil at the end or if there are none.
  package func read(atMost byteLimit: Int) -> [UInt8]? {
    guard isOpen else { return nil }
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

  /// Whether there is nothing to read.
  var isEmpty: Bool { !isOpen || PipeEnds.unread(in: descriptor) == 0 }

  /// Stops reading for a while, so that the pipe fills and the writer waits.
  package func pause(for duration: Duration) {
    guard isOpen else { return }
    watch?.pause()
    pauseEnd = EventLoop.main.schedule(after: duration) { [weak self] in
      guard let self, isOpen else { return }
      watch?.resume()
    }
  }

  /// Stops reading until ``goOn()``; the pipe is made as small as it can be.
  func hold() {
    guard isOpen else { return }
    watch?.pause()
    platform_pipe_shrink(descriptor)
  }

  /// Reads again after ``hold()``.
  func goOn() {
    guard isOpen else { return }
    watch?.resume()
  }

  /// Closes the descriptor.
  package func stop() {
    let descriptor = release()
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Stops reading, and passes the descriptor to the caller; −1 if it is closed.
  func release() -> Int32 {
    guard isOpen else { return -1 }
    isOpen = false
    pauseEnd?.cancel()
    watch?.pause()
    watch = nil
    return descriptor
  }
}
