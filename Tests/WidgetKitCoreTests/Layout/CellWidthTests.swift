import Glibc
import Testing
import WidgetKitCore

@Suite struct `Cell widths` {
  @Test func `are those of the C library for every character that it knows`() throws {
    // Glibc's module hides wcwidth behind a macro; the symbol is there.
    let symbol = try #require(dlsym(nil, "wcwidth"))
    typealias Function = @convention(c) (wchar_t) -> CInt
    let wcwidth = unsafeBitCast(symbol, to: Function.self)
    let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var different: [String] = []
    for code in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let expected = Int(wcwidth(wchar_t(bitPattern: code)))
      if CellWidth.of(scalar) != expected, expected >= 0 {
        different.append("U+\(String(code, radix: 16)): \(CellWidth.of(scalar)), not \(expected)")
      }
    }
    #expect(different.isEmpty, "run Scripts/make-cell-widths.py: \(different.prefix(10))")
  }

  @Test(arguments: [
    (0x1FAE8, 2), (0x1FA75, 2), (0x1FADF, 2),  // emoji of Unicode 15 and 16
    (0x31350, 2), (0x323B0, 2),  // ideographs of extensions H and J
    (0x378, 1), (0x1FAFF, 1), (0x2FA20, 2),  // not assigned, in planes of ideographs too
    (0xE01F0, 0),  // not assigned, and never visible
    (0x1E4EC, 0),  // a mark of Unicode 15
    (0x1, -1), (0x85, -1), (0xFDD0, -1), (0xFFFE, -1), (0x10FFFF, -1),
  ])
  func `of characters that are younger than the C library are those of Unicode`(
    code: UInt32,
    width: Int
  ) throws {
    #expect(CellWidth.of(try #require(Unicode.Scalar(code))) == width)
  }
}
