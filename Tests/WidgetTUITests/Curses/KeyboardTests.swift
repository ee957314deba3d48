import Testing

@testable import WidgetTUI

/// Where typed bytes can be split.
@Suite struct KeyboardTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A click as xterm reports it: a press and a release.
  private let click = "\u{1B}[<0;12;7M\u{1B}[<0;12;7m"

  /// The portions in which ncurses gets the bytes.
  private func portions(_ bytes: [UInt8]) -> [[UInt8]] {
    var rest = bytes
    var portions: [[UInt8]] = []
    while case let count = KeyBytes.portion(of: rest), count > 0 {
      portions.append(Array(rest.prefix(count)))
      rest.removeFirst(count)
    }
    return portions
  }

  @Test(arguments: [0, 1, 4, 5, 8, 9, 100])
  func `no portion has more than eight mouse events, and none is lost`(clicks: Int) {
    let typed = bytes(String(repeating: click, count: clicks))
    let portions = portions(typed)
    #expect(Array(portions.joined()) == typed)
    #expect(portions.count == (clicks + 3) / 4)
    for portion in portions {
      #expect(portion.count { $0 == 0x1B } <= 8)
      #expect(!KeyBytes.isCut(portion))
    }
  }

  @Test func `mouse events in the oldest format are counted too`() {
    let typed = bytes(String(repeating: "\u{1B}[M !!", count: 20))
    #expect(portions(typed).map(\.count) == [48, 48, 24])
  }

  @Test func `keys between clicks keep their order`() {
    let typed = bytes((0..<6).map { "\(click)\($0)" }.joined())
    #expect(Array(portions(typed).joined()) == typed)
  }

  @Test func `other keys are passed on unchanged`() {
    let typed = bytes(String(repeating: "j\u{1B}OB\u{1B}[5~", count: 50))
    #expect(portions(typed) == [typed])
  }

  @Test(arguments: 4_070...4_100)
  func `a long text is divided between its sequences`(count: Int) {
    let typed = bytes(
      String(repeating: "x", count: count) + String(repeating: "\u{1B}OB", count: 9)
    )
    let portions = portions(typed)
    #expect(Array(portions.joined()) == typed)
    #expect(portions.allSatisfy { $0.count <= KeyBytes.portionLimit && !KeyBytes.isCut($0) })
  }

  @Test(arguments: [
    "\u{1B}", "abc\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[<0;12", "\u{1B}[5", "\u{1B}[1;5",
    "\u{1B}[M", "\u{1B}[M !", "\u{1B}[A\u{1B}",
  ])
  func `an incomplete sequence waits for its rest`(text: String) {
    #expect(KeyBytes.isCut(bytes(text)))
  }

  @Test(arguments: [
    "", "q", "\u{1B}[A", "\u{1B}OB", "\u{1B}[<0;12;7M", "\u{1B}[5~", "\u{1B}[M !!", "\u{1B}[Aq",
    "\u{1B}x", "\u{1B}[Z", "\u{1B}" + String(repeating: "1", count: 40),
  ])
  func `a complete sequence does not wait`(text: String) {
    #expect(!KeyBytes.isCut(bytes(text)))
  }
}
