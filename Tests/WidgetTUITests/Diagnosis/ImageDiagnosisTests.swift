import Testing
import WidgetCards
import WidgetKitCore

@testable import WidgetTUI

@Suite struct ImageDiagnosisTests {
  private func lines(_ check: ImageCheck) -> [String] {
    ImageDiagnosis(check: check).findings.map(\.line.string)
  }

  @Test func `has two good lines where everything is there`() {
    #expect(
      lines(ImageCheck()) == [
        "ok       images         pictures of widgets can be decoded",
        "ok       images         pictures can be drawn with characters (libchafa)",
      ]
    )
  }

  @Test func `names the package that pictures need`() {
    let symbols = lines(
      ImageCheck(symbols: "cannot be decoded: the package libchafa0 is not installed")
    )
    #expect(symbols.last?.hasPrefix("warning  images") == true)
    #expect(symbols.last?.hasSuffix("install libchafa0, for example with apt") == true)
    let none = lines(ImageCheck(decoding: "a", webp: "a", symbols: "a"))
    #expect(none.count == 1)
    #expect(none[0].hasSuffix("install libgdk-pixbuf-2.0-0, for example with apt"))
    let webp = lines(ImageCheck(webp: "a"))
    #expect(webp[0].contains("(WebP needs the package webp-pixbuf-loader)"))
  }
}
