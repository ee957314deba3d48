import CPlatform
import Glibc
import Synchronization
import WidgetKitCore
package import WidgetPlatform

/// Content of a request, in a file without a name, so that content of any size takes no memory and nothing is left.
///
/// A class because it owns the file. One thread writes it; all may read what is there.
package nonisolated final class RequestSpool: Sendable {
  private let file: Descriptor
  /// What was read from a descriptor and could not be kept, such as on a full disk.
  private let unwritten = Mutex<[UInt8]>([])

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
  package func openForReading() throws(HostError) -> Int32 {
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
    var error: Int32 = 0
    forEachPart { bytes in
      error = Self.write(bytes, to: number)
      return error == 0
    }
    return error
  }

  /// Gives all content in parts, also what was read and could not be kept.
  ///
  /// - Parameter take: Takes a part, and returns whether there is to be another one.
  package func forEachPart(_ take: ([UInt8]) -> Bool) {
    var offset = 0
    while true {
      let bytes = file.read(Self.chunk, from: offset)
      guard !bytes.isEmpty else { break }
      guard take(bytes) else { return }
      offset += bytes.count
    }
    let rest = unwritten.withLock(\.self)
    if !rest.isEmpty { _ = take(rest) }
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

  /// Reads a descriptor to its end, or until there are more bytes than the limit; of a file that is larger, nothing.
  ///
  /// The calling thread waits; call it off the main thread.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - byteLimit: The most bytes.
  /// - Returns: Whether the end was reached.
  /// - Throws: ``HostError`` with the file and the reason.
  package func read(from number: Int32, byteLimit: Int) throws(HostError) -> Bool {
    let left = Self.bytesLeft(in: number)
    if let left, left > byteLimit { return false }
    // Most files are small, and clearing a buffer takes longer than reading them.
    var buffer = [UInt8](repeating: 0, count: min(Self.chunk, max(left ?? Self.chunk, 4096)))
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
        try keep(Array(buffer.prefix(count)))
        taken += count
      }
    }
    return false
  }

  /// The bytes of a file behind the place at which it is read; nil if it is no file.
  private static func bytesLeft(in number: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(clamping: status.st_size) - max(0, Int(clamping: lseek(number, 0, SEEK_CUR)))
  }

  /// Adds what was read, which is not lost if it cannot be written.
  private func keep(_ bytes: [UInt8]) throws(HostError) {
    let before = size
    do throws(HostError) {
      try append(bytes)
    } catch {
      let rest = Array(bytes.dropFirst(max(0, size - before)))
      unwritten.withLock { $0 += rest }
      throw error
    }
  }

  /// Passes on what comes from a descriptor until its end, without keeping it.
  package static func pass(from number: Int32, to output: Int32) {
    pass(from: number) { write($0, to: output) == 0 }
  }

  /// Gives what comes from a descriptor until its end, in parts, without keeping it.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - take: Takes a part, and returns whether there is to be another one.
  package static func pass(from number: Int32, _ take: ([UInt8]) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = unsafe Glibc.read(number, &buffer, buffer.count)
      if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      }
      guard take(Array(buffer.prefix(max(0, count)))) else { return }
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
}
