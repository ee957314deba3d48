import Glibc
import WidgetPlatform

/// What a journal says, line by line: the notices in their order, and what became of them.
///
/// Of each line only what lists are made from is kept; its JSON stays in the file.
struct NoticeJournal {
  /// The place of a line in the file, without its end.
  struct Place: Hashable {
    var start: Int
    var count: Int32

    var range: Range<Int> { start..<start + Int(count) }
  }

  /// A notice as its line has it, without its JSON.
  struct Post {
    var sequence: Int
    /// When it was posted, in milliseconds since 1970.
    var time: Int
    /// From when on it no longer waits, in milliseconds since 1970; 0 if it does until somebody deals with it.
    var expiry: Int
    /// The hash of its application.
    var application: UInt64
    /// The hash of application and tag; 0 without a tag.
    var tag: UInt64
    var place: Place
    /// The place of the last line that says what became of it among ``NoticeJournal/changes``; -1 if there is none.
    var change: Int32 = -1
    var urgency: NoticeContent.Urgency
    var isTransient: Bool
    /// Whether a later one has its tag.
    var isReplaced = false
  }

  /// What became of a notice.
  struct Change {
    var sequence: Int
    var kind: JournalLine.Kind
    var place: Place
  }

  let head: JournalHead
  /// The notices, those that were posted first before the others.
  private(set) var posts: [Post] = []
  private(set) var changes: [Change] = []
  /// The number of the last line; 0 without any.
  private(set) var lastSequence: Int
  /// The number of the first line; nil without any.
  private(set) var firstSequence: Int?
  /// How many lines are damaged, or out of their order.
  private(set) var damagedCount = 0
  /// The notices with a tag, by the hash of application and tag.
  private var tagged: [UInt64: Int] = [:]

  /// Reads a journal.
  ///
  /// A line that is damaged is left out, and so is the smallest number of lines without which the numbers of the others
  /// grow from line to line. What follows the last line feed is not finished.
  init(_ file: borrowing Descriptor) throws(FileFault) {
    try self.init(file, JournalHead(file), from: 0, size: file.journalSize())
  }

  /// Reads the end of a journal: at least all lines after a number.
  init(endOf file: borrowing Descriptor, after number: Int) throws(FileFault) {
    let (head, size) = (JournalHead(file), try file.journalSize())
    var count = 64 << 10
    while true {
      let start = max(0, size - count)
      try self.init(file, head, from: start, size: size)
      if start == 0 || firstSequence.map({ $0 <= number + 1 }) == true { return }
      count *= 4
    }
  }

  private init(
    _ file: borrowing Descriptor,
    _ head: JournalHead,
    from start: Int,
    size: Int
  ) throws(FileFault) {
    self.init(head, size - start)
    if read(file, start..<size, size) { return }
    // Some number does not grow.
    var numbers: [Int] = []
    JournalScan.lines(of: file, in: start..<size) { buffer, range, _ in
      if let line = Self.line(buffer, range, head, size), line.kind != .head {
        numbers.append(line.sequence)
      }
    }
    let kept = GrowingNumbers.longest(in: numbers)
    self.init(head, size - start)
    _ = read(file, start..<size, size, kept)
  }

  private init(_ head: JournalHead, _ size: Int) {
    self.head = head
    lastSequence = head.lastSequence ?? 0
    // Space that is not used is never touched; to grow would copy all of it.
    posts.reserveCapacity(size / 128)
  }

  /// Reads all lines, or those whose numbers are to be kept; returns whether the numbers grow.
  private mutating func read(
    _ file: borrowing Descriptor,
    _ range: Range<Int>,
    _ size: Int,
    _ kept: [Bool]? = nil
  ) -> Bool {
    var (last, index, isOrdered) = (0, 0, true)
    // The first line is a part of one, unless it begins the journal.
    var isWhole = range.lowerBound == 0
    let skipped = JournalScan.lines(of: file, in: range) { buffer, line, place in
      guard let found = Self.line(buffer, line, head, size) else {
        if isWhole { damagedCount += 1 }
        isWhole = true
        return
      }
      isWhole = true
      guard found.kind != .head else { return }
      let isKept = kept.map { index < $0.count && $0[index] } ?? true
      index += 1
      guard isKept, found.sequence > last, add(found, buffer, place) else {
        isOrdered = isOrdered && found.sequence > last
        damagedCount += 1
        return
      }
      last = found.sequence
    }
    damagedCount += skipped
    lastSequence = max(lastSequence, last)
    return isOrdered || kept != nil
  }

  private static func line(
    _ buffer: [UInt8],
    _ range: Range<Int>,
    _ head: JournalHead,
    _ size: Int
  ) -> JournalLine? {
    guard let line = JournalLine(buffer, range), head.mayHave(line.sequence, in: size) else {
      return nil
    }
    return line
  }

  /// Takes a line; returns false if its fields are not those of its kind.
  private mutating func add(_ line: JournalLine, _ buffer: [UInt8], _ offset: Int) -> Bool {
    var fields = FieldReader(buffer, line.rest)
    let place = Place(start: offset + line.bytes.lowerBound, count: Int32(line.bytes.count))
    switch line.kind {
    case .head: break
    case .post:
      guard let post = Post(line, place, &fields) else { return false }
      if post.tag != 0, let earlier = tagged.updateValue(posts.count, forKey: post.tag) {
        posts[earlier].isReplaced = true
      }
      posts.append(post)
    case .dismissed, .acted, .seen, .waiting:
      guard let id = fields.number() else { return false }
      if let index = index(of: id) {
        posts[index].change = Int32(changes.count)
        changes.append(Change(sequence: line.sequence, kind: line.kind, place: place))
      }
    }
    firstSequence = firstSequence ?? line.sequence
    return true
  }

  /// The place of a notice among ``posts``; nil if there is none of this number.
  func index(of id: Int) -> Int? {
    var (low, high) = (0, posts.count)
    while low < high {
      let middle = (low + high) / 2
      if posts[middle].sequence < id { low = middle + 1 } else { high = middle }
    }
    return low < posts.count && posts[low].sequence == id ? low : nil
  }

  /// What became of a notice last; nil if nothing did.
  func change(of post: Post) -> Change? { post.change < 0 ? nil : changes[Int(post.change)] }

  /// Whether a notice waits at a time in milliseconds since 1970.
  func state(of post: Post, at time: Int) -> Notice.State {
    switch change(of: post)?.kind {
    case .dismissed, .acted, .seen: return .earlier
    case .waiting, .head, .post, nil: break
    }
    // A critical one has no expiry.
    return post.expiry != 0 && post.expiry <= time ? .earlier : .waiting
  }
}

extension NoticeJournal.Post {
  /// Reads the fields of a notice; nil if one of them is missing.
  fileprivate init?(
    _ line: JournalLine,
    _ place: NoticeJournal.Place,
    _ fields: inout FieldReader
  ) {
    guard let urgency = fields.letter().flatMap(NoticeContent.Urgency.init(letter:)),
      let life = fields.letter(), let expiry = fields.number(),
      let application = fields.hexadecimal(), let tag = fields.hexadecimal(), !fields.left.isEmpty
    else { return nil }
    (sequence, time, self.place) = (line.sequence, line.time, place)
    self.urgency = urgency
    isTransient = life == Self.transient
    (self.expiry, self.application, self.tag) = (expiry, application, tag)
  }

  /// The place of the JSON in the line of a notice.
  static func json(_ line: JournalLine, in bytes: [UInt8]) -> Range<Int> {
    var fields = FieldReader(bytes, line.rest)
    for _ in 0..<5 { fields.skip() }
    return fields.left
  }

  private static let transient = UInt8(ascii: "t")
  private static let kept = UInt8(ascii: "k")

  /// The fields of a notice behind those of every line.
  static func fields(_ content: NoticeContent, expiry: Int?, json: [UInt8]) -> [UInt8] {
    let letters = [content.urgency.letter, JournalLine.blank]
    let life = [content.isTransient == true ? transient : kept]
    let application = JournalLine.hexadecimal(hash(ofApplication: content.application))
    let tag = JournalLine.hexadecimal(content.tagHash ?? 0)
    return letters + life + Array(" \(expiry ?? 0) \(application) \(tag) ".utf8) + json
  }

  /// The hash of an application, by which notices are chosen; upper and lower case are the same.
  static func hash(ofApplication name: String) -> UInt64 {
    StableHash.value(of: name.lowercased())
  }
}

extension NoticeContent {
  /// The hash of what a later notice must have in common to replace this one; nil without a tag.
  var tagHash: UInt64? {
    tag.map { tag in
      let hash = StableHash.value(of: [host ?? "", application, tag].joined(separator: "\0"))
      return hash == 0 ? 1 : hash
    }
  }
}

extension NoticeContent.Urgency {
  /// Its letter in the journal.
  var letter: UInt8 {
    switch self {
    case .low: UInt8(ascii: "l")
    case .normal: UInt8(ascii: "n")
    case .critical: UInt8(ascii: "c")
    }
  }

  init?(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "l"): self = .low
    case UInt8(ascii: "n"): self = .normal
    case UInt8(ascii: "c"): self = .critical
    default: return nil
    }
  }
}

/// The numbers of lines among which some are wrong.
enum GrowingNumbers {
  /// Which of the numbers belong to a longest part of them that grows.
  ///
  /// - Complexity: O(*n* log *n*), by patience sorting.
  static func longest(in numbers: [Int]) -> [Bool] {
    // The places of the smallest numbers with which a part of each length ends, and of the ones before them.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var kept = [Bool](repeating: false, count: numbers.count)
    var place = ends.last ?? -1
    while place >= 0 {
      kept[place] = true
      place = before[place]
    }
    return kept
  }
}
