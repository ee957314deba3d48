/// Escapes in the text of a line, which each host reads in its own way.
enum XbarEscapes {
  /// The text of a line as its host shows it.
  ///
  /// xbar reads it as a string of Go where it shows colours, and leaves one as it is that is none; SwiftBar knows only
  /// `\e`; Argos has g_strcompress of GLib.
  static func text(of line: XbarMenu.Line, _ dialect: XbarDialect) -> String {
    let showsColors = line.isTrue("ansi") ?? dialect.showsColors
    switch dialect {
    case .xbar: return showsColors ? unquoted(line.text) ?? line.text : line.text
    case .swiftbar: return showsColors ? line.text.replacing("\\e", with: "\u{1B}") : line.text
    case .argos: return line.isTrue("unescape") == false ? line.text : compressed(line.text)
    }
  }

  private static let controls: [Unicode.Scalar: UInt8] = [
    "a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11,
  ]

  /// The string of Go with this text between its quotes; nil if it is none.
  private static func unquoted(_ text: String) -> String? {
    guard text.contains("\\"), !text.contains("\"") else { return nil }
    var bytes: [UInt8] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
        continue
      }
      guard let kind = rest.popFirst() else { return nil }
      if kind == "\\" {
        bytes.append(UInt8(ascii: "\\"))
      } else if let control = controls[kind] {
        bytes.append(control)
      } else if let count = ["x": 2, "u": 4, "U": 8][kind] {
        guard let value = number(&rest, digits: count, radix: 16) else { return nil }
        if kind == "x" {
          bytes.append(UInt8(value))
        } else {
          guard let scalar = Unicode.Scalar(value) else { return nil }
          bytes += UTF8.encode(scalar).map(Array.init) ?? []
        }
      } else {
        rest = text.unicodeScalars[text.unicodeScalars.index(before: rest.startIndex)...]
        guard let value = number(&rest, digits: 3, radix: 8), let byte = UInt8(exactly: value)
        else {
          return nil
        }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Exactly so many digits.
  private static func number(
    _ rest: inout Substring.UnicodeScalarView,
    digits: Int,
    radix: Int
  ) -> UInt32? {
    let word = Substring(rest.prefix(digits))
    guard word.utf8.count == digits, word.allSatisfy(\.isHexDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return UInt32(word, radix: radix)
  }

  /// The text with the escapes of C that g_strcompress knows; of any other the character alone.
  private static func compressed(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var bytes: [UInt8] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let kind = rest.popFirst() else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
        continue
      }
      if let control = controls[kind], kind != "a" {
        bytes.append(control)
      } else if "0"..."7" ~= kind {
        let more = rest.prefix(2).prefix { "0"..."7" ~= $0 }
        rest = rest.dropFirst(more.count)
        bytes.append(UInt8(truncatingIfNeeded: Int(String(kind) + String(more), radix: 8) ?? 0))
      } else {
        bytes += UTF8.encode(kind).map(Array.init) ?? []
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
