import Glibc

/// Small files below /proc, which have no size and are read completely.
package enum ProcFile {
  /// Returns at most `limit` bytes of the file's text, or nil if it cannot be read, usually because the
  /// process has ended.
  package static func text(_ path: String, limit: Int = 1 << 16) -> String? {
    bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the words of such a file, which are separated by spaces and line feeds; empty if it cannot be read.
  static func words(_ path: String) -> [String] {
    let words = bytes(path)?.split { $0 == 0x20 || $0 == 0x0A } ?? []
    return words.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the lines of such a file that contain a text of ASCII; empty if it cannot be read.
  ///
  /// Of the hundred lines about a process, usually none matters.
  static func lines(_ path: String, with text: String, limit: Int = 1 << 16) -> [String] {
    guard let bytes = bytes(path, limit: limit) else { return [] }
    let wanted = Array(text.utf8)
    var lines: [String] = []
    var start = 0
    while start < bytes.count, let found = offset(of: wanted, in: bytes[start...]) {
      let first = bytes[start..<found].lastIndex(of: 0x0A).map { $0 + 1 } ?? start
      let end = bytes[found...].firstIndex(of: 0x0A) ?? bytes.count
      lines.append(String(decoding: bytes[first..<end], as: UTF8.self))
      start = end + 1
    }
    return lines
  }

  private static func offset(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = wanted.first else { return nil }
    var start = bytes.startIndex
    while let place = bytes[start...].firstIndex(of: first) {
      if bytes[place...].starts(with: wanted) { return place }
      start = place + 1
    }
    return nil
  }

  private static func bytes(_ path: String, limit: Int = 1 << 16) -> [UInt8]? {
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
    return bytes
  }

  /// Whether a process has ended: it is gone, or waits to be collected by its parent.
  package static func hasEnded(_ pid: Int32) -> Bool {
    guard pid > 0, let state = state("/proc/\(pid)") else { return true }
    return state == "Z" || state == "X"
  }

  /// The letter of proc_pid_stat(5) for the state of a process or a thread; nil if it is gone.
  static func state(_ folder: String) -> Character? {
    guard let text = text("\(folder)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    return text[text.index(after: end)...].dropFirst().first
  }
}
