/// Finds what can be looked up in a text: addresses, lines of files, commits, issues, dates and UUIDs.
///
/// What it finds looks like such a thing; whether there is such a file or commit is for others to say. It takes a time
/// that is proportional to the text.
package struct DataDetector {
  /// The bytes of a text that are searched.
  package static let byteLimit = 256 * 1024
  /// The things that are found at most.
  package static let itemLimit = 200
  /// The bytes of a line that are kept with what stands in it.
  package static let lineLimit = 500
  /// The bytes of a word that can be something.
  private static let wordLimit = 2_000

  private let limit: Int
  private var found: [DetectedItem] = []
  private var known: Set<DetectedItem.Kind> = []
  /// The file of a difference between two versions, whose lines follow.
  private var changedFile: String?
  /// The next line of that file, before the first one that has changed; nil outside of a difference.
  private var changedLine: Int?

  private init(limit: Int) { self.limit = limit }

  /// What is in a text, in its order, each thing once.
  ///
  /// - Parameters:
  ///   - text: The text, of which ``byteLimit`` bytes are searched.
  ///   - limit: The most things, at most ``itemLimit``; the search ends with the last of them.
  /// - Returns: What was found.
  package static func items(in text: String, limit: Int = itemLimit) -> [DetectedItem] {
    let limit = min(limit, itemLimit)
    var detector = DataDetector(limit: limit)
    var text = Substring(text.utf8.prefix(byteLimit))
    // The name of the file before a change belongs to the one after it, and is none of the text.
    var oldName: Substring?
    while detector.found.count < limit, let line = nextLine(&text).map(withoutSequences) {
      if let oldName, !line.hasPrefix("+++ ") { detector.take(oldName) }
      oldName = line.hasPrefix("--- ") ? line : nil
      if oldName == nil { detector.take(line) }
    }
    if let oldName { detector.take(oldName) }
    return detector.found
  }

  /// The next line that is not empty, which is taken from a text; nil at its end.
  private static func nextLine(_ text: inout Substring) -> Substring? {
    text = text.drop(while: \.isNewline)
    guard !text.isEmpty else { return nil }
    let line = text.prefix { !$0.isNewline }
    text = text[line.endIndex...]
    return line
  }

  /// A line without the sequences that color it on a terminal (ECMA-48), which would be in the middle of words.
  private static func withoutSequences(_ line: Substring) -> Substring {
    guard line.utf8.contains(0x1B) else { return line }
    var result = ""
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "\u{1B}" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "[": while let next = scalars.popFirst(), !(0x40...0x7E).contains(next.value) {}
      case "]": while let next = scalars.popFirst(), next != "\u{7}", next != "\u{1B}" {}
      default: break
      }
    }
    return Substring(result)
  }

  // MARK: - Lines

  private mutating func take(_ line: Substring) {
    if takeChange(line) { return }
    let context = String(Substring(line.utf8.prefix(Self.lineLimit)))
    countChange(line, context)
    takeTraceback(line, context)
    let words = line.split { $0.isWhitespace || Self.delimiters.contains($0) || Self.isControl($0) }
    for (index, word) in words.enumerated() where word.utf8.count <= Self.wordLimit {
      let rest = words[(index + 1)...]
      if let date = DateWords.date(word, rest) {
        let text = ([word] + rest.prefix(date.count - 1)).joined(separator: " ")
        add(.date(date.value), String(Self.withoutPunctuation(Substring(text))), context)
      } else {
        takeDate(ofOption: word, rest, context)
        take(word: word, context)
      }
    }
  }

  /// A date behind the sign of an option, such as “--since=2027-01-31”.
  private mutating func takeDate(
    ofOption word: Substring,
    _ rest: ArraySlice<Substring>,
    _ context: String
  ) {
    guard let sign = word.lastIndex(of: "="), Self.link(in: word) == nil else { return }
    let value = word[word.index(after: sign)...]
    guard let date = DateWords.date(value, rest) else { return }
    let text = ([value] + rest.prefix(date.count - 1)).joined(separator: " ")
    add(.date(date.value), String(Self.withoutPunctuation(Substring(text))), context)
  }

  /// The lines of a difference between two versions of a file; its other lines are those of any text.
  private mutating func takeChange(_ line: Substring) -> Bool {
    if line.hasPrefix("+++ ") {
      let path = line.dropFirst(4).prefix { $0 != "\t" }
      changedFile =
        path == "/dev/null" ? nil : String(path.hasPrefix("b/") ? path.dropFirst(2) : path)
      return true
    }
    guard line.hasPrefix("@@ -"), let plus = line.firstIndex(of: "+") else { return false }
    let number = line[line.index(after: plus)...].prefix(while: \.isNumber)
    changedLine = Int(number).flatMap { $0 > 0 && $0 < Int.max - Self.byteLimit ? $0 : nil }
    return true
  }

  /// Counts the lines of a difference to the first one that has changed.
  private mutating func countChange(_ line: Substring, _ context: String) {
    guard let changedFile, let number = changedLine else { return }
    switch line.first {
    case " ": changedLine = number + 1
    case "+", "-":
      changedLine = nil
      add(.line(path: changedFile, line: number, column: nil), "\(changedFile):\(number)", context)
    default: changedLine = nil
    }
  }

  /// A line of a traceback of Python: `File "name.py", line 12`.
  private mutating func takeTraceback(_ line: Substring, _ context: String) {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].hasSuffix("File "), parts[2].hasPrefix(", line ") else {
      return
    }
    let digits = parts[2].dropFirst(7).prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0, !parts[1].isEmpty else { return }
    let path = String(parts[1])
    add(.line(path: path, line: number, column: nil), "\(path):\(number)", context)
  }

  private mutating func add(_ kind: DetectedItem.Kind, _ text: String, _ context: String) {
    guard found.count < limit, known.insert(kind).inserted else { return }
    found.append(DetectedItem(kind, text: text, context: context))
  }

  // MARK: - Words

  private static let delimiters: Set<Character> = [
    "\"", "'", "`", "<", ">", "“", "”", "‘", "’", "«", "»",
  ]
  private static let brackets: Set<Character> = ["(", ")", "[", "]", "{", "}", ",", ";", "|", "="]

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
  }

  private mutating func take(word: Substring, _ context: String) {
    if let link = Self.link(in: word) { return add(.link(link), link, context) }
    for part in word.split(whereSeparator: { Self.brackets.contains($0) }) {
      let part = Self.withoutPunctuation(part)
      guard !part.isEmpty, let kind = Self.kind(of: part) else { continue }
      add(kind, String(part), context)
    }
  }

  private static func kind(of word: Substring) -> DetectedItem.Kind? {
    if word.hasPrefix("www."), word.dropFirst(4).contains(".") { return .link("https://\(word)") }
    if let mail = mail(word) { return .mail(mail) }
    if let address = networkAddress(word) { return .networkAddress(address) }
    if let issue = issue(word) { return issue }
    if let line = fileLine(word) { return line }
    let bytes = word.utf8
    if bytes.count == 36, isUUID(bytes) { return .uuid(String(word)) }
    return isCommit(bytes) ? .commit(String(word)) : nil
  }

  /// A full stop, a comma or a colon behind a word belongs to the sentence.
  private static func withoutPunctuation(_ word: Substring) -> Substring {
    var word = word
    while let last = word.last, ".,:;!?".contains(last) { word.removeLast() }
    return word
  }

  /// An address with a scheme, without what stands before it, and without the punctuation of its sentence.
  private static func link(in word: Substring) -> String? {
    let mailto = word.firstRange(of: "mailto:")
    guard let colon = word.firstRange(of: "://") ?? mailto else { return nil }
    var start = colon.lowerBound
    while start > word.startIndex {
      let before = word[word.index(before: start)]
      guard before.isASCII, before.isLetter || before.isNumber || "+-.".contains(before) else {
        break
      }
      start = word.index(before: start)
    }
    while start < colon.lowerBound, !word[start].isLetter { start = word.index(after: start) }
    guard colon == mailto || start < colon.lowerBound else { return nil }
    var link = word[start...]
    while let last = link.last {
      let opening: Character? = last == ")" ? "(" : last == "]" ? "[" : last == "}" ? "{" : nil
      let isOfSentence =
        ".,:;!?|*_".contains(last)
        || opening.map { opening in link.count { $0 == last } > link.count { $0 == opening } }
          ?? false
      guard isOfSentence else { break }
      link.removeLast()
    }
    let rest = word[colon.upperBound...].first
    guard let rest, rest.isLetter || rest.isNumber || "/[~".contains(rest) else { return nil }
    return String(link)
  }

  private static func mail(_ word: Substring) -> String? {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), !word.contains("/"),
      !word.contains(":")
    else { return nil }
    let isName = parts[0].utf8.allSatisfy {
      isAlphanumeric($0) || ".!#$%&*+-/?^_~".utf8.contains($0)
    }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    let isHost = labels.allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
    let isDomain = labels.last.map { $0.count > 1 && $0.allSatisfy(\.isLetter) } ?? false
    return isName && isHost && isDomain ? String(word) : nil
  }

  private static func networkAddress(_ word: Substring) -> String? {
    let numbers = word.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
    let isAddress =
      numbers.count == 4
      && numbers.allSatisfy {
        $0.utf8.count <= 3 && UInt8($0) != nil && $0.utf8.allSatisfy(isDigit)
      }
    return isAddress ? numbers.joined(separator: ".") : nil
  }

  /// “#12”, “GH-12” or “owner/name#12”.
  private static func issue(_ word: Substring) -> DetectedItem.Kind? {
    let mark =
      word.hasPrefix("GH-") ? word.index(word.startIndex, offsetBy: 2) : word.firstIndex(of: "#")
    guard let mark else { return nil }
    let digits = word[word.index(after: mark)...]
    guard !digits.isEmpty, digits.utf8.count <= 9, digits.utf8.allSatisfy(isDigit),
      let number = Int(digits), number > 0
    else { return nil }
    let repository = word.hasPrefix("GH-") ? "" : word[..<mark]
    guard !repository.isEmpty else { return .issue(number, repository: nil) }
    let names = repository.split(separator: "/", omittingEmptySubsequences: false)
    let areNames = names.allSatisfy { name in
      !name.isEmpty && name.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
    }
    return names.count == 2 && areNames ? .issue(number, repository: String(repository)) : nil
  }

  /// “path:12” or “path:12:5”, as compilers and grep write it.
  private static func fileLine(_ word: Substring) -> DetectedItem.Kind? {
    let parts = word.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 2, let line = number(parts[1]), line > 0 else { return nil }
    let path = parts[0]
    // “12:30” and “host:8080” are no lines of files.
    guard path.contains(where: { $0 == "." || $0 == "/" }) || path.contains(where: \.isUppercase),
      path.contains(where: \.isLetter)
    else { return nil }
    return .line(path: String(path), line: line, column: parts.count > 2 ? number(parts[2]) : nil)
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.count <= 9 && digits.utf8.allSatisfy(isDigit) ? Int(digits) : nil
  }

  private static func isUUID(_ bytes: Substring.UTF8View) -> Bool {
    bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte, upper: true)
    }
  }

  /// Hexadecimal digits; a word such as “defaced” and a number such as “1234567” are no commits.
  private static func isCommit(_ bytes: Substring.UTF8View) -> Bool {
    guard (7...40).contains(bytes.count), bytes.allSatisfy({ isHexadecimal($0, upper: false) })
    else { return false }
    return bytes.count == 40 || bytes.contains(where: isDigit) && !bytes.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isHexadecimal(_ byte: UInt8, upper: Bool) -> Bool {
    let lower = upper ? byte | 0x20 : byte
    return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower)
  }
}
