import FoundationEssentials
import Glibc
import WidgetKitCore

/// The JSON of a notice as the store writes it: an object without blanks, with its members in their order.
///
/// Nearly every notice is like this, and its members are found without a decoder, whose start alone takes milliseconds.
/// All others are left to the decoder.
struct StoredJSON {
  /// The places of the values, those of strings without quotation marks; nil for members that are not there.
  private var values = [Range<Int>?](repeating: nil, count: Member.allCases.count)

  /// The members, as they are sorted.
  private enum Member: Int, CaseIterable {
    case application, body, host, isTransient, origin, progress, source, tag, title, urgency

    static let names = allCases.map { Array("\($0)".utf8) }
  }

  /// Whether it is one of a notice that can be printed as it is.
  ///
  /// It has no actions, no character that is not in ASCII, and only the escapes of line feed, tab, quotation mark,
  /// backslash and slash.
  static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let json = StoredJSON(bytes) else { return false }
    return json[.application] != nil && json[.title] != nil && json.source(bytes) != nil
      && json.urgency(bytes) != nil
  }

  private subscript(member: Member) -> Range<Int>? { values[member.rawValue] }

  /// Reads JSON; nil if it is not like that.
  init?(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    func take(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard bytes.endIndex - place >= count else { return false }
      for offset in 0..<count
      where unsafe bytes[place + offset] != text.utf8Start[offset] { return false }
      place += count
      return true
    }
    /// Takes a string behind its first quotation mark.
    func string() -> Range<Int>? {
      let start = place
      while let quote = Self.place(of: UInt8(ascii: "\""), in: bytes, place..<bytes.endIndex) {
        guard let mark = Self.place(of: UInt8(ascii: "\\"), in: bytes, place..<quote) else {
          place = quote + 1
          return start..<quote
        }
        // The next byte is there: the quotation mark is behind it, or is it.
        guard Self.escape(bytes[mark + 1]) != nil else { return nil }
        place = mark + 2
      }
      return nil
    }
    func number() -> Range<Int>? {
      let start = place
      while place < bytes.endIndex, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] {
        place += 1
      }
      return 1...2 ~= place - start || bytes[start..<place].elementsEqual("100".utf8)
        ? start..<place : nil
    }
    guard Self.isPlainText(bytes), take("{") else { return nil }
    var next = 0
    repeat {
      guard take("\""), let name = string(), take(":"),
        let index = Member.names[next...].firstIndex(where: bytes[name].elementsEqual),
        let member = Member(rawValue: index)
      else { return nil }
      let value: Range<Int>?
      switch member {
      case .progress: value = number()
      case .isTransient:
        let start = place
        value = take("true") || take("false") ? start..<place : nil
      default: value = take("\"") ? string() : nil
      }
      guard let value else { return nil }
      values[index] = value
      next = index + 1
    } while take(",")
    guard take("}"), place == bytes.endIndex else { return nil }
  }

  private func source(_ bytes: ArraySlice<UInt8>) -> NoticeContent.Source? {
    self[.source].flatMap { NoticeContent.Source(rawValue: Self.text(bytes[$0])) }
  }

  private func urgency(_ bytes: ArraySlice<UInt8>) -> NoticeContent.Urgency? {
    self[.urgency].flatMap { NoticeContent.Urgency(rawValue: Self.text(bytes[$0])) }
  }

  /// The content; nil if a member is missing or has no such value.
  func content(_ bytes: ArraySlice<UInt8>) -> NoticeContent? {
    func text(_ member: Member) -> String? { self[member].map { Self.text(bytes[$0]) } }
    guard let application = text(.application), let source = source(bytes),
      let urgency = urgency(bytes), let title = text(.title)
    else { return nil }
    var content = NoticeContent(
      application: application,
      source: source,
      title: title,
      body: text(.body),
      urgency: urgency
    )
    (content.host, content.origin, content.tag) = (text(.host), text(.origin), text(.tag))
    content.progress = text(.progress).flatMap { Int($0) }
    content.isTransient = text(.isTransient).map { $0 == "true" }
    return content
  }

  private static func place(
    of byte: UInt8,
    in bytes: ArraySlice<UInt8>,
    _ range: Range<Int>
  ) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
      let start = range.lowerBound - bytes.startIndex
      guard !range.isEmpty, let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base + bytes.startIndex
    }
  }

  /// Whether all bytes are characters of ASCII that do not act on a terminal; eight are looked at together.
  private static func isPlainText(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
      var place = 0
      while place + 8 <= buffer.count {
        let word = unsafe buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        // A byte below 0x20 borrows from its highest bit, and 0x7F is the only one with 0 in `delete`.
        let delete = word ^ (ones &* 0x7F)
        let isPlain =
          (word | (word &- ones &* 0x20) & ~word | (delete &- ones) & ~delete) & highs == 0
        guard isPlain else { return false }
        place += 8
      }
      while place < buffer.count {
        guard unsafe 0x20..<0x7F ~= buffer[place] else { return false }
        place += 1
      }
      return true
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      if bytes[place] == UInt8(ascii: "\\"), let byte = escape(bytes[place + 1]) {
        text.append(byte)
        place += 2
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What an escape of one letter stands for.
  private static func escape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    default: nil
    }
  }
}

extension NoticeContent {
  /// Reads the JSON of a notice; nil if it is none.
  init?(json: ArraySlice<UInt8>) {
    if let content = StoredJSON(json)?.content(json) {
      self = content
    } else if let content = try? JSONDocumentDecoder().decode(NoticeContent.self, from: json) {
      self = content
      progress = progress.map { min(max($0, 0), 100) }
    } else {
      return nil
    }
  }
}
