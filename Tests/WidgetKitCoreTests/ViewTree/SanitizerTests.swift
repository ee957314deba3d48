import Testing
import WidgetKitCore

@Suite struct `Cleaning text` {
  @Test(arguments: [
    ("plain words", "plain words"),
    ("two\nlines", "two\nlines"),
    ("\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"),
    ("\u{1B}]0;title\u{7}", "␛]0;title␇"),
    ("bell\u{7} back\u{8}", "bell␇ back␈"),
    ("nul\u{0}", "nul␀"),
    ("delete\u{7F}", "delete␡"),
    ("\u{9B}31m", "\u{FFFD}31m"),
    ("a\tb", "a    b"),
    ("a\r\nb", "a\nb"),
    ("over\rwritten", "over␍written"),
    ("last\r", "last␍"),
    ("a\u{2028}b\u{2029}c", "a\nb\nc"),
    ("\u{202E}gnp.exe", "gnp.exe"),
    ("\u{2066}x\u{2069}\u{200E}\u{200F}\u{61C}", "x"),
    ("soft\u{AD}hyphen\u{FEFF}\u{200B}\u{2060}", "softhyphen"),
    ("tag\u{E0041}\u{E007F}", "tag"),
    ("\u{FFF9}note\u{FFFB}", "note"),
    ("unassigned\u{378}", "unassigned\u{378}"),
    ("emoji of Unicode 15 🫨🩵", "emoji of Unicode 15 🫨🩵"),
    ("ideograph of extension H \u{31350}", "ideograph of extension H \u{31350}"),
    ("noncharacter\u{FFFF}", "noncharacter\u{FFFD}"),
    ("👩\u{200D}🚀 ❤\u{FE0F}", "👩\u{200D}🚀 ❤\u{FE0F}"),
    ("é e\u{301}", "é e\u{301}"),
    ("", ""),
  ])
  func `characters that act on a terminal are made visible or removed`(raw: String, clean: String) {
    #expect(Array(SafeText(raw).string.unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test func `a character has at most four combining marks`() {
    let bomb = "Z" + String(repeating: "\u{301}", count: 500) + "a"
    #expect(SafeText(bomb).string.unicodeScalars.count == 6)
  }

  @Test func `no code point survives that could act on a terminal`() {
    for code in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let clean = SafeText(String(scalar)).string
      for left in clean.unicodeScalars where left != "\n" {
        #expect(CellWidth.of(left) >= 0)
        #expect(left.properties.generalCategory != .control)
      }
      #expect(SafeText(clean).string == clean)
    }
  }
}
