/// One line of a calendar file after unfolding: `NAME;PARAMETER=value:value` (RFC 5545 §3.1).
struct ContentLine: Hashable, Sendable {
  /// The number of its first physical line, from 1.
  var number: Int
  /// The name in capitals.
  var name: String
  /// The parameters, their names in capitals, their values without quotes.
  var parameters: [String: String]
  /// The text after the colon.
  var value: String

  /// Splits a file into lines; a line that begins with a space or a tab continues the one before.
  ///
  /// Some programs fold in the middle of a character, so bytes are joined before they are text.
  static func lines(of file: some Sequence<UInt8>) -> [ContentLine] {
    var unfolded: [(number: Int, bytes: [UInt8])] = []
    for (index, line) in Array(file).split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      let line = line.last == 0x0D ? line.dropLast() : line
      if let first = line.first, first == 0x20 || first == 0x09, !unfolded.isEmpty {
        unfolded[unfolded.count - 1].bytes += line.dropFirst()
      } else if !line.isEmpty {
        unfolded.append((index + 1, Array(line)))
      }
    }
    return unfolded.compactMap {
      ContentLine(parsing: String(decoding: $0.bytes, as: UTF8.self), number: $0.number)
    }
  }

  /// Reads a line; nil if there is no colon outside quotes.
  private init?(parsing text: String, number: Int) {
    var parts = [""]
    var isQuoted = false
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted: parts.append("")
      case ":" where !isQuoted:
        self.number = number
        name = parts[0].uppercased()
        parameters = parts.dropFirst().reduce(into: [:]) { parameters, part in
          guard let equals = part.firstIndex(of: "=") else { return }
          let value = part[part.index(after: equals)...]
          parameters[part[..<equals].uppercased()] = String(value)
        }
        value = String(rest)
        return
      default: parts[parts.count - 1].append(character)
      }
    }
    return nil
  }

  /// The value as text, its escapes resolved; a line break becomes a space (RFC 5545 §3.3.11).
  var text: String {
    var result = ""
    var rest = value[...]
    while let character = rest.popFirst() {
      guard character == "\\", let escaped = rest.popFirst() else {
        result.append(character)
        continue
      }
      result.append(escaped == "n" || escaped == "N" ? " " : escaped)
    }
    return result
  }
}
