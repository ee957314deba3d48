import Glibc

/// Access to the target of a symbolic link.
package enum SymbolicLink {
  /// Returns the target as it is written in the link, or nil if there is no link.
  package static func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
