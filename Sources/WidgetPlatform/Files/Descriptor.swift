package import Glibc

/// An open file descriptor that is closed when its value is destroyed.
package struct Descriptor: ~Copyable, Sendable {
  /// The number of the descriptor.
  package let number: Int32

  /// Takes ownership of an open descriptor.
  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Transfers ownership of the descriptor to the caller, who must close it.
  package consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Returns the status of the file from the file system.
  package func status() -> stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Writes all bytes.
  package func write(_ bytes: [UInt8]) throws(FileFault) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno != EINTR { throw .system(errno) }
      sent += max(0, count)
    }
  }

  /// Reads at most `count` bytes from `offset`; fewer if the file ends before.
  package func read(_ count: Int, from offset: Int = 0) -> [UInt8] {
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
