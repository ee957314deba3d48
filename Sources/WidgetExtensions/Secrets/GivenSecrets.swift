import FoundationEssentials
import WidgetKitCore

/// The secrets that a widget was given or has stored, which are left out of what is recorded of its messages.
package struct GivenSecrets: Sendable {
  private var values: Set<String> = []

  /// Creates it with its values.
  package init() {}
  private var hasAny: Bool { !values.isEmpty }

  /// What is recorded instead of a secret; the widget gets the same when a trace is played again.
  static let mark = "<secret>"
  /// A shorter secret stands for itself only, as many texts have it in them.
  private static let shortest = 4

  /// Notes a secret.
  package mutating func add(_ value: String) {
    guard !value.isEmpty else { return }
    values.insert(value)
    let encoded = Self.percentEncoded(value)
    if encoded != value { values.insert(encoded) }
  }

  /// A secret as it stands in a URL (RFC 3986).
  private static func percentEncoded(_ value: String) -> String {
    var result = ""
    for byte in value.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
      let hex = String(byte, radix: 16, uppercase: true)
      result += isPlain ? String(scalar) : "%" + (hex.count < 2 ? "0" : "") + hex
    }
    return result
  }

  /// A text with a mark in place of the secrets in it; nil if it has none.
  private func masked(_ text: String) -> String? {
    if values.contains(text) { return Self.mark }
    var result = text
    // One secret may be a part of another.
    for value in values.sorted(by: { $0.utf8.count > $1.utf8.count })
    where value.utf8.count >= Self.shortest {
      result = result.replacing(value, with: Self.mark)
    }
    return result == text ? nil : result
  }

  /// A line as it is recorded: with a mark in place of each secret in a string.
  package func masked(_ line: ArraySlice<UInt8>, isJSON: Bool) -> ArraySlice<UInt8> {
    guard hasAny else { return line }
    guard isJSON else {
      return masked(String(decoding: line, as: UTF8.self)).map { ArraySlice($0.utf8) } ?? line
    }
    var result: [UInt8] = []
    var copied = line.startIndex
    var place = line.startIndex
    while let start = line[place...].firstIndex(of: Self.quote) {
      var end = start + 1
      while end < line.endIndex, line[end] != Self.quote {
        end += line[end] == Self.backslash ? 2 : 1
      }
      guard end < line.endIndex else { break }
      if let text = masked(Self.text(line[start...end])) {
        result += line[copied..<start] + Self.string(text)
        copied = end + 1
      }
      place = end + 1
    }
    return copied == line.startIndex ? line : ArraySlice(result + line[copied...])
  }

  private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

  /// A text as a string of JSON.
  private static func string(_ text: String) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map(Array.init) ?? Array("\"\(mark)\"".utf8)
  }

  /// The text of a string with its quotation marks.
  private static func text(_ string: ArraySlice<UInt8>) -> String {
    let inner = string.dropFirst().dropLast()
    guard inner.contains(backslash) else { return String(decoding: inner, as: UTF8.self) }
    return (try? JSONDecoder().decode(String.self, from: Data(string)))
      ?? String(decoding: inner, as: UTF8.self)
  }
}
