import Glibc
import WidgetPlatform

/// What a journal says, line by line: the notices in their order, and what became of them.
struct NoticeJournal {
  /// A notice as its line has it, without its JSON.
  struct Post {
    /// The line.
    var line: JournalLine
    var urgency: NoticeContent.Urgency
    var isTransient: Bool
    /// From when on it no longer waits, in milliseconds since 1970; nil if it does until somebody deals with it.
    var expiry: Int?
    /// The hash of its application.
    var application: UInt64
    /// The hash of application and tag; nil without a tag.
    var tag: UInt64?
    /// The place of its JSON.
    var json: Range<Int>
    /// The last line that says what became of it; nil if there is none.
    var change: JournalLine?
    /// Whether a later one has its tag.
    var isReplaced = false
  }

  /// All bytes.
  let bytes: [UInt8]
  /// The name of the journal, which stays while it is written anew; nil if the first line is damaged.
  private(set) var name: UInt64?
  /// The notices, those that were posted first before the others.
  private(set) var posts: [Post] = []
  /// The number of the last line; 0 without any.
  private(set) var lastSequence = 0
  /// The number of the first line; nil without any.
  private(set) var firstSequence: Int?
  /// The notices with a tag, by the hash of application and tag.
  private var tagged: [UInt64: Int] = [:]

  /// Reads the bytes of a journal.
  ///
  /// A line that is damaged, or whose number is not greater than that of the line before, is left out: it is one
  /// that a program has not finished, or that came into the file in another way. What follows the last line feed
  /// is not finished.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    posts.reserveCapacity(bytes.count / 256)
    var start = 0
    while let end = Self.lineEnd(bytes, from: start) {
      if let line = JournalLine(bytes, start..<end) { add(line) }
      start = end + 1
    }
  }

  /// Reads the end of a journal: at least all lines after a number.
  init(endOf file: borrowing Descriptor, after number: Int) throws(FileFault) {
    guard let size = file.status()?.st_size else { throw .system(errno) }
    guard size <= NoticeLimits.journalBytes else {
      throw .refused("it has \(size) bytes, more than any journal; remove it")
    }
    var count = 64 << 10
    while true {
      let start = max(0, size - count)
      let bytes = file.read(size - start, from: start)
      // The first line is a part of one, unless it begins the journal; it is damaged then, and left out.
      self.init(bytes)
      if start == 0 || firstSequence.map({ $0 <= number + 1 }) == true { return }
      count *= 4
    }
  }

  /// The place of the next line feed.
  static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
      guard start < buffer.count, let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(JournalLine.end), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  private mutating func add(_ line: JournalLine) {
    var fields = FieldReader(bytes, line.rest)
    guard line.kind != .head else {
      name = name ?? fields.hexadecimal()
      return
    }
    guard line.sequence > lastSequence else { return }
    switch line.kind {
    case .head: break
    case .post:
      guard let post = Post(line, &fields) else { return }
      if let tag = post.tag, let earlier = tagged.updateValue(posts.count, forKey: tag) {
        posts[earlier].isReplaced = true
      }
      posts.append(post)
    case .dismissed, .acted, .seen, .waiting:
      guard let id = fields.number() else { return }
      if let index = index(of: id) { posts[index].change = line }
    }
    lastSequence = line.sequence
    firstSequence = firstSequence ?? line.sequence
  }

  /// The place of a notice among ``posts``; nil if there is none of this number.
  func index(of id: Int) -> Int? {
    var (low, high) = (0, posts.count)
    while low < high {
      let middle = (low + high) / 2
      if posts[middle].line.sequence < id { low = middle + 1 } else { high = middle }
    }
    return low < posts.count && posts[low].line.sequence == id ? low : nil
  }
}

extension NoticeJournal.Post {
  /// Reads the fields of a notice; nil if one of them is missing.
  fileprivate init?(_ line: JournalLine, _ fields: inout FieldReader) {
    guard let urgency = fields.letter().flatMap(NoticeContent.Urgency.init(letter:)),
      let life = fields.letter(), let expiry = fields.number(),
      let application = fields.hexadecimal(), let tag = fields.hexadecimal(), !fields.left.isEmpty
    else { return nil }
    self.line = line
    self.urgency = urgency
    isTransient = life == Self.transient
    self.expiry = expiry == 0 ? nil : expiry
    self.application = application
    self.tag = tag == 0 ? nil : tag
    json = fields.left
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
