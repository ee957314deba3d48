/// One line of a calendar file after unfolding: `NAME;PARAMETER=value:value` (RFC 5545 §3.1).
///
/// libical reads the values; the lines are separated here, because libical does not tell the line of
/// an error.
struct ContentLine: Hashable, Sendable {
  /// The longest line; lists of dates are the longest ones in real files.
  static let byteLimit = 64 * 1024

  /// The bytes of a name that are read; none that is known has more.
  private static let nameLength = 40

  /// The number of its first physical line, from 1.
  var number: Int
  /// The name in capitals.
  var name: String
  /// All of the line as UTF-8, without zeros and carriage returns.
  var bytes: [UInt8]
  /// Whether the end is missing, because the line is too long.
  var isCut = false

  /// The text after the colon.
  var value: String {
    String(decoding: bytes[(colon.map { $0 + 1 } ?? bytes.endIndex)...], as: UTF8.self)
  }

  /// The line with a list as RFC 5545 separates its values; vCalendar 1.0 has semicolons.
  var withCommas: ContentLine {
    guard let start = colon, bytes[start...].contains(UInt8(ascii: ";")) else { return self }
    var line = self
    for place in start..<bytes.endIndex where bytes[place] == UInt8(ascii: ";") {
      line.bytes[place] = UInt8(ascii: ",")
    }
    return line
  }

  /// The line with each value of its list alone.
  var items: [ContentLine] {
    guard let start = colon else { return [self] }
    return bytes[(start + 1)...].split(separator: UInt8(ascii: ",")).map { value in
      var line = self
      line.bytes = Array(bytes[...start]) + value
      return line
    }
  }

  /// Where the value begins: the first colon outside of quotation marks.
  var colon: Int? {
    var isQuoted = false
    return bytes.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
  }

  /// Returns the lines of a file whose name is one of `names`.
  ///
  /// A line that begins with a space or a tab continues the one before. Some programs fold in the
  /// middle of a character, so lines are joined as bytes. A file without any line feed has the line ends
  /// of old Macs.
  static func lines(of file: some Sequence<UInt8>, named names: Set<String>) -> [ContentLine] {
    let file = ForeignText.utf8(ofFile: Array(file))
    var bytes = file[...]
    let lineEnd: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    var lines: [ContentLine] = []
    var isWanted = false
    var isOpen = false
    var number = 0
    while !bytes.isEmpty {
      number += 1
      let end = bytes.firstIndex(of: lineEnd) ?? bytes.endIndex
      let line = bytes[..<end]
      bytes = bytes[end...].dropFirst()
      if isOpen {
        // A soft line break of quoted-printable text; what follows may be indented as well.
        lines[lines.count - 1].bytes.removeLast()
        isOpen = Self.endsInSoftBreak(line)
        let isIndented = line.first == 0x20 || line.first == 0x09
        lines[lines.count - 1].append(isIndented ? line.dropFirst() : line)
      } else if line.first == 0x20 || line.first == 0x09 {
        if isWanted { lines[lines.count - 1].append(line.dropFirst()) }
      } else if !line.isEmpty, line.first != 0x0D {
        let name = name(of: line)
        isWanted = names.contains(name)
        guard isWanted else { continue }
        lines.append(ContentLine(number: number, name: name, bytes: []))
        lines[lines.count - 1].append(line)
        isOpen = ForeignText.isQuotedPrintable(line) && Self.endsInSoftBreak(line)
      }
    }
    for index in lines.indices {
      lines[index].bytes = ForeignText.utf8(ofLine: lines[index].bytes)
    }
    return lines
  }

  private static func name(of line: ArraySlice<UInt8>) -> String {
    let name = line.prefix(nameLength).prefix {
      $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") && $0 != 0x0D
    }
    return String(decoding: name, as: UTF8.self).uppercased()
  }

  private static func endsInSoftBreak(_ line: ArraySlice<UInt8>) -> Bool {
    line.last { $0 != 0x0D } == UInt8(ascii: "=")
  }

  private mutating func append(_ part: ArraySlice<UInt8>) {
    let room = Self.byteLimit - bytes.count
    if part.count > room { isCut = true }
    bytes += part.prefix(room).filter { $0 != 0 && $0 != 0x0D }
  }
}
