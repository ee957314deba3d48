import Testing
import WidgetKitCore

@testable import TerminalInput
@testable import WidgetTUI

@Suite struct TerminalReportTests {
  /// What a terminal says of itself, and how many keys there are beside that.
  private func read(_ text: String) -> (reports: [TerminalReport], keys: Int) {
    var parser = InputParser()
    let events = parser.take(Array(text.utf8), at: .now)
    let reports = events.compactMap { event in
      if case .answer(let sequence) = event { TerminalReport(sequence) } else { nil }
    }
    return (reports, events.count { if case .key = $0 { true } else { false } })
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:1616/1818/1d1d\u{1B}\\", RGB(hex: 0x16181D)),
    ("\u{1B}]11;rgb:ff/80/00\u{07}", RGB(hex: 0xFF8000)),
    ("\u{1B}]11;rgba:f/0/8/ffff\u{07}", RGB(hex: 0xFF0088)),
  ])
  func `a background is read in every form`(text: String, color: RGB) {
    let found = read("j\(text)k")
    #expect(found.reports == [.background(color)] && found.keys == 2)
  }

  @Test func `a change of the appearance is read, and keys around it stay`() {
    let found = read("a\u{1B}[?997;1nb\u{1B}[?997;2n\u{1B}[A")
    #expect(found.reports == [.appearance(isDark: true), .appearance(isDark: false)])
    #expect(found.keys == 3)
  }

  @Test(arguments: [(0, false), (1, true), (2, true), (3, true), (4, false)])
  func `whether a terminal shows whole frames is read between keys`(state: Int, isWhole: Bool) {
    let found = read("a\u{1B}[?2026;\(state)$yb")
    #expect(found.reports == [.wholeFrames(isWhole)] && found.keys == 2)
  }

  @Test(arguments: [
    "\u{1B}[?2026$y", "\u{1B}[?2027;2$y", "\u{1B}[2026;2$y", "\u{1B}]11;\u{07}",
    "\u{1B}]11;rgb:\u{07}", "\u{1B}]11;rgb:1/2\u{07}",
    "\u{1B}]11;rgb:10000/0/0\u{07}", "\u{1B}]11;rgb:-1/0/0\u{07}", "\u{1B}[?997;3n",
    "\u{1B}]10;rgb:0/0/0\u{07}", "\u{1B}[7;20;10t", "\u{1B}[6t", "\u{1B}[>1;2c",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}]99;i=1:p=title;x\u{1B}\\", "\u{1B}]9;p=?\u{1B}\\",
    "\u{1B}[?1;2$y", "\u{1B}[0;80R",
  ])
  func `a report that says nothing known is no key either`(text: String) {
    let found = read(text)
    #expect(found.reports.isEmpty && found.keys == 0)
  }

  @Test func `the version of a terminal, and its notifications, are read between keys`() {
    let found = read("a\u{1B}P>|foot(1.16.2)\u{1B}\\b\u{1B}]99;i=today:p=?;p=title,body\u{1B}\\c")
    #expect(found.reports == [.version("foot(1.16.2)"), .notifications] && found.keys == 3)
  }

  @Test func `the place of the cursor is counted from 0`() {
    #expect(read("\u{1B}[24;80R").reports == [.position(Position(column: 79, row: 23))])
  }

  @Test func `what a terminal says of its graphics is read between keys`() {
    let found = read(
      "a\u{1B}_Gi=31;OK\u{1B}\\b\u{1B}[6;20;10tc\u{1B}[?62;4;22c\u{1B}[A\u{1B}]11;rgb:0/0/0\u{07}d"
    )
    #expect(
      found.reports == [
        .graphics(true), .cellPixels(width: 10, height: 20), .attributes([62, 4, 22]),
        .background(RGB(hex: 0)),
      ]
    )
    #expect(found.keys == 5)
    #expect(read("\u{1B}_Gi=31;ENOSYS:no\u{1B}\\").reports == [.graphics(false)])
  }

  @Test(arguments: [(0x000000, true), (0x2E3440, true), (0x808080, false), (0xFDF6E3, false)])
  func `a background is dark if light text is easier to read on it`(hex: Int, isDark: Bool) {
    #expect(RGB(hex: UInt32(hex)).isDark == isDark)
  }
}
