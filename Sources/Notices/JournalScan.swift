import Glibc
import WidgetPlatform

/// Reads a journal line by line, with a buffer that holds a part of it.
enum JournalScan {
  /// The most bytes of a line; a longer one is damaged.
  static let lineLimit = 16 << 20
  private static let bufferSize = 256 << 10
  /// `SEEK_DATA` of unistd.h, which the module Glibc does not export.
  private static let seekData: Int32 = 3

  /// Calls `body` with each line that has its end.
  ///
  /// - Parameters:
  ///   - file: The journal.
  ///   - range: The part of it, in bytes.
  ///   - body: Takes a buffer, the place of the line in it without its end, and the place of the buffer in the file.
  /// - Returns: How many lines there are that are no lines: too long, or holes in the file (lseek(2)), which are not
  ///   read. Behind the last line feed may be one that is not finished; it does not count.
  @discardableResult
  static func lines(
    of file: borrowing Descriptor,
    in range: Range<Int>,
    _ body: (_ buffer: [UInt8], _ line: Range<Int>, _ place: Int) -> Void
  ) -> Int {
    var buffer = [UInt8](repeating: 0, count: min(bufferSize, max(range.count, 1)))
    // The bytes in the buffer, and their place in the file.
    var (count, place) = (0, range.lowerBound)
    var damaged = 0
    var isSkipping = false
    while place + count < range.upperBound {
      let next = place + count
      let data = lseek(file.number, next, seekData)
      // ENXIO: there is nothing more than a hole.
      if data < 0, errno == ENXIO { return damaged + 1 }
      if data > next {
        damaged += 1
        isSkipping = false
        (count, place) = (0, data)
        guard data < range.upperBound else { return damaged }
      }
      if count == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
      let read = read(file, into: &buffer, from: count, at: place + count, until: range.upperBound)
      guard read > 0 else { break }
      count += read
      var start = 0
      while let end = lineEnd(buffer, start..<count) {
        if !isSkipping, start < end { body(buffer, start..<end, place) }
        isSkipping = false
        start = end + 1
      }
      if count - start >= lineLimit {
        if !isSkipping { damaged += 1 }
        (isSkipping, start) = (true, count)
      }
      move(&buffer, start..<count)
      (count, place) = (count - start, place + start)
    }
    return damaged
  }

  /// Reads what fits into the buffer; returns how many bytes.
  private static func read(
    _ file: borrowing Descriptor,
    into buffer: inout [UInt8],
    from start: Int,
    at place: Int,
    until end: Int
  ) -> Int {
    let number = file.number
    return unsafe buffer.withUnsafeMutableBytes { bytes in
      let limit = min(bytes.count - start, end - place)
      while true {
        let count = unsafe pread(number, bytes.baseAddress.map { unsafe $0 + start }, limit, place)
        if count >= 0 || errno != EINTR { return count }
      }
    }
  }

  /// Moves what is left to the beginning.
  private static func move(_ buffer: inout [UInt8], _ range: Range<Int>) {
    guard range.lowerBound > 0, !range.isEmpty else { return }
    unsafe buffer.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe memmove(base, base + range.lowerBound, range.count)
    }
  }

  /// The place of the first line feed in a part of the buffer.
  private static func lineEnd(_ buffer: [UInt8], _ range: Range<Int>) -> Int? {
    unsafe buffer.withUnsafeBytes { bytes in
      guard !range.isEmpty, let base = bytes.baseAddress,
        let found = unsafe memchr(base + range.lowerBound, Int32(JournalLine.end), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
