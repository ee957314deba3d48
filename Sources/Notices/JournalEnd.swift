import Glibc
import WidgetPlatform

/// The end of a journal, from which the next line goes on.
struct JournalEnd {
  /// The size of the file.
  let size: Int
  /// Whether its last line has its end.
  private(set) var isFinished = true
  /// The number behind which the next lines have theirs; 0 if there was never a line.
  private(set) var sequence: Int
  /// The time of the last line that is not damaged, in milliseconds since 1970; nil without any.
  private(set) var time: Int?
  /// Whether there is a damaged line among those that were looked at.
  private(set) var isDamaged = false

  /// The bytes that are looked at first.
  private static let window = 16 << 10

  /// Looks at the end of an open journal, and as far back as the lines there are damaged.
  init(_ file: borrowing Descriptor, _ head: JournalHead) throws(FileFault) {
    size = try file.journalSize()
    sequence = head.lastSequence ?? 0
    guard size > 0 else { return }
    isFinished = file.read(1, from: size - 1) == [JournalLine.end]
    var count = Self.window
    while time == nil {
      let start = max(0, size - count)
      look(at: file, from: start, head)
      if start == 0 { return }
      count *= 4
    }
  }

  private mutating func look(
    at file: borrowing Descriptor,
    from start: Int,
    _ head: JournalHead
  ) {
    // The first line is a part of one, unless it begins the journal.
    var isWhole = start == 0
    var found: [JournalLine] = []
    var hasDamage = false
    var last = start
    let damaged = JournalScan.lines(of: file, in: start..<size) { buffer, range, place in
      last = place + range.upperBound + 1
      if let line = JournalLine(buffer, range), head.mayHave(line.sequence, in: size) {
        found.append(line)
      } else if isWhole {
        hasDamage = true
      }
      isWhole = true
    }
    // A line of which only its end is missing counts: the next writer gives it one.
    if !isFinished, size - last <= JournalScan.lineLimit {
      let rest = Array(file.read(size - last, from: last).drop { $0 == JournalLine.end })
      if let line = JournalLine(rest, rest.indices), head.mayHave(line.sequence, in: size) {
        found.append(line)
      }
    }
    isDamaged = hasDamage || damaged > 0
    let lines = found.filter { $0.kind != .head }
    // One that is greater than those behind it is perhaps damage, but no number is used twice.
    sequence = lines.reduce(sequence) { max($0, $1.sequence) }
    time = lines.last?.time
  }
}

/// The first line of a journal, which says when it is to be written anew.
struct JournalHead {
  /// The name of the journal, which stays while it is written anew; nil if the line is damaged.
  private(set) var name: UInt64?
  /// The number of the last line when the journal was written anew; nil if the line is damaged.
  private(set) var lastSequence: Int?
  /// The size that it had then; 0 if it never was, or if the line is damaged.
  private var size = 0
  private var time: Int?

  /// Below this size a journal is written anew only because of its age.
  private static let smallest = 256 << 10
  private static let longestTime = 86_400_000
  /// Numbers from here on are damage in a journal whose first line does not say which ones it can have.
  ///
  /// No line is added behind one of half as much.
  static let sequenceLimit = JournalLine.sequenceLimit / 2
  /// No line has fewer bytes.
  private static let shortestLine = 24

  init(_ file: borrowing Descriptor) {
    let bytes = file.read(256)
    guard let end = bytes.firstIndex(of: JournalLine.end), let line = JournalLine(bytes, 0..<end),
      line.kind == .head
    else { return }
    var fields = FieldReader(bytes, line.rest)
    guard let name = fields.hexadecimal(), let size = fields.number() else { return }
    (self.name, self.size, time) = (name, max(0, size), line.time)
    if let last = fields.number(), 0..<Self.sequenceLimit ~= last { lastSequence = last }
  }

  /// The line of a new journal.
  static func first(_ time: Int) -> [UInt8] {
    line(.random(in: 1 ... .max), size: 0, last: 0, time)
  }

  /// The line as bytes.
  static func line(_ name: UInt64, size: Int, last: Int, _ time: Int) -> [UInt8] {
    let words = "\(JournalLine.hexadecimal(name)) \(size) \(last)"
    return JournalLine.compose(.head, 0, time, Array(words.utf8))
  }

  /// Whether a line can have a number in a journal of so many bytes.
  ///
  /// Each line that was added since it was written anew has taken up some bytes, so that a number far ahead is damage,
  /// which must not put later ones out of order.
  func mayHave(_ sequence: Int, in size: Int) -> Bool {
    guard let lastSequence else { return sequence < Self.sequenceLimit }
    return sequence - lastSequence <= size / Self.shortestLine
  }

  /// Whether the journal is to be written anew: it has doubled, or a day has passed, or the clock was set back.
  func isDue(size present: Int, time now: Int) -> Bool {
    if present > max(Self.smallest, 2 * size) { return true }
    guard let time, lastSequence != nil else { return true }
    return abs(now - time) >= Self.longestTime
  }
}

extension Descriptor {
  /// The size of a journal.
  ///
  /// - Throws: ``FileFault`` if it is more than that of any journal.
  func journalSize() throws(FileFault) -> Int {
    guard let size = status()?.st_size else { throw .system(errno) }
    guard size <= NoticeLimits.journalBytes else {
      let limit = NoticeLimits.journalBytes >> 20
      throw .refused(
        "it has \(size >> 20) MiB, more than any journal (\(limit) MiB); move it away or remove it"
      )
    }
    return size
  }
}
