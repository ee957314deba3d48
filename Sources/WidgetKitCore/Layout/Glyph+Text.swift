extension Glyph {
  /// What stands for a mark that has no character to lie on.
  private static let dottedCircle: Unicode.Scalar = "\u{25CC}"

  /// A glyph for each ASCII character, made once.
  static let ascii: [Glyph] = (0..<128).map { code in
    guard code >= 0x20 && code < 0x7F else { return Glyph("\u{FFFD}", width: 1) }
    return Glyph(Unicode.Scalar(UInt8(code)), width: 1)
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
    // Room for exactly this many, again and again, would move all that is there for each piece.
    if result.isEmpty { result.reserveCapacity(text.utf8.count) }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 where byte != 0x0A { result.append(ascii[Int(byte)]) }
      return
    }
    var cluster = Cluster()
    for scalar in text.unicodeScalars { cluster.add(scalar, to: &result) }
    cluster.close(into: &result)
  }

  /// The glyph that is being read: a base, and the marks on it.
  ///
  /// Character by character and without the borders of grapheme clusters, which cost far more to
  /// find than they tell: only what follows a joiner belongs to what was before it.
  struct Cluster {
    private var glyph = Glyph.space
    private var base: Unicode.Scalar = " "
    private var width = 0
    private var marks = 0
    /// Whether what comes is joined to the emoji that is being read.
    private var isJoined = false
    /// Whether an emoji was joined to it, whose marks do not show either.
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
        // Of an emoji joined of several the first one stands for all.
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
