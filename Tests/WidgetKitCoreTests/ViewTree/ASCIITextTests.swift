import Testing
import WidgetKitCore

@Suite struct `Text in ASCII` {
  @Test(arguments: [
    ("plain", "plain"), ("Café Über Łódź", "Cafe Uber Lodz"), ("1 − 2 … “x”", "1 - 2 ~ \"x\""),
    ("日本", "????"), ("e\u{301}", "e"), ("╭─╮\n│█│", "+-+\n|#|"), ("🫨!", "??!"), ("Ж", "?"),
    ("", ""),
  ])
  func `has a similar character in each cell`(text: String, ascii: String) {
    #expect(ASCIIText.text(like: text) == ascii)
  }

  @Test func `has nothing but ASCII, whatever it is made of`() {
    for code in UInt32(0x80)...0x10FFFF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      #expect(ASCIIText.character(like: scalar).isASCII)
    }
  }
}
