/// Cleans text; every ``SafeText`` is made by it.
///
/// It handles single characters, never sequences: filters that match escape *sequences* have been
/// defeated repeatedly (CVE-2022-46663), and a filter without state cannot be. Characters that act on
/// a terminal are made visible (ESC as `␛`) or removed.
enum Sanitizer {
  /// The limit of combining marks on one character.
  static let markLimit = 4

  /// Returns `raw` without characters that could act on a terminal; `\n` stays.
  ///
  /// Cleaning twice is the same as cleaning once.
  ///
  /// - Complexity: linear; plain ASCII is scanned once and returned unchanged.
  static func clean(_ raw: String) -> String {
    isPlain(raw) ? raw : filtered(raw)
  }

  /// Whether the text consists of printable ASCII and `\n`.
  private static func isPlain(_ raw: String) -> Bool {
    var raw = raw
    return raw.withUTF8 { bytes in
      bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }
    }
  }

  private static func filtered(_ raw: String) -> String {
    // Bytes are used because appending to a string takes ten times as long for each character.
    var result: [UInt8] = []
    result.reserveCapacity(raw.utf8.count)
    var marks = 0
    var pendingReturn = false
    for scalar in raw.unicodeScalars {
      if pendingReturn {
        pendingReturn = false
        // A carriage return alone would overwrite the row; before a line feed it is part of the line's
        // end.
        if scalar != "\n" { append("\u{240D}", to: &result) }
      }
      switch scalar.value {
      case 0x20..<0x7F:
        result.append(UInt8(scalar.value))
        marks = 0
      case 0x0A, 0x2028, 0x2029:
        result.append(0x0A)
        marks = 0
      case 0x0D:
        pendingReturn = true
        marks = 0
      case 0x09:
        for _ in 0..<4 { result.append(0x20) }
        marks = 0
      case 0x00..<0x20:
        append(Unicode.Scalar(0x2400 + scalar.value) ?? replacement, to: &result)
        marks = 0
      case 0x7F:
        append("\u{2421}", to: &result)
        marks = 0
      case 0x80..<0xA0:
        append(replacement, to: &result)
        marks = 0
      case 0x10EEEE:
        // Terminals with the graphics protocol of kitty show a picture in its place.
        append(replacement, to: &result)
        marks = 0
      case let code where isRemoved(code):
        break
      default:
        switch CellWidth.of(scalar) {
        case 0:
          marks += 1
          if marks <= markLimit { append(scalar, to: &result) }
        case -1:
          append(replacement, to: &result)
          marks = 0
        default:
          append(scalar, to: &result)
          marks = 0
        }
      }
    }
    if pendingReturn { append("\u{240D}", to: &result) }
    return String(decoding: result, as: UTF8.self)
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    for byte in UTF8.encode(scalar) ?? .init() { bytes.append(byte) }
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// Whether a character is invisible and has a width that differs between terminals, or changes the
  /// direction of the characters around it (Trojan Source, CVE-2021-42574).
  private static func isRemoved(_ code: UInt32) -> Bool {
    switch code {
    case 0xAD,  // soft hyphen
      0x061C, 0x200E, 0x200F, 0x202A...0x202E,  // bidi marks and overrides
      0x200B,  // zero-width space
      0x2060...0x206F,  // word joiner, invisible operators, isolates
      0xFEFF,  // byte order mark
      0xFFF9...0xFFFB,  // interlinear annotations
      0xE0000...0xE007F:  // tags
      true
    default:
      false
    }
  }
}
