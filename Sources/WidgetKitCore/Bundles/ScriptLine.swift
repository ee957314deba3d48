/// The lines of a script that say how it is shown, in comments of any language.
///
/// `# today: title="Load of the build machine" interval=10s lines=-5`
struct ScriptLine {
  /// What they say.
  private(set) var options = ScriptOptions()
  /// What is in the tags of variables.
  private(set) var variables: [String] = []
  /// The values that cannot be used.
  private(set) var faults: [BundleFault] = []

  /// The lines of a file in which they are looked for.
  private static let searchedLines = 100

  /// Finds them in the beginning of a script; without one nothing is set.
  ///
  /// Of a name that is given twice, the last value counts.
  init(in text: String) {
    if Self.mayHaveTags(text) { readTags(text) }
    // A sentence that begins like this is a comment for readers.
    for rest in Self.declarations(in: text) where Self.isAssignment(rest) {
      var scalars = rest.unicodeScalars[...]
      while let assignment = Self.next(&scalars) { read(assignment) }
    }
  }

  /// What the first lines of a text say behind `today:`, the first word of a comment in any language.
  ///
  /// By bytes, as the beginnings of many scripts are searched before a list is shown; the line end of Windows is one
  /// character, but two bytes.
  static func declarations(in text: String) -> [Substring] {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    return lines.prefix(searchedLines).compactMap { line in
      guard let start = line.firstIndex(where: isLetterOrForeign) else { return nil }
      var words = Substring(line[start...])
      // A letter of another alphabet begins another word.
      if line[start] >= 0x80 { words = words.drop { !$0.isLetter } }
      guard words.utf8.starts(with: "today:".utf8) else { return nil }
      return Substring(words.utf8.dropFirst("today:".utf8.count))
    }
  }

  private static func isLetterOrForeign(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// Whether a text has the end of a name of the other hosts, without which it is not searched for each of their tags.
  private static func mayHaveTags(_ text: String) -> Bool {
    let end = Array("bar.".utf8)
    var matched = 0
    for byte in text.utf8 {
      matched = byte == end[matched] ? matched + 1 : byte == end[0] ? 1 : 0
      if matched == end.count { return true }
    }
    return false
  }

  /// Reads the tags by which plugins of other hosts say who they are.
  private mutating func readTags(_ text: String) {
    for (host, format) in [("bitbar", ScriptFormat.xbar), ("xbar", .xbar), ("swiftbar", .swiftbar)]
    where text.contains("<\(host).") {
      options.format = format
      if let words = Self.tag("\(host).title", in: text) { options.title = words }
      if let words = Self.tag("\(host).desc", in: text) { options.purpose = words }
      variables += Self.texts(of: "\(host).var", in: text)
    }
    if let words = Self.tag("swiftbar.schedule", in: text)?.string {
      do throws(CronSchedule.Fault) {
        options.schedule = try CronSchedule(words)
      } catch {
        let found = BundleError.quoted(words)
        faults.append(
          BundleFault(
            code: .wrongValue,
            key: "swiftbar.schedule",
            found: found,
            expected: error.words
          )
        )
      }
    }
    if Self.tag("swiftbar.type", in: text)?.string == "streamable" { options.follow = true }
    options.endsBlocks = Self.tag("swiftbar.useTrailingStreamSeparator", in: text)?.string == "true"
  }

  /// The text of the last tag of a name, on one line; nil if there is none, or none that can be seen.
  private static func tag(_ name: String, in text: String) -> SafeText? {
    guard let start = text.ranges(of: "<\(name)>").last?.upperBound,
      let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound,
      !text[start..<end].contains(where: \.isNewline)
    else { return nil }
    let words = SafeText(name: String(text[start..<end]), orIfInvisible: "")
    return words.isEmpty ? nil : words
  }

  /// What is in all tags of a name that are on one line.
  private static func texts(of name: String, in text: String) -> [String] {
    // By scalars: the line end of Windows is one character, and a mark behind a sign is one with it.
    text.unicodeScalars.split(separator: "\n").map { Substring($0) }.compactMap { line in
      guard let start = line.firstRange(of: "<\(name)>")?.upperBound,
        let end = line[start...].firstRange(of: "</\(name)>")?.lowerBound
      else { return nil }
      return String(line[start..<end])
    }
  }

  /// Whether a line begins with `name=value`, or with a name that is alone or before a blank and `=`, by mistake.
  private static func isAssignment(_ rest: Substring) -> Bool {
    let words = rest.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return false }
    if first.contains("=") { return true }
    return ScriptOptions.isName(String(first)) && (words.count == 1 || words[1].hasPrefix("="))
  }

  /// What is behind a name.
  enum Value {
    case none
    case text(String)
    /// Quotes that do not end on the line.
    case open(String)
  }

  /// Takes the next `name=value` of a line.
  ///
  /// In double quotes, `\"` is a quote and `\\` a backslash; in single quotes everything is itself.
  static func next(
    _ rest: inout Substring.UnicodeScalarView
  ) -> (name: String, value: Value)? {
    rest = rest.drop(while: \.isWhitespace)
    guard !rest.isEmpty else { return nil }
    let found = rest.prefix { $0 != "=" && !$0.isWhitespace }
    let name = String(found)
    rest = rest[found.endIndex...]
    guard rest.first == "=" else { return (name, .none) }
    rest = rest.dropFirst()
    switch rest.first {
    case "'":
      let value = rest.dropFirst().prefix { $0 != "'" }
      let isClosed = value.endIndex < rest.endIndex
      rest = rest[value.endIndex...].dropFirst()
      return (name, isClosed ? .text(String(value)) : .open("'"))
    case "\"":
      return (name, quoted(&rest).map { .text($0) } ?? .open("\""))
    default:
      let value = rest.prefix { !$0.isWhitespace }
      rest = rest[value.endIndex...]
      return (name, .text(String(value)))
    }
  }

  /// Takes a text in double quotes; nil if they are not closed.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var value = String.UnicodeScalarView()
    rest = rest.dropFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(value) }
      if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
        value.append(next)
        rest = rest.dropFirst()
      } else {
        value.append(scalar)
      }
    }
    return nil
  }

  private mutating func read(_ assignment: (name: String, value: Value)) {
    let name = assignment.name
    let value: String
    switch assignment.value {
    case .text(let text): value = text
    case .none:
      options.confine(name)
      return refuse(name, found: "without a value", expected: "\(name)=VALUE")
    case .open(let quote):
      options.confine(name)
      return refuse(name, found: "\(quote) that is not closed", expected: "\(quote) at its end")
    }
    let isKnown = ScriptOptions.isName(name)
    guard let expected = options.set(name, value) else { return }
    refuse(name, found: isKnown ? BundleError.quoted(value) : "unknown", expected: expected)
  }

  private mutating func refuse(_ name: String, found: String, expected: String) {
    faults.append(
      BundleFault(code: .wrongValue, key: "today: \(name)", found: found, expected: expected)
    )
  }
}
