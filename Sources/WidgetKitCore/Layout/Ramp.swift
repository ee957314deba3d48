/// Glyphs that fill a cell in increasing parts; the last one fills it completely.
struct Ramp {
  /// From the least to the full cell; at least one.
  let glyphs: [Glyph]
  /// The full cell.
  let full: Glyph

  private init(_ characters: String, full: Glyph) {
    glyphs = Glyph.glyphs(of: characters)
    self.full = full
  }

  /// Steps in one cell.
  var steps: Int { glyphs.count }

  /// Returns how many steps of `cells` cells a fraction fills: at least one for anything above 0, and
  /// all of them only for 1.
  func level(_ fraction: Double, cells: Int) -> Int {
    let total = steps * max(0, cells)
    guard fraction > 0, total > 0 else { return 0 }
    guard fraction < 1 else { return total }
    return min(max(Int((fraction * Double(total)).rounded()), 1), max(1, total - 1))
  }

  /// Returns the glyph of a cell in row `row` (from the bottom) of a bar of `level` steps.
  func glyph(level: Int, row: Int) -> Glyph? {
    let rest = level - row * steps
    guard rest > 0 else { return nil }
    return rest >= steps ? full : glyphs[rest - 1]
  }

  /// From the bottom to the top.
  static func upward(_ set: GlyphSet) -> Ramp {
    switch set {
    case .unicode: upwardEighths
    case .console: upwardHalves
    case .ascii: upwardASCII
    }
  }

  /// From the left to the right.
  static func rightward(_ set: GlyphSet) -> Ramp {
    switch set {
    case .unicode: line
    case .console: rightwardWhole
    case .ascii: rightwardASCII
    }
  }

  /// Returns the glyph of the unfilled part of a horizontal bar.
  ///
  /// It differs from the filled one without colour too.
  static func track(_ set: GlyphSet) -> Glyph {
    switch set {
    case .unicode: Glyph("─", width: 1)
    case .console: Glyph("·", width: 1)
    case .ascii: Glyph("-", width: 1)
    }
  }

  private static let block = Glyph("█", width: 1)
  private static let hash = Glyph("#", width: 1)
  private static let upwardEighths = Ramp("▁▂▃▄▅▆▇█", full: block)
  private static let upwardHalves = Ramp("▄█", full: block)
  private static let upwardASCII = Ramp(".:-=+*#", full: hash)
  /// One line, so that bars below each other stay apart.
  private static let line = Ramp("╾━", full: Glyph("━", width: 1))
  private static let rightwardWhole = Ramp("█", full: block)
  private static let rightwardASCII = Ramp("#", full: hash)
}
