import Testing

@testable import WidgetTUI

@Suite struct TerminalReportTests {
  private func extract(_ text: String, isExpected: Bool = true) -> (
    [TerminalReport], rest: String, held: Int
  ) {
    var bytes = Array(text.utf8)
    let found = TerminalReport.extract(from: &bytes, isExpected: isExpected)
    return (found.reports, String(decoding: bytes, as: UTF8.self), found.held)
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:1616/1818/1d1d\u{1B}\\", RGB(hex: 0x16181D)),
    ("\u{1B}]11;rgb:ff/80/00\u{07}", RGB(hex: 0xFF8000)),
    ("\u{1B}]11;rgba:f/0/8/ffff\u{07}", RGB(hex: 0xFF0088)),
  ])
  func `a background is read in every form`(text: String, color: RGB) {
    let found = extract("j\(text)k")
    #expect(found.0 == [.background(color)] && found.rest == "jk" && found.held == 0)
  }

  @Test func `a change of the appearance is read, and keys around it stay`() {
    let found = extract("a\u{1B}[?997;1nb\u{1B}[?997;2n\u{1B}[A", isExpected: false)
    #expect(found.0 == [.appearance(isDark: true), .appearance(isDark: false)])
    #expect(found.rest == "ab\u{1B}[A")
  }

  @Test func `the focus is read where the terminal was asked to tell it`() {
    var bytes = Array("a\u{1B}[Ib\u{1B}[O\u{1B}[Ac\u{1B}OA".utf8)
    let found = TerminalReport.extract(from: &bytes, isExpected: false, followsFocus: true)
    #expect(found.reports == [.focus(true), .focus(false)] && found.held == 0)
    #expect(String(decoding: bytes, as: UTF8.self) == "ab\u{1B}[Ac\u{1B}OA")
    let keys = extract("\u{1B}[I\u{1B}[O", isExpected: false)
    #expect(keys.0.isEmpty && keys.rest == "\u{1B}[I\u{1B}[O")
  }

  @Test func `an answer that comes in parts is held until it is whole`() {
    let answer = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"
    for count in 2..<answer.utf8.count {
      let part = String(decoding: Array(answer.utf8).prefix(count), as: UTF8.self)
      #expect(extract("q" + part).held == count, "\(count)")
      #expect(extract("q" + part, isExpected: false).held == 0)
    }
  }

  @Test(arguments: [
    "\u{1B}", "\u{1B}[A", "\u{1B}[", "\u{1B}]r", "\u{1B}[<0;1;1M", "\u{1B}]11;?",
    "\u{1B}[?997;", "\u{1B}[?998;1n",
  ])
  func `keys are not taken for a report when none is expected`(text: String) {
    let found = extract(text, isExpected: false)
    #expect(found.0.isEmpty && found.rest == text && found.held == 0)
  }

  @Test(arguments: [
    "\u{1B}]11;\u{07}", "\u{1B}]11;rgb:\u{07}", "\u{1B}]11;rgb:1/2\u{07}",
    "\u{1B}]11;rgb:10000/0/0\u{07}", "\u{1B}]11;rgb:-1/0/0\u{07}", "\u{1B}[?997;3n",
  ])
  func `a report that says nothing known is no key either`(text: String) {
    let found = extract(text)
    #expect(found.0.isEmpty && found.rest.isEmpty && found.held == 0)
  }

  @Test func `an answer without an end is released`() {
    let long = "\u{1B}]11;" + String(repeating: "0", count: 100)
    let found = extract(long)
    #expect(found.0.isEmpty && found.rest == long && found.held == 0)
  }

  @Test(arguments: [(0x000000, true), (0x2E3440, true), (0x808080, false), (0xFDF6E3, false)])
  func `a background is dark if light text is easier to read on it`(hex: Int, isDark: Bool) {
    #expect(RGB(hex: UInt32(hex)).isDark == isDark)
  }
}
