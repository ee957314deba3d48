import Glibc
import WidgetPlatform

/// The end of a journal, from which the next line goes on.
struct JournalEnd {
  /// The size of the file.
  var size: Int
  /// Whether its last line has its end.
  var isFinished = true
  /// The number of the last line that is not damaged; 0 without any.
  var sequence = 0
  /// The time of that line in milliseconds since 1970; nil without any.
  var time: Int?

  /// The bytes that are looked at first.
  private static let window = 64 << 10

  /// Looks at the end of an open journal, and as far back as the lines there are damaged.
  init(_ file: borrowing Descriptor) throws(FileFault) {
    guard let status = file.status() else { throw .system(errno) }
    size = status.st_size
    guard size <= NoticeLimits.journalBytes else {
      throw .refused("it has \(size) bytes, more than any journal; remove it")
    }
    var count = Self.window
    while size > 0 {
      let start = max(0, size - count)
      let bytes = file.read(size - start, from: start)
      isFinished = bytes.last == JournalLine.end
      if let last = Self.last(in: bytes) {
        (sequence, time) = (last.sequence, last.time)
        return
      }
      if start == 0 { return }
      count *= 4
    }
  }

  /// The last line in a part of a journal.
  ///
  /// A line of which only its end is missing counts: the next writer gives it one.
  private static func last(in bytes: [UInt8]) -> JournalLine? {
    var end = bytes.last == JournalLine.end ? bytes.count - 1 : bytes.count
    while true {
      let start = bytes[..<end].lastIndex(of: JournalLine.end).map { $0 + 1 } ?? 0
      if let line = JournalLine(bytes, start..<end), line.kind != .head { return line }
      guard start > 0 else { return nil }
      end = start - 1
    }
  }
}

/// The first line of a journal, which says when it is to be written anew.
struct JournalHead {
  /// The size that it had when it was written anew; 0 if it never was, or if the line is damaged.
  private var size = 0
  private var time: Int?

  /// Below this size a journal is written anew only because of its age.
  private static let smallest = 256 << 10
  private static let longestTime = 86_400_000

  init(_ file: borrowing Descriptor) {
    let bytes = file.read(128)
    guard let end = bytes.firstIndex(of: JournalLine.end), let line = JournalLine(bytes, 0..<end),
      line.kind == .head
    else { return }
    var fields = FieldReader(bytes, line.rest)
    guard fields.hexadecimal() != nil, let size = fields.number() else { return }
    (self.size, time) = (max(0, size), line.time)
  }

  /// Whether the journal is to be written anew: it has doubled, or a day has passed, or the clock was set back.
  func isDue(size present: Int, time now: Int) -> Bool {
    if present > max(Self.smallest, 2 * size) { return true }
    guard let time else { return true }
    return abs(now - time) >= Self.longestTime
  }
}
