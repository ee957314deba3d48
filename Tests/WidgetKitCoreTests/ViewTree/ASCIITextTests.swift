import Testing
import WidgetKitCore

@Suite struct `Text in ASCII` {
  @Test func `dots of a graph are as dense as they were`() {
    let drawn = "⣿⣶⣤⣀⠀".unicodeScalars.map { ASCIIText.character(like: $0) }
    #expect(drawn == ["#", "+", ":", ".", " "])
  }

  @Test(arguments: [
    ("plain", "plain"), ("Café Über Łódź", "Cafe Uber Lodz"), ("1 − 2 … “x”", "1 - 2 ~ \"x\""),
    ("日本", "????"), ("e\u{301}", "e"), ("╭─╮\n│█│", "+-+\n|#|"), ("🫨!", "??!"), ("Ж", "?"),
    ("☀☁☂❄↯ ☾", "O=/*! ("), ("✎ ☐ ☑ •", "* o x *"), ("⏮ ⏸ ▶ ⏭", "< | > >"),
    ("", ""), ("███▎····", "###-...."), ("█▌ █▊", "## ##"), ("▁▂▃▄▅▆▇█", ".:-#+*##"),
  ])
  func `has a similar character in each cell`(text: String, ascii: String) {
    #expect(ASCIIText.text(like: text) == ascii)
  }

  @Test(arguments: [
    ("±1", "+/-1"), ("main ±1 ↑2", "main +/-1 ^2"), ("│ ±1   │ x │", "| +/-1 | x |"),
    ("│ a    ±1 │", "| a  +/-1 |"), ("│ ±1 │", "| ~1 |"), ("│ ±1 ±2       │", "| +/-1 +/-2   |"),
    ("│ é ±1    │\n±", "| e +/-1  |\n+/-"), ("│日±1   │", "|??+/-1 |"),
  ])
  func `has a longer sign where there is room for it`(text: String, ascii: String) {
    #expect(ASCIIText.text(like: text) == ascii)
  }

  @Test func `has nothing but ASCII, whatever it is made of`() {
    for code in UInt32(0x80)...0x10FFFF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      #expect(ASCIIText.character(like: scalar).isASCII)
    }
  }
}
