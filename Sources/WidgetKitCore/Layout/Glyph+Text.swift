extension Glyph {
  /// The base for a mark that has no character to combine with.
  private static let dottedCircle: Unicode.Scalar = "\u{25CC}"

  /// A glyph for each ASCII character, made once.
  static let ascii: [Glyph] = (0..<128).map { code in
    guard code >= 0x20 && code < 0x7F else { return Glyph("\u{FFFD}", width: 1) }
    return Glyph(Unicode.Scalar(UInt8(code)), width: 1)
  }

  /// Returns the glyphs of `text` from left to right, without line breaks.
  ///
  /// Each is a base character with up to four marks of width zero, so that every terminal gives it the
  /// cells that ``CellWidth`` says. Characters that terminals treat differently are left out: joiners,
  /// variation selectors, skin tones. A joined emoji is reduced to its first one, a flag is its two
  /// letters, and a mark without a base is placed on `◌`.
  ///
  /// - Complexity: Linear in the length of the text.
  public static func glyphs(of text: String) -> [Glyph] {
    var text = text
    var result: [Glyph] = []
    result.reserveCapacity(text.utf8.count)
    let isASCII = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      for byte in bytes where byte != 0x0A { result.append(ascii[Int(byte)]) }
      return true
    }
    guard !isASCII else { return result }
    var cluster = Cluster()
    for scalar in text.unicodeScalars { cluster.add(scalar, to: &result) }
    cluster.close(into: &result)
    return result
  }

  /// The glyph that is being read: a base and its marks.
  ///
  /// It is built character by character instead of by grapheme clusters, whose boundaries are costly to
  /// find and of little use here: only what follows a joiner belongs to the character before it.
  struct Cluster {
    private var glyph = Glyph.space
    private var base: Unicode.Scalar = " "
    private var width = 0
    private var marks = 0
    /// Whether the next character is joined to the current emoji.
    private var isJoined = false
    /// Whether an emoji was joined to the current one; its marks are not shown either.
    private var hasJoined = false

    private var isEmoji: Bool { width > 0 && Self.isEmoji(base) }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value > 0x2000 && scalar.properties.isEmoji
    }

    /// Ends the glyph.
    mutating func close(into result: inout [Glyph]) {
      guard width > 0 else { return }
      result.append(glyph)
      width = 0
    }

    private mutating func begin(
      _ scalar: Unicode.Scalar,
      width: Int,
      after result: inout [Glyph]
    ) {
      close(into: &result)
      glyph = Glyph(scalar, width: width)
      base = scalar
      self.width = width
      marks = 0
      isJoined = false
      hasJoined = false
    }

    mutating func add(_ scalar: Unicode.Scalar, to result: inout [Glyph]) {
      switch scalar.value {
      case 0x20..<0x7F:
        begin(scalar, width: 1, after: &result)
      case 0x0A:
        close(into: &result)
        isJoined = false
      case 0x200D:
        if isEmoji { isJoined = true }
      case 0x200C, 0xFE00...0xFE0F, 0xE0000...0xE0FFF:
        break
      case 0x1F3FB...0x1F3FF where isEmoji:
        break
      case 0x1F1E6...0x1F1FF:
        close(into: &result)
        isJoined = false
        result.append(ascii[Int(scalar.value - 0x1F1E6) + 0x41])
      default:
        // A joined emoji is reduced to its first one.
        if isJoined, Self.isEmoji(scalar) {
          (isJoined, hasJoined) = (false, true)
          return
        }
        switch CellWidth.of(scalar) {
        case 0: add(mark: scalar, to: &result)
        case -1: begin("\u{FFFD}", width: 1, after: &result)
        case let cells: begin(scalar, width: cells, after: &result)
        }
      }
    }

    private mutating func add(mark: Unicode.Scalar, to result: inout [Glyph]) {
      if width == 0 { begin(dottedCircle, width: 1, after: &result) }
      guard marks < Sanitizer.markLimit, !isJoined, !hasJoined else { return }
      glyph.add(mark: mark, index: marks)
      marks += 1
    }
  }
}
