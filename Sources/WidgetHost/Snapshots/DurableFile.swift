import Glibc

/// Small files that are whole at every moment: old or new, never broken.
nonisolated enum DurableFile {
  /// Writes a file through a temporary one beside it: 0600, fsync, rename, fsync of the folder.
  ///
  /// Foundation's atomic writing leaves out the last step and the mode (RELIABILITY F16).
  ///
  /// Without `waitsForDisk` the file is as whole, but after a power cut it may be the old one.
  static func write(
    _ bytes: some Sequence<UInt8>,
    to path: String,
    waitsForDisk: Bool = true
  ) throws(HostError) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    StateFolders.make(folder)
    let temporary = SnapshotFolder.temporary(for: path)
    let descriptor = unsafe open(
      temporary,
      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
      0o600
    )
    guard descriptor >= 0 else { throw .file("write", path, errno) }
    do throws(HostError) {
      try writeAll(Array(bytes), to: descriptor, path)
      guard !waitsForDisk || fsync(descriptor) == 0 else { throw .file("write", path, errno) }
      close(descriptor)
    } catch {
      close(descriptor)
      unsafe unlink(temporary)
      throw error
    }
    guard unsafe rename(temporary, path) == 0 else {
      let error = HostError.file("write", path, errno)
      unsafe unlink(temporary)
      throw error
    }
    guard waitsForDisk else { return }
    let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  private static func writeAll(
    _ bytes: [UInt8],
    to descriptor: Int32,
    _ path: String
  ) throws(HostError) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno != EINTR { throw .file("write", path, errno) }
      sent += max(0, count)
    }
  }

  /// What a small file came to.
  enum Contents {
    /// There is none.
    case absent
    /// It is there, and is nothing to be read; in words.
    case odd(String)
    /// All of its bytes.
    case whole([UInt8])
  }

  /// Whether nothing has this name.
  static func isAbsent(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 }

  /// Reads a regular file of at most `byteLimit` bytes; nil where there is none or it is larger.
  static func read(_ path: String, byteLimit: Int) -> [UInt8]? {
    if case .whole(let bytes) = contents(path, byteLimit: byteLimit) { bytes } else { nil }
  }

  /// The last bytes of a regular file, at most so many; none where there is no such file.
  static func tail(_ path: String, byteLimit: Int) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: byteLimit) { buffer, initialized in
      let start = max(0, Int(status.st_size) - byteLimit)
      let count = unsafe pread(descriptor, buffer.baseAddress, byteLimit, start)
      initialized = max(0, count)
    }
  }

  /// Reads a regular file of at most `byteLimit` bytes, and says why where it cannot.
  static func contents(_ path: String, byteLimit: Int) -> Contents {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return .absent
      case ELOOP: return .odd("it is a link")
      default: return .odd(HostError.text(of: errno))
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .odd("it is no regular file")
    }
    guard status.st_size <= byteLimit else {
      return .odd("it has \(status.st_size) bytes, more than \(byteLimit)")
    }
    let size = Int(status.st_size)
    return .whole(
      unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        while initialized < size {
          let count = unsafe Glibc.read(
            descriptor,
            buffer.baseAddress.map { unsafe $0 + initialized },
            size - initialized
          )
          if count <= 0 { break }
          initialized += count
        }
      }
    )
  }
}
