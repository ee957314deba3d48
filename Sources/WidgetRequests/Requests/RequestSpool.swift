import CPlatform
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// Content of a request, in a file without a name, so that content of any size takes no memory and nothing is left.
///
/// A class because it owns the file. One thread writes it; all may read what is there.
package nonisolated final class RequestSpool: Sendable {
  private let file: Descriptor

  /// Creates an empty one.
  ///
  /// - Parameter folder: Where files for a short time belong, such as `$TMPDIR`.
  /// - Throws: ``HostError`` if no file can be made there.
  package init(in folder: String) throws(HostError) {
    let number = unsafe platform_open_unnamed(folder)
    guard number >= 0 else { throw .file("make a file in", folder, errno) }
    file = Descriptor(number)
  }

  /// The bytes that are there.
  package var size: Int { Int(clamping: file.status()?.st_size ?? 0) }

  /// Adds bytes at the end.
  package func append(_ bytes: [UInt8]) throws(HostError) {
    do throws(FileFault) {
      try file.write(bytes)
    } catch {
      throw .file("write", "the content of a request", error)
    }
  }

  /// The first bytes.
  package func beginning(_ count: Int) -> [UInt8] { file.read(count) }

  /// A descriptor for a program that reads the content from its beginning; the caller must close it.
  func openForReading() throws(HostError) -> Int32 {
    let path = "/proc/self/fd/\(file.number)"
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .file("open", "the content of a request", errno) }
    return number
  }

  /// The bytes that are read and written at once.
  private static let chunk = 256 * 1024

  /// Writes all content to a descriptor, which may be one that does not block.
  ///
  /// - Returns: The error number; 0 if all was written.
  package func copy(to number: Int32) -> Int32 {
    var offset = 0
    while true {
      let bytes = file.read(Self.chunk, from: offset)
      guard !bytes.isEmpty else { return 0 }
      let error = Self.write(bytes, to: number)
      guard error == 0 else { return error }
      offset += bytes.count
    }
  }

  private static func write(_ bytes: [UInt8], to number: Int32) -> Int32 {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      } else if count < 0, errno != EINTR {
        return errno
      }
      sent += max(0, count)
    }
    return 0
  }

  /// Reads a descriptor to its end, or until there are more bytes than the limit.
  ///
  /// The calling thread waits; call it off the main thread.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - byteLimit: The most bytes.
  /// - Returns: Whether the end was reached.
  /// - Throws: ``HostError`` with the file and the reason.
  package func read(from number: Int32, byteLimit: Int) throws(HostError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var taken = 0
    while taken <= byteLimit {
      let count = unsafe Glibc.read(number, &buffer, buffer.count)
      if count == 0 { return true }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      } else if count < 0, errno != EINTR {
        throw .system("read the content", errno)
      } else if count > 0 {
        try append(Array(buffer.prefix(count)))
        taken += count
      }
    }
    return false
  }

  /// Passes on what comes from a descriptor until its end, without keeping it.
  package static func pass(from number: Int32, to output: Int32) {
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = unsafe Glibc.read(number, &buffer, buffer.count)
      if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      }
      guard write(Array(buffer.prefix(max(0, count))), to: output) == 0 else { return }
    }
  }

  /// A hash of the content that is the same in every run.
  package var hash: UInt64 {
    var (hash, offset) = (StableHash.value(of: ""), 0)
    while true {
      let bytes = file.read(Self.chunk, from: offset)
      guard !bytes.isEmpty else { return hash }
      hash = StableHash.value(hash, followedBy: bytes[...])
      offset += bytes.count
    }
  }

  /// Waits until the content is on the disk.
  func sync() -> Bool { fsync(file.number) == 0 }
}
