/// The answer of a WebDAV server with a part for each resource (RFC 4918 §13).
///
/// Only elements by their local names and their text are read; what is no such answer has no parts.
struct MultiStatus: Hashable, Sendable {
  /// One resource.
  struct Part: Hashable, Sendable {
    /// Its address: a path, or a URL.
    var href = ""
    /// Whether it is a calendar (RFC 4791 §4.2).
    var isCalendar = false
    /// The calendar itself.
    var data: String?
    /// Where the user's calendars are.
    var home: String?
    /// Where the user is described.
    var principal: String?
  }

  /// More resources are left out.
  static let partLimit = 5_000

  private(set) var parts: [Part] = []

  /// Reads an answer.
  init(parsing bytes: [UInt8]) {
    var scanner = MarkupScanner(bytes)
    var open: [String] = []
    var part: Part?
    var text = ""
    while parts.count < Self.partLimit, let token = scanner.next() {
      switch token {
      case .start(let name, let isEmpty):
        if name == "response" { part = Part() }
        if name == "calendar", open.last == "resourcetype" { part?.isCalendar = true }
        text = ""
        if !isEmpty, open.count < MarkupScanner.depthLimit { open.append(name) }
      case .text(let words): text += words
      case .end(let name):
        guard let index = open.lastIndex(of: name) else { continue }
        open.removeSubrange(index...)
        switch (name, open.last ?? "") {
        case ("response", _):
          if let part { parts.append(part) }
          part = nil
        case ("href", "response"): part?.href = Self.trimmed(text)
        case ("href", "calendar-home-set"): part?.home = Self.trimmed(text)
        case ("href", "current-user-principal"): part?.principal = Self.trimmed(text)
        case ("calendar-data", _): part?.data = text
        default: break
        }
        text = ""
      }
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.split(whereSeparator: \.isWhitespace).joined())
  }
}

/// The tags and texts of XML, without its entities beyond the five of the standard and numbers; there is
/// nothing that a document could define or include.
private struct MarkupScanner {
  static let depthLimit = 100

  enum Token {
    case start(name: String, isEmpty: Bool)
    case end(name: String)
    case text(String)
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func next() -> Token? {
    while let first = rest.first {
      guard first == UInt8(ascii: "<") else {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        defer { rest = rest[end...] }
        return .text(Self.unescaped(rest[..<end]))
      }
      if rest.starts(with: "<![CDATA[".utf8) {
        return .text(String(decoding: take(9, until: "]]>"), as: UTF8.self))
      }
      if rest.starts(with: "<!--".utf8) {
        _ = take(4, until: "-->")
        continue
      }
      let tag = take(1, until: ">")
      if tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!") { continue }
      let isEnd = tag.first == UInt8(ascii: "/")
      let name = Self.localName(isEnd ? tag.dropFirst() : tag)
      if isEnd { return .end(name: name) }
      return .start(name: name, isEmpty: tag.last == UInt8(ascii: "/"))
    }
    return nil
  }

  /// Takes what is before `end`, or the rest if it is missing.
  private mutating func take(_ skipped: Int, until end: String) -> ArraySlice<UInt8> {
    let end = Array(end.utf8)
    rest = rest.dropFirst(skipped)
    var index = rest.startIndex
    while index < rest.endIndex, rest[index] != end[0] || !rest[index...].starts(with: end) {
      index += 1
    }
    let taken = rest[..<index]
    rest = rest[index...].dropFirst(end.count)
    return taken
  }

  /// `d:href attribute="…"` is `href`.
  private static func localName(_ tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var plain = String(parts.removeFirst())
    for part in parts {
      let name = part.prefix { $0 != ";" }
      if name.utf8.count < min(part.utf8.count, 10), let character = character(named: name) {
        plain.append(character)
        plain += part.dropFirst(name.count + 1)
      } else {
        plain += "&" + part
      }
    }
    return plain
  }

  private static func character(named name: Substring) -> Character? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
