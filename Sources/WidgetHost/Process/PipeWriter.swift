import Dispatch
import Glibc

/// The writing end of a pipe: writes what the reader takes at once and keeps the rest in a queue.
final class PipeWriter {
  private let descriptor: Int32
  private var queue: OutputQueue
  private var source: (any DispatchSourceWrite)?
  private var isArmed = false
  private var isClosed = false
  private var closesWhenDrained = false

  /// Takes over the descriptor, which must not block.
  init(descriptor: Int32, queue: OutputQueue) {
    self.descriptor = descriptor
    self.queue = queue
  }

  isolated deinit {
    if !isClosed && source == nil { Glibc.close(descriptor) }
  }

  /// What waits for the reader, in words.
  var waiting: String { queue.words }

  /// Writes or queues a line; false where the queue is full: the reader does not read.
  func send(_ line: [UInt8]) -> Bool {
    guard !isClosed else { return true }
    guard queue.append(line) else { return false }
    if !isArmed { flush() }
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
    guard let source else {
      Glibc.close(descriptor)
      return
    }
    // The kernel must forget the descriptor before its number is free; and a source that is
    // cancelled while suspended never runs its cancel handler.
    let descriptor = descriptor
    source.setCancelHandler { Glibc.close(descriptor) }
    if !isArmed { source.resume() }
    source.cancel()
    self.source = nil
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
    if queue.isEmpty == isArmed { isArmed ? disarm() : arm() }
  }

  private func arm() {
    let source = source ?? makeSource()
    self.source = source
    isArmed = true
    source.resume()
  }

  private func disarm() {
    isArmed = false
    source?.suspend()
  }

  private func makeSource() -> any DispatchSourceWrite {
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.flush() }
    }
    return source
  }
}
