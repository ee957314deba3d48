import Testing

@testable import WidgetPlatform

@Suite struct `Names that are not UTF-8` {
  @Test(
    arguments: [
      ([0x61], "a"), ([0xFF], "\\xFF"), ([0x63, 0x61, 0x66, 0xE9], "caf\\xE9"),
      ([0xC3, 0xA9, 0x80], "é\\x80"),
      ([0xF0, 0x9F, 0xA5], "\\xF0\\x9F\\xA5"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0x05], "\u{5}"), ([], ""),
    ] as [([UInt8], String)]
  )
  func `are shown with each odd byte as a number`(bytes: [UInt8], text: String) {
    #expect(FolderNames.escaped(bytes) == text)
  }
}
