/// Texts as parts of file names.
package enum FileNameCoding {
  /// Whether a byte stands for itself: a letter, a digit, `-`, `_` or `.`.
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Returns a text with all other characters as `%XX`, so that it does not lead out of its folder.
  static func encode(_ text: String) -> String {
    var name = ""
    // These names stand for the folder itself and its parent.
    let isOnlyDots = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    for byte in text.utf8 {
      if isPlain(byte), byte != UInt8(ascii: ".") || !isOnlyDots {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return name
  }
}
