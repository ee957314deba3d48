/// The markup that bodies of notifications may have, which is like HTML.
enum MarkupText {
  /// The elements whose tags are dropped; what else is in angle brackets is text, such as an address of mail.
  private static let elements: Set<String> = [
    "a", "b", "big", "br", "code", "div", "em", "font", "hr", "i", "img", "li", "ol", "p", "pre",
    "s",
    "small", "span", "strong", "sub", "sup", "tt", "u", "ul",
  ]
  /// The elements with which a line begins or ends.
  private static let breaks: Set<String> = ["br", "div", "hr", "li", "p"]
  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]
  /// The longest tag and entity that are looked at.
  private static let tagLimit = 4096
  private static let entityLimit = 12

  /// The text without markup: tags are dropped, entities are their characters, and of an image its description is left.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return text
    }
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<"), let tag = tag(bytes, at: place) {
        if breaks.contains(tag.name), let last = plain.last, last != UInt8(ascii: "\n") {
          plain.append(UInt8(ascii: "\n"))
        }
        if tag.name == "img" { plain += Array((description(of: tag.rest) ?? "").utf8) }
        place = tag.end
      } else if bytes[place] == UInt8(ascii: "&"), let entity = entity(bytes, at: place) {
        plain += Array(entity.text.utf8)
        place = entity.end
      } else {
        plain.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The tag that begins at a place: its name, what follows that, and where it ends; nil if there is none.
  private static func tag(
    _ bytes: [UInt8],
    at start: Int
  ) -> (name: String, rest: ArraySlice<UInt8>, end: Int)? {
    let inside = bytes[(start + 1)..<min(bytes.count, start + 1 + tagLimit)]
    // No tag has another one in it, so that a text of beginnings is looked at once.
    guard
      let end = inside.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
      bytes[end] == UInt8(ascii: ">")
    else { return nil }
    let words = inside[..<end].drop { $0 == UInt8(ascii: "/") }
    let name = words.prefix { isLetter($0) }
    let rest = words.dropFirst(name.count)
    guard let next = rest.first ?? bytes[end...].first, !isWord(next),
      case let word = String(decoding: name, as: UTF8.self).lowercased(), elements.contains(word)
    else { return nil }
    return (word, rest, end + 1)
  }

  /// The value of `alt` in the attributes of a tag.
  private static func description(of attributes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: attributes, as: UTF8.self)
    for quote: Character in ["\"", "'"] {
      let parts = text.split(separator: quote, omittingEmptySubsequences: false)
      let pairs = zip(parts, parts.dropFirst())
      let pair = pairs.first { name, _ in name.filter { !$0.isWhitespace }.lowercased() == "alt=" }
      if let (_, value) = pair { return plain(String(value)) }
    }
    return nil
  }

  /// The entity that begins at a place: its characters, and where it ends; nil if there is none.
  private static func entity(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
    let inside = bytes[(start + 1)..<min(bytes.count, start + 1 + entityLimit)]
    guard let end = inside.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: inside[..<end], as: UTF8.self)
    if let text = entities[name] { return (text, end + 1) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
    return (String(Character(scalar)), end + 1)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// Whether a byte goes on with the name of a tag, so that it is another one.
  private static func isWord(_ byte: UInt8) -> Bool {
    !(byte == UInt8(ascii: " ") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
      || 0x09...0x0D ~= byte)
  }
}
