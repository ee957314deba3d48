/// One line of a calendar file after unfolding: `NAME;PARAMETER=value:value` (RFC 5545 §3.1).
///
/// libical reads the values; the lines are separated here, because libical does not tell the line of
/// an error.
struct ContentLine: Hashable, Sendable {
  /// The longest line; lists of dates are the longest ones in real files.
  static let byteLimit = 64 * 1024

  /// The number of its first physical line, from 1.
  var number: Int
  /// The name in capitals.
  var name: String
  /// All of the line, without zeros and carriage returns.
  var bytes: [UInt8]
  /// Whether the end is missing, because the line is too long.
  var isCut = false

  /// The text after the colon.
  var value: String {
    var isQuoted = false
    let colon = bytes.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    return String(decoding: bytes[(colon.map { $0 + 1 } ?? bytes.endIndex)...], as: UTF8.self)
  }

  /// Returns the lines of a file whose name is one of `names`.
  ///
  /// A line that begins with a space or a tab continues the one before. Some programs fold in the
  /// middle of a character, so lines are joined as bytes.
  static func lines(of file: some Sequence<UInt8>, named names: Set<String>) -> [ContentLine] {
    var bytes = Array(file)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var lines: [ContentLine] = []
    var isWanted = false
    var number = 0
    while !bytes.isEmpty {
      number += 1
      let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
      let line = bytes[..<end]
      bytes = bytes[end...].dropFirst()
      if line.first == 0x20 || line.first == 0x09 {
        if isWanted { lines[lines.count - 1].append(line.dropFirst()) }
      } else if !line.isEmpty, line.first != 0x0D {
        let name = name(of: line)
        isWanted = names.contains(name)
        if isWanted {
          lines.append(ContentLine(number: number, name: name, bytes: []))
          lines[lines.count - 1].append(line)
        }
      }
    }
    return lines
  }

  private static func name(of line: ArraySlice<UInt8>) -> String {
    let name = line.prefix(20).prefix {
      $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") && $0 != 0x0D
    }
    return String(decoding: name, as: UTF8.self).uppercased()
  }

  private mutating func append(_ part: ArraySlice<UInt8>) {
    let room = Self.byteLimit - bytes.count
    if part.count > room { isCut = true }
    bytes += part.prefix(room).filter { $0 != 0 && $0 != 0x0D }
  }
}
