/// What the program `broker-agent` and the host say: a word and fields of any bytes.
///
/// On the wire it is a line of the word and the decimal number of bytes of each field, then the bytes:
/// ```
/// published 1 0
/// 7
/// ```
struct BrokerFrame: Hashable {
  var word: String
  var fields: [[UInt8]]

  init(_ word: String, _ fields: [[UInt8]]) {
    (self.word, self.fields) = (word, fields)
  }

  init(_ word: String, _ texts: String...) {
    self.init(word, texts.map { Array($0.utf8) })
  }

  /// The bytes on the wire.
  var bytes: [UInt8] {
    let head = ([word] + fields.map { "\($0.count)" }).joined(separator: " ")
    return Array(head.utf8) + [0x0A] + fields.joined()
  }

  /// A field as a text; nil if there is none, or it is not valid UTF-8.
  func text(_ index: Int) -> String? {
    guard fields.indices.contains(index) else { return nil }
    return String(validating: fields[index], as: UTF8.self)
  }
}

/// Takes frames from the bytes of the program.
struct BrokerFrameReader {
  /// What was read is not what the program would write.
  struct Invalid: Error, Equatable {}

  private var rest: [UInt8] = []
  private var start = 0

  private static let headLimit = 128
  private static let fieldLimit = 6
  /// The most bytes of a frame: a topic, a payload, and small values.
  private static let frameLimit = 2 * TopicRules.byteLimit + BrokerMessage.payloadLimit + 4_096

  /// Adds what was read.
  mutating func append(_ bytes: [UInt8]) {
    rest.removeFirst(start)
    start = 0
    rest += bytes
  }

  /// The next frame; nil if it is not whole.
  mutating func next() throws(Invalid) -> BrokerFrame? {
    let head = rest[start...].prefix(Self.headLimit)
    guard let end = head.firstIndex(of: 0x0A) else {
      if head.count == Self.headLimit { throw Invalid() }
      return nil
    }
    let words = rest[start..<end].split(separator: 0x20, omittingEmptySubsequences: false)
    guard let first = words.first, !first.isEmpty, words.count - 1 <= Self.fieldLimit,
      let word = String(validating: first, as: UTF8.self)
    else { throw Invalid() }
    var counts: [Int] = []
    for digits in words.dropFirst() { counts.append(try Self.number(digits)) }
    guard counts.reduce(0, +) <= Self.frameLimit else { throw Invalid() }
    var place = end + 1
    guard rest.count - place >= counts.reduce(0, +) else { return nil }
    var frame = BrokerFrame(word, [])
    for count in counts {
      frame.fields.append(Array(rest[place..<(place + count)]))
      place += count
    }
    start = place
    return frame
  }

  private static func number(_ digits: ArraySlice<UInt8>) throws(Invalid) -> Int {
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw Invalid() }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
