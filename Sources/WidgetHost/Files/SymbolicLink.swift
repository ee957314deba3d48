import Glibc

/// Where a symbolic link leads.
nonisolated enum SymbolicLink {
  /// The target as it is written in the link; nil where there is no link.
  static func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
