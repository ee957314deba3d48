import Glibc

/// The writing end of a pipe: writes what the pipe accepts at once and queues the rest.
@MainActor package final class PipeWriter {
  private let descriptor: Int32
  private var queue: OutputQueue
  private var watch: DescriptorWatch?
  private var isClosed = false
  private var closesWhenDrained = false
  /// Called when everything that waited was written.
  package var onDrain: (() -> Void)?

  /// Takes ownership of the descriptor, which must not block.
  package init(descriptor: Int32, queue: OutputQueue) {
    self.descriptor = descriptor
    self.queue = queue
  }

  isolated deinit { close() }

  /// A description of what is waiting for the reader.
  package var waiting: String { queue.words }

  /// How many bytes wait for the reader.
  package var waitingBytes: Int { queue.byteCount }

  /// Writes or queues a line; returns false if the queue is full because the reader does not read.
  package func send(_ line: [UInt8]) -> Bool {
    guard !isClosed else { return true }
    guard queue.append(line) else { return false }
    if watch?.isActive != true { flush() }
    return true
  }

  /// Closes the descriptor when the queue is empty.
  package func closeWhenDrained() {
    closesWhenDrained = true
    if queue.isEmpty { close() }
  }

  /// Closes the descriptor and drops the queue.
  package func close() {
    let descriptor = release()
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// What was not written.
  var rest: [UInt8] { queue.rest }

  /// Whether the reader has read everything.
  var isRead: Bool { isClosed || queue.isEmpty && PipeEnds.unread(in: descriptor) == 0 }

  /// Stops writing, and passes the descriptor to the caller; −1 if it is closed.
  func release() -> Int32 {
    guard !isClosed else { return -1 }
    isClosed = true
    watch?.pause()
    watch = nil
    return descriptor
  }

  private func flush() {
    queue.drain { bytes in
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 { return count }
      if errno == EINTR { return 0 }
      // A closed reading end is not reported here: the end of its output and its exit say more.
      return errno == EAGAIN ? nil : bytes.count
    }
    if queue.isEmpty, closesWhenDrained {
      close()
      return
    }
    guard queue.isEmpty else { return follow() }
    watch?.pause()
    onDrain?()
  }

  private func follow() {
    let watch = watch ?? DescriptorWatch(descriptor, for: .writing) { [weak self] in self?.flush() }
    self.watch = watch
    watch.resume()
  }
}
