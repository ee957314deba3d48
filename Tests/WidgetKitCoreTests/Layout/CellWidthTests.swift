import Glibc
import Testing
import WidgetKitCore

@Suite struct `Cell widths` {
  @Test func `are those of the C library for every code point`() throws {
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
      if CellWidth.of(scalar) != expected {
        different.append("U+\(String(code, radix: 16)): \(CellWidth.of(scalar)), not \(expected)")
      }
    }
    #expect(different.isEmpty, "run Scripts/make-cell-widths.py: \(different.prefix(10))")
  }
}
