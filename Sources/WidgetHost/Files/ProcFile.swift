import Glibc

/// Small files below /proc, which have no size and are read completely.
nonisolated enum ProcFile {
  /// Returns at most `limit` bytes of the file's text, or nil if it cannot be read, usually because the
  /// process has ended.
  static func text(_ path: String, limit: Int = 1 << 16) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    let part = 4_096
    while bytes.count < limit {
      var count = 0
      let read = unsafe [UInt8](unsafeUninitializedCapacity: part) { buffer, initialized in
        count = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      guard count > 0 else { break }
      bytes += read
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
