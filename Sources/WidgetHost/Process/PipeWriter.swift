import Glibc

/// The writing end of a pipe: writes what the reader takes at once and keeps the rest in a queue.
final class PipeWriter {
  private let descriptor: Int32
  private var queue: OutputQueue
  private var watch: DescriptorWatch?
  private var isClosed = false
  private var closesWhenDrained = false

  /// Takes over the descriptor, which must not block.
  init(descriptor: Int32, queue: OutputQueue) {
    self.descriptor = descriptor
    self.queue = queue
  }

  isolated deinit { close() }

  /// What waits for the reader, in words.
  var waiting: String { queue.words }

  /// Writes or queues a line; false where the queue is full: the reader does not read.
  func send(_ line: [UInt8]) -> Bool {
    guard !isClosed else { return true }
    guard queue.append(line) else { return false }
    if watch?.isActive != true { flush() }
    return true
  }

  /// Closes the descriptor as soon as nothing waits any more.
  func closeWhenDrained() {
    closesWhenDrained = true
    if queue.isEmpty { close() }
  }

  /// Closes the descriptor; what waits is dropped.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch?.pause()
    watch = nil
    Glibc.close(descriptor)
  }

  private func flush() {
    queue.drain { bytes in
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 { return count }
      if errno == EINTR { return 0 }
      // A reader that is gone is no news here: its end of file and its exit tell more.
      return errno == EAGAIN ? nil : bytes.count
    }
    if queue.isEmpty, closesWhenDrained {
      close()
      return
    }
    if queue.isEmpty { watch?.pause() } else { follow() }
  }

  private func follow() {
    let watch = watch ?? DescriptorWatch(descriptor, for: .writing) { [weak self] in self?.flush() }
    self.watch = watch
    watch.resume()
  }
}
