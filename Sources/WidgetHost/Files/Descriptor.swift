import Glibc

/// An open file descriptor, which is closed with its value.
nonisolated struct Descriptor: ~Copyable, Sendable {
  /// The kernel's number of it.
  let number: Int32

  /// Takes over a descriptor that is open.
  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Hands the descriptor over to somebody who closes it.
  consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// What the file system says of the file.
  func status() -> stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(FileFault) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno != EINTR { throw .system(errno) }
      sent += max(0, count)
    }
  }

  /// Reads from `offset` on, at most `count` bytes; fewer where the file ends before.
  func read(_ count: Int, from offset: Int = 0) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let read = unsafe pread(
          number,
          buffer.baseAddress.map { unsafe $0 + initialized },
          count - initialized,
          offset + initialized
        )
        if read < 0 && errno == EINTR { continue }
        if read <= 0 { break }
        initialized += read
      }
    }
  }
}
