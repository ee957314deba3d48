/// What a plugin of Nagios has printed: a line of text, more text, and performance data.
///
/// The grammar is that of the Monitoring Plugins Development Guidelines.
struct NagiosOutput: Hashable, Sendable {
  /// The first line.
  var text: String
  /// The lines after it.
  var details: [String]
  /// The performance data, in their order.
  var data: [NagiosDatum]

  /// The most lines and data that are read.
  private static let lineLimit = 200
  private static let dataLimit = 64

  /// Reads an output.
  init(_ output: String) {
    // By scalars: a return and a line feed are one character.
    var lines = output.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(Self.lineLimit).map { line in
        // The colours that some plugins write are those of a terminal.
        let text = ControlSequence.removed(from: String(line.last == "\r" ? line.dropLast() : line))
        return text.utf8.contains(0x1B) ? text.replacing(/\x1B\[[0-9;:]*m/, with: "") : text
      }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    lines.removeFirst(lines.prefix { $0.allSatisfy(\.isWhitespace) }.count)
    var data = ""
    let first = (lines.first ?? "").unicodeScalars.split(
      separator: "|",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    text = first.first.map { Self.trimmed(String($0)) } ?? ""
    if first.count > 1 { data = String(first[1]) }
    details = []
    // After the first `|` in the lines behind it, everything is data.
    var isData = false
    for line in lines.dropFirst() {
      if isData, !Self.isText(line[...]) {
        data += " " + line
      } else if let bar = line.unicodeScalars.firstIndex(of: "|"),
        !Self.isText(Substring(line.unicodeScalars[bar...].dropFirst()))
      {
        isData = true
        let rest = Self.trimmed(line[..<bar])
        if !rest.isEmpty { details.append(rest) }
        data += " " + String(line.unicodeScalars[bar...].dropFirst())
      } else {
        details.append(line)
      }
    }
    text = Self.withoutMarkup(text)
    details = details.map(Self.withoutMarkup)
    self.data = Self.data(data)
  }

  /// Whether words behind a bar are none of data, such as the columns of a table that a plugin prints.
  private static func isText(_ words: Substring) -> Bool {
    !words.allSatisfy(\.isWhitespace) && data(String(words)).isEmpty
  }

  /// A text without the tags that some plugins write for a page, such as a link around all of it.
  private static func withoutMarkup(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    let tag =
      /<\/?(?:a|b|i|u|p|em|br|hr|pre|div|font|span|small|strong|table|tr|td|th)(?:\s[^<>]*=[^<>]*)?\s*\/?>/
      .ignoresCase()
    let plain = text.replacing(tag) { $0.output.lowercased().hasPrefix("<br") ? " " : "" }
    guard plain != text else { return text }
    // The entities of that markup, the ampersand last.
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&"),
    ]
    return entities.reduce(plain) { $0.replacing($1.0, with: $1.1) }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = text.drop(while: \.isWhitespace)[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// Splits performance data at blanks outside of quotes, and at commas that some plugins write there.
  private static func data(_ text: String) -> [NagiosDatum] {
    var data: [NagiosDatum] = []
    var rest = text.unicodeScalars[...]
    while data.count < dataLimit {
      rest = rest.drop(while: isBlank)
      guard !rest.isEmpty else { break }
      guard let label = label(&rest) else {
        // A word that is not a datum.
        rest = rest.drop { !isBlank($0) }
        continue
      }
      let word = rest.prefix { !isBlank($0) }
      let comma = word.indices.first {
        word[$0] == "," && isBoundary(before: word[$0...].dropFirst())
      }
      let value = comma.map { word[..<$0] } ?? word
      rest = rest[value.endIndex...].drop { $0 == "," }
      if let datum = NagiosDatum(label: label, String(value)) { data.append(datum) }
    }
    return data
  }

  /// Takes a label with the sign behind it; nil if the rest begins with none.
  private static func label(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var behind = rest
    if let label = quotedLabel(&behind) {
      // Some plugins write blanks around the sign.
      rest = behind.drop(while: isBlank).dropFirst().drop(while: isBlank)
      return label
    }
    let label = rest.prefix { $0 != "=" && !isBlank($0) }
    behind = rest[label.endIndex...]
    guard behind.first == "=" else { return nil }
    rest = behind.dropFirst()
    return String(label)
  }

  /// Takes a label in quotes; nil if there is none, or if the quote has no end, so that it is a part of a word.
  private static func quotedLabel(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
    var label = String.UnicodeScalarView()
    var behind = rest.dropFirst()
    while let scalar = behind.popFirst() {
      if scalar == quote {
        guard behind.first == quote else {
          guard behind.drop(while: isBlank).first == "=" else { return nil }
          rest = behind
          return String(label)
        }
        // Two quotes in a label are one.
        behind = behind.dropFirst()
      }
      label.append(scalar)
    }
    return nil
  }

  /// Whether a comma before the rest of a word is none of a number: another datum follows, or nothing.
  private static func isBoundary(before rest: Substring.UnicodeScalarView) -> Bool {
    guard let first = rest.first else { return true }
    return (first == "'" || first.properties.isAlphabetic) && rest.contains("=")
  }

  /// Whether a scalar value stands between data; a space without a break can be a part of a number.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}"
  }
}
