import Glibc

/// A file descriptor with one owner, closed when the owner lets go.
nonisolated struct Descriptor: ~Copyable {
  /// The number.
  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Hands the descriptor over to somebody who will close it.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Both ends of a pipe, closed on exec; reads and writes of `nonBlocking` ends never wait.
  static func pipe(nonBlocking end: PipeEnd) throws(HostError) -> (
    read: Descriptor, write: Descriptor
  ) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe pipe2($0, O_CLOEXEC) }
    }
    guard result == 0 else { throw .system("open a pipe", errno) }
    let number = end == .read ? ends.0 : ends.1
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
  }

  /// One end of a pipe.
  enum PipeEnd {
    case read
    case write
  }
}
