import CPlatform
import Glibc

/// Bytes for a child to read, as a file in memory.
package enum MemoryFile {
  /// A descriptor from which the bytes can be read; -1 if there are no free ones.
  package static func open(_ bytes: [UInt8]) -> Int32 {
    let file = platform_memory_file()
    guard file >= 0 else { return -1 }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      guard count > 0 else {
        close(file)
        return -1
      }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }
}
