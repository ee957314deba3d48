/// The width of a character in cells: the result of `wcwidth` of the C library.
///
/// ncurses moves its cursor by `wcwidth`, so the table is generated from it, and a test compares
/// them for every code point.
public enum CellWidth {
  /// Returns the number of cells of `scalar`.
  ///
  /// - Returns: 1 or 2; 0 for a mark that lies on the character before it (and for NUL); −1 for a
  ///   control character, a noncharacter or an unassigned code point.
  /// - Complexity: constant.
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
    return pages.width(of: code)
  }

  /// The widths of all characters; made when the first character outside of the ranges above is measured.
  private static let pages = Pages()

  /// The widths in pages of 256 characters; pages in which all have the same width are shared.
  private struct Pages {
    private static let size = 256
    /// The widths that pages are made of; the first four pages have one each.
    private static let all: [Int8] = [1, -1, 2, 0]

    /// The number of the page of each 256 characters.
    private var places = [UInt16](repeating: 0, count: 0x11_0000 / Pages.size)
    private var widths = Pages.all.flatMap { [Int8](repeating: $0, count: Pages.size) }

    init() {
      // A range of a later table replaces that of an earlier one.
      add(CellWidth.unprintable, width: 1)
      add(CellWidth.wide, width: 2)
      add(CellWidth.zero, width: 3)
    }

    func width(of code: UInt32) -> Int {
      Int(widths[Int(places[Int(code >> 8)]) * Self.size + Int(code & 0xFF)])
    }

    /// Sets the width of all characters in ranges, given by their first and last character, to that
    /// with the number `width`.
    private mutating func add(_ ends: [UInt32], width: Int) {
      for range in stride(from: 0, to: ends.count, by: 2) {
        let (first, end) = (Int(ends[range]), Int(ends[range + 1]) + 1)
        for page in (first / Self.size)...((end - 1) / Self.size) {
          let start = page * Self.size
          if first <= start, start + Self.size <= end {
            places[page] = UInt16(width)
            continue
          }
          let own = ownPlace(of: page)
          for code in max(first, start)..<min(end, start + Self.size) {
            widths[own + code - start] = Self.all[width]
          }
        }
      }
    }

    /// Gives a page widths of its own if it shares those of others, and returns their index.
    private mutating func ownPlace(of page: Int) -> Int {
      let place = Int(places[page]) * Self.size
      guard Int(places[page]) < Self.all.count else { return place }
      places[page] = UInt16(widths.count / Self.size)
      widths += Array(widths[place..<(place + Self.size)])
      return Int(places[page]) * Self.size
    }
  }
}
