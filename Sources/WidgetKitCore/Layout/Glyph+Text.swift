extension Glyph {
  /// What stands for a mark that has no character to lie on.
  private static let dottedCircle: Unicode.Scalar = "\u{25CC}"

  /// A glyph for each ASCII character, made once.
  private static let ascii: [Glyph] = (0..<128).map { code in
    guard code >= 0x20 && code < 0x7F else { return Glyph(text: "\u{FFFD}", width: 1) }
    return Glyph(text: String(Unicode.Scalar(UInt8(code))), width: 1)
  }

  /// Returns the glyphs of `text` from left to right, without line breaks.
  ///
  /// Each is a base character with up to four marks of no width, so that every terminal gives it
  /// the cells that ``CellWidth`` says. What terminals disagree about is left out: joiners,
  /// variation selectors, skin tones. Of an emoji joined of several the first one stands for all,
  /// a flag is its two letters, and a mark with nothing to lie on lies on `◌`.
  ///
  /// - Complexity: linear in the length of the text.
  public static func glyphs(of text: some StringProtocol) -> [Glyph] {
    var result: [Glyph] = []
    append(glyphsOf: text, to: &result)
    return result
  }

  static func append(glyphsOf text: some StringProtocol, to result: inout [Glyph]) {
    result.reserveCapacity(result.count + text.utf8.count)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 where byte != 0x0A { result.append(ascii[Int(byte)]) }
      return
    }
    for character in text {
      if let byte = character.asciiValue {
        if !character.isNewline { result.append(ascii[Int(byte)]) }
      } else {
        append(cluster: character, to: &result)
      }
    }
  }

  /// Takes one grapheme cluster apart; some, as in Devanagari, hold more than one base.
  private static func append(cluster: Character, to result: inout [Glyph]) {
    var text = ""
    var width = 0
    var marks = 0
    var isEmoji = false
    func flush() {
      if width > 0 { result.append(Glyph(text: text, width: width)) }
    }
    func begin(_ scalar: Unicode.Scalar, width newWidth: Int) {
      flush()
      text = String(scalar)
      width = newWidth
      marks = 0
      isEmoji = scalar.value > 0x2000 && scalar.properties.isEmoji
    }
    scalars: for scalar in cluster.unicodeScalars {
      switch scalar.value {
      case 0x0A:
        continue
      case 0x200D where isEmoji:
        break scalars
      case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0000...0xE0FFF:
        continue
      case 0x1F3FB...0x1F3FF where isEmoji:
        continue
      case 0x1F1E6...0x1F1FF:
        flush()
        width = 0
        result.append(ascii[Int(scalar.value - 0x1F1E6) + 0x41])
      default:
        switch CellWidth.of(scalar) {
        case 0:
          if width == 0 { begin(dottedCircle, width: 1) }
          marks += 1
          if marks <= Sanitizer.markLimit { text.unicodeScalars.append(scalar) }
        case -1:
          begin("\u{FFFD}", width: 1)
        case let cells:
          begin(scalar, width: cells)
        }
      }
    }
    flush()
  }
}
