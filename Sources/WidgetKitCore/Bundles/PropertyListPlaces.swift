/// Where the values of a property list are in its text, by their path: `NSExtension.TodaySettings[0].name`.
///
/// It reads the XML form and the old form `{ key = value; }`, as far as they are well formed; a binary list has no
/// places. What the list means is for the engine's own reader, which uses Foundation.
package struct PropertyListPlaces {
  /// The paths in the order of the text, with the place of the key, or of the value in an array.
  package private(set) var paths: [(path: String, place: TextPlace)] = []
  /// Where the text stops making sense, and why; nil if it is well formed, or not text.
  package private(set) var fault: (place: TextPlace, words: String)?

  private let bytes: [UInt8]
  private var index = 0
  private var open: [Container] = []
  private var lineStarts: [Int] = [0]

  private struct Container {
    var path: String
    var isArray: Bool
    /// The end tag or the closing character.
    var end: String
    var start: Int
    var count = 0
    /// The key that was read, and where.
    var key: (name: String, offset: Int)?
    /// In the old form, whether `=` was read after the key.
    var hasEquals = false
    /// In the old form, whether a value was read that nothing has ended yet.
    var isUnended = false
  }

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lineStarts.append(offset + 1)
    }
    guard !bytes.starts(with: "bplist".utf8), !bytes.contains(0) else { return }
    if bytes.first(where: { !Self.isSpace($0) }) == UInt8(ascii: "<") {
      readTags()
    } else {
      readTokens()
    }
    if fault == nil, let left = open.last {
      fault = (place(left.start), "has no end: \(left.end) is missing")
    }
  }

  /// The place of a value, or of the nearest one that contains it.
  package subscript(path: String) -> TextPlace? {
    var path = path
    while true {
      if let found = paths.first(where: { $0.path == path }) { return found.place }
      guard let cut = path.lastIndex(where: { ".[".contains($0) }) else { return nil }
      path = String(path[..<cut])
    }
  }

  /// The line and column of a byte.
  private func place(_ offset: Int) -> TextPlace {
    let line = lineStarts.lastIndex { $0 <= offset } ?? 0
    return TextPlace(line: line + 1, column: offset - lineStarts[line] + 1)
  }

  // MARK: - Values

  /// Notes that a value begins, and returns its path.
  private mutating func begin(at offset: Int) -> String {
    guard var container = open.popLast() else { return "" }
    let path: String
    if container.isArray {
      path = "\(container.path)[\(container.count)]"
      container.count += 1
      paths.append((path, place(offset)))
    } else {
      let key = container.key
      path = container.path.isEmpty ? key?.name ?? "" : "\(container.path).\(key?.name ?? "")"
      paths.append((path, place(key?.offset ?? offset)))
      container.key = nil
      container.hasEquals = false
    }
    container.isUnended = true
    open.append(container)
    return path
  }

  private mutating func push(_ path: String, isArray: Bool, end: String, at offset: Int) {
    open.append(Container(path: path, isArray: isArray, end: end, start: offset))
  }

  private mutating func fail(_ words: String, at offset: Int) {
    if fault == nil { fault = (place(offset), words) }
    index = bytes.count
  }

  // MARK: - XML

  private mutating func readTags() {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start
      if skip("<!--", until: "-->") || skip("<?", until: "?>") || skip("<!", until: ">") {
        continue
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
        return fail("is a tag without >", at: start)
      }
      let tag = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
      index = end + 1
      read(tag, at: start)
    }
  }

  private mutating func read(_ tag: String, at start: Int) {
    let isClosed = tag.hasSuffix("/")
    let name = tag.prefix { !" \t\r\n/".contains($0) || $0 == tag.first && $0 == "/" }
    switch name {
    case "plist", "/plist": return
    case "/dict", "/array":
      guard let container = open.last, container.end == "<\(name)>" else {
        let wanted = open.last.map { "; expected \($0.end)" } ?? ""
        return fail("is <\(SafeText(String(name)))>\(wanted)", at: start)
      }
      open.removeLast()
    case "dict", "array":
      let path = begin(at: start)
      if !isClosed { push(path, isArray: name == "array", end: "</\(name)>", at: start) }
    case "key":
      let text = content(of: "key", from: start)
      guard open.last?.isArray == false else {
        return fail("is a key outside of a dict", at: start)
      }
      if !open.isEmpty { open[open.count - 1].key = (text, start) }
    case "string", "integer", "real", "date", "data":
      _ = begin(at: start)
      if !isClosed { _ = content(of: String(name), from: start) }
    case "true", "false": _ = begin(at: start)
    default: fail("is <\(SafeText(String(name)))>, not a tag of a property list", at: start)
    }
  }

  /// The text until the end tag.
  private mutating func content(of name: String, from start: Int) -> String {
    let end = Array("</\(name)>".utf8)
    var position = index
    while position + end.count <= bytes.count {
      if bytes[position..<(position + end.count)].elementsEqual(end) {
        defer { index = position + end.count }
        return String(decoding: bytes[index..<position], as: UTF8.self)
      }
      position += 1
    }
    fail("has no end: </\(name)> is missing", at: start)
    return ""
  }

  private mutating func skip(_ start: String, until end: String) -> Bool {
    guard bytes[index...].starts(with: start.utf8) else { return false }
    let (from, end) = (index, Array(end.utf8))
    while index + end.count <= bytes.count {
      if bytes[index..<(index + end.count)].elementsEqual(end) {
        index += end.count
        return true
      }
      index += 1
    }
    fail("has no end", at: from)
    return true
  }

  // MARK: - The old form

  private mutating func readTokens() {
    while let (token, offset) = nextToken() {
      if let missing = missing(before: token) {
        return fail("has no \(missing) before \(SafeText(token).onOneLine)", at: offset)
      }
      switch token {
      case "{", "(":
        let path = begin(at: offset)
        push(path, isArray: token == "(", end: token == "(" ? ")" : "}", at: offset)
      case "}", ")":
        guard open.last?.end == token else {
          let wanted = open.last.map { "; expected \($0.end)" } ?? ""
          return fail("is \(token)\(wanted)", at: offset)
        }
        open.removeLast()
      case "=": if !open.isEmpty { open[open.count - 1].hasEquals = true }
      case ";", ",":
        guard !open.isEmpty else { continue }
        open[open.count - 1].isUnended = false
        // A key alone is its own value.
        open[open.count - 1].key = nil
      default:
        let text = token.hasPrefix("\"") ? String(token.dropFirst()) : token
        if let container = open.last, !container.isArray, container.key == nil {
          open[open.count - 1].key = (text, offset)
        } else {
          _ = begin(at: offset)
        }
      }
    }
  }

  /// What must be between the tokens that were read and the next one; nil if nothing is missing.
  private func missing(before token: String) -> String? {
    guard let container = open.last, !["=", ";", ","].contains(token) else { return nil }
    if container.isUnended {
      // The last element of an array may end without a comma.
      return container.isArray ? (token == ")" ? nil : ",") : ";"
    }
    return !container.isArray && container.key != nil && !container.hasEquals ? "=" : nil
  }

  /// The next token; a text in quotes has the first of them.
  private mutating func nextToken() -> (String, Int)? {
    while index < bytes.count {
      if Self.isSpace(bytes[index]) {
        index += 1
      } else if bytes[index...].starts(with: "//".utf8) {
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if !skip("/*", until: "*/") {
        break
      }
    }
    guard index < bytes.count else { return nil }
    let start = index
    let byte = bytes[start]
    index += 1
    if "{}()=;,".utf8.contains(byte) { return (String(UnicodeScalar(byte)), start) }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      var isEscaped = false
      while index < bytes.count, isEscaped || bytes[index] != byte {
        isEscaped = !isEscaped && bytes[index] == UInt8(ascii: "\\")
        index += 1
      }
      guard index < bytes.count else {
        fail("has no end: the closing quote is missing", at: start)
        return nil
      }
      defer { index += 1 }
      return ("\"" + String(decoding: bytes[(start + 1)..<index], as: UTF8.self), start)
    }
    while index < bytes.count, !Self.isSpace(bytes[index]), !"{}()=;,\"".utf8.contains(bytes[index])
    {
      index += 1
    }
    return (String(decoding: bytes[start..<index], as: UTF8.self), start)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}
