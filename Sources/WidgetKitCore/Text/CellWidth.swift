/// The width of a character in cells: the result of `wcwidth` of the C library.
///
/// ncurses moves its cursor by `wcwidth`, so the table is generated from it, and a test compares
/// them for every code point.
public enum CellWidth {
  /// Returns the number of cells of `scalar`.
  ///
  /// - Returns: 1 or 2; 0 for a mark that lies on the character before it (and for NUL); −1 for a
  ///   control character, a noncharacter or an unassigned code point.
  /// - Complexity: constant below U+0300, else logarithmic in the size of the table.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    let code = scalar.value
    if code < 0x300 {
      if code < 0x20 || code == 0x7F || (0x80..<0xA0).contains(code) { return code == 0 ? 0 : -1 }
      return 1
    }
    switch code {
    case 0x300...0x36F: return 0
    // The letters of most texts, without a search; all characters of each range have the same width.
    case 0x3B1...0x3FF, 0x400...0x481, 0x48A...0x52F, 0x5D0...0x5EA, 0x620...0x64A: return 1
    case 0x3041...0x3096, 0x30A1...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return 2
    default: break
    }
    if contains(code, in: zero) { return 0 }
    if contains(code, in: wide) { return 2 }
    return contains(code, in: unprintable) ? -1 : 1
  }

  /// Whether `code` is in one of the ranges, which are sorted.
  private static func contains(_ code: UInt32, in ranges: [UInt32]) -> Bool {
    ranges.withUnsafeBufferPointer { ends in
      var low = 0
      var high = ends.count / 2
      while low < high {
        let middle = (low + high) / 2
        if code < ends[2 * middle] {
          high = middle
        } else if code > ends[2 * middle + 1] {
          low = middle + 1
        } else {
          return true
        }
      }
      return false
    }
  }
}
