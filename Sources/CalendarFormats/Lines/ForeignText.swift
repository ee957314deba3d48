import Glibc

/// Text of old and foreign files as UTF-8: other character sets, and the quoted-printable text of
/// vCalendar 1.0.
enum ForeignText {
  /// Returns a file without its byte order mark, as UTF-8 if it is UTF-16.
  static func utf8(ofFile bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var pairs: [UInt16] = []
    pairs.reserveCapacity(bytes.count / 2)
    for index in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      pairs.append(isLittle ? second << 8 | first : first << 8 | second)
    }
    return Array(String(decoding: pairs, as: UTF16.self).utf8)
  }

  /// Returns an unfolded line as UTF-8, without `ENCODING=QUOTED-PRINTABLE` and `CHARSET`.
  ///
  /// Bytes that are not of the character set that the line names, or of UTF-8 where it names none, are
  /// taken for windows-1252, of which Latin-1 is a part.
  static func utf8(ofLine line: [UInt8]) -> [UInt8] {
    let isQuoted = isQuotedPrintable(line[...])
    guard isQuoted || !line.allSatisfy({ $0 < 0x80 }) else { return line }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return text(line, nil) }
    var header = parameters(line[..<colon])
    var value = Array(line[(colon + 1)...])
    let charset = header.first { $0.uppercased().hasPrefix("CHARSET=") }.map {
      String($0.dropFirst("CHARSET=".count))
    }
    guard isQuoted else { return text(line, charset) }
    header.removeAll { parameter in
      let name = parameter.uppercased()
      return name.hasPrefix("CHARSET=") || name.hasPrefix("ENCODING=")
        || name == "QUOTED-PRINTABLE"
    }
    value = text(decoded(value), charset).flatMap { byte -> [UInt8] in
      // A line break in a value is written so (RFC 5545 §3.3.11).
      byte == 0x0A ? Array("\\n".utf8) : byte == 0x0D || byte == 0 ? [] : [byte]
    }
    return Array(header.joined(separator: ";").utf8) + [UInt8(ascii: ":")] + value
  }

  /// Whether a line says that its value is quoted-printable.
  static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.prefix(512).firstIndex(of: UInt8(ascii: ":")) else { return false }
    return parameters(line[..<colon]).dropFirst().contains { parameter in
      ["ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE"].contains(parameter.uppercased())
    }
  }

  private static func parameters(_ header: ArraySlice<UInt8>) -> [String] {
    String(decoding: header, as: UTF8.self).split(separator: ";").map(String.init)
  }

  /// Resolves `=C3`; what is no such code stays.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        result.append(high * 16 + low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  // MARK: - Character sets

  private static func text(_ bytes: [UInt8], _ charset: String?) -> [UInt8] {
    let name = charset?.uppercased()
    // Programs name Latin-1 and write windows-1252, as in HTML.
    let isLatin = name == "ISO-8859-1" || name == "WINDOWS-1252" || name == "US-ASCII"
    if let charset, !isLatin, name != "UTF-8", let text = converted(bytes, from: charset) {
      return text
    }
    if !isLatin || name == "US-ASCII", String(validating: bytes, as: UTF8.self) != nil {
      return bytes
    }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let isExtra = (0x80..<0xA0).contains(byte)
      text.append(isExtra ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return Array(String(text).utf8)
  }

  /// The characters of windows-1252 from 80 to 9F; the places without one have the controls of Latin-1.
  private static let windows1252: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{02C6}", "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{02DC}", "\u{2122}", "\u{0161}", "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
  ]

  /// Converts with the C library; nil if it has no such character set, or the bytes are not of it.
  private static func converted(_ bytes: [UInt8], from charset: String) -> [UInt8]? {
    let isName = charset.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard isName, !charset.isEmpty, charset.utf8.count <= 40 else { return nil }
    let converter = unsafe iconv_open("UTF-8", charset)
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { unsafe _ = iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No character takes more than four bytes.
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    let room = output.count
    let left = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output -> Int? in
        var source = input.baseAddress
        var target = output.baseAddress
        var sourceCount = input.count
        var targetCount = room
        let count = unsafe iconv(converter, &source, &sourceCount, &target, &targetCount)
        return count == .max ? nil : targetCount
      }
    }
    return left.map { left in output[..<(room - left)].map { UInt8(bitPattern: $0) } }
  }
}
