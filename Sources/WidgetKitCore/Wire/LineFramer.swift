/// Splits a stream of bytes into lines of limited length.
///
/// Append the bytes that were read, in pieces of any size, and call ``next()`` until it returns nil. A
/// line ends before `\n`, or before `\r\n`; empty lines are ignored.
public struct LineFramer: Sendable {
  /// The host's default for one line, in bytes without its end (Docs/Protocol.md, Transport).
  public static let defaultByteLimit = 256 * 1024

  /// The longest line, in bytes.
  public let byteLimit: Int

  private var buffer: [UInt8] = []
  private var start = 0
  private var scanned = 0

  /// Creates a framer for lines of at most `byteLimit` bytes.
  public init(byteLimit: Int = LineFramer.defaultByteLimit) {
    self.byteLimit = byteLimit
  }

  /// The bytes of the unfinished line.
  public var pendingByteCount: Int { buffer.count - start }

  /// The unfinished line.
  package var pending: ArraySlice<UInt8> { buffer[start...] }

  /// Adds bytes to the stream.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      scanned -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete line; nil if there is none yet.
  ///
  /// - Throws: ``LineTooLong`` as soon as more than ``byteLimit`` bytes are pending without a line
  ///   feed; after that the stream cannot be read any further.
  public mutating func next() throws(LineTooLong) -> ArraySlice<UInt8>? {
    while true {
      guard let end = endOfLine() else {
        guard pendingByteCount <= byteLimit else {
          throw LineTooLong(byteLimit: byteLimit, byteCount: pendingByteCount)
        }
        return nil
      }
      var line = buffer[start..<end]
      start = end + 1
      scanned = start
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard line.count <= byteLimit else {
        throw LineTooLong(byteLimit: byteLimit, byteCount: line.count)
      }
      if !line.isEmpty { return line }
    }
  }

  private mutating func endOfLine() -> Int? {
    let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n"))
    scanned = end ?? buffer.count
    return end
  }
}

/// A line exceeded the limit.
public struct LineTooLong: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit, in bytes.
  public var byteLimit: Int
  /// The bytes of the line that were received so far.
  public var byteCount: Int

  /// The two numbers as text: `a line of 300000 bytes; the limit is 262144`.
  public var description: String {
    "a line of \(byteCount) bytes; the limit is \(byteLimit)"
  }
}
