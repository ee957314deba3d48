import Glibc

/// A regular file of a bundle, opened so that reading cannot block.
///
/// `O_NOFOLLOW` refuses links out of the bundle, and `O_NONBLOCK` prevents a pipe from blocking the
/// open. The kind of file is checked on the open descriptor, so that it cannot change afterwards.
struct BundleFile: ~Copyable {
  private let descriptor: CInt
  /// The status of the file.
  let status: stat

  /// The number of bytes in the file.
  var byteCount: Int { Int(status.st_size) }

  /// Opens the file at `path`; `expected` describes it in errors.
  static func open(_ path: String, expected: String) throws(BundleFault) -> BundleFile {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(FileProblem.current.words, expected: expected)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(FileProblem.kind(of: status.st_mode), expected: expected)
    }
    return BundleFile(descriptor: descriptor, status: status)
  }

  /// Whether there is a file of any kind at `path`.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  deinit {
    close(descriptor)
  }

  /// Reads at most `count` bytes from the start.
  func prefix(_ count: Int) throws(BundleFault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = 0
    while length < count {
      let result = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress?.advanced(by: length), count - length, off_t(length))
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else {
        throw .unreadable(FileProblem.current.words, expected: "a file that can be read")
      }
      if result == 0 { break }
      length += result
    }
    bytes.removeSubrange(length...)
    return bytes
  }
}
