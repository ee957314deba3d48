import Glibc

/// A file of the tz database.
///
/// Links are followed: `/etc/localtime` is one, and so are many names in the database.
enum ZoneFile {
  /// The largest file that is read; the largest of the tz database has about 4 KiB.
  static let byteLimit = 1 << 20

  /// The properties that change with the file.
  struct Stamp: Hashable, Sendable {
    fileprivate var device: UInt
    fileprivate var inode: UInt
    fileprivate var byteCount: Int
    fileprivate var modified: Int
    fileprivate var nanosecond: Int

    fileprivate init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      device = status.st_dev
      inode = status.st_ino
      byteCount = Int(status.st_size)
      modified = status.st_mtim.tv_sec
      nanosecond = status.st_mtim.tv_nsec
    }
  }

  /// Returns the stamp of the regular file at `path`; nil if there is none.
  static func stamp(of path: String) -> Stamp? {
    var status = stat()
    return stat(path, &status) == 0 ? Stamp(status) : nil
  }

  /// Reads the file at `path`; nil if it is not a regular file that describes a zone.
  static func table(at path: String) -> ZoneTable? {
    bytes(at: path).flatMap { ZoneTable(parsing: $0) }
  }

  /// Reads the file at `path`; nil if it is not a regular file, or too large.
  ///
  /// Opening cannot block, and the kind of file is checked on the open descriptor.
  static func bytes(at path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let stamp = Stamp(status),
      stamp.byteCount <= byteLimit
    else { return nil }
    return contents(of: descriptor, byteCount: stamp.byteCount)
  }

  private static func contents(of descriptor: CInt, byteCount: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var length = 0
    while length < byteCount {
      let result = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: length), byteCount - length)
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { return nil }
      if result == 0 { break }
      length += result
    }
    return Array(bytes[..<length])
  }
}
