import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct TerminalKindTests {
  private func kind(_ term: String?, _ more: [String: String] = [:]) -> TerminalKind {
    var environment = more
    environment["TERM"] = term
    return TerminalKind(environment: environment)
  }

  @Test(arguments: [
    ("xterm-256color", GlyphSet.unicode, true), ("tmux-256color", .unicode, true),
    ("screen", .unicode, true), ("linux", .console, false), ("vt100", .ascii, false),
    ("vt220", .ascii, false),
  ])
  func `a terminal has the characters and the frames of its family`(
    name: String,
    glyphs: GlyphSet,
    showsFramesWhole: Bool
  ) {
    #expect(kind(name).glyphs(isUTF8: true) == glyphs)
    #expect(kind(name).glyphs(isUTF8: false) == .ascii)
    #expect(kind(name).showsFramesWhole == showsFramesWhole)
    #expect(kind(name).canDraw)
  }

  @Test(arguments: [
    ("screen", ["STY": "1.pts"], false), ("screen.xterm-256color", ["STY": "1.pts"], false),
    ("screen-256color", ["TMUX": "/tmp/s"], true), ("xterm-256color", ["STY": "1.pts"], true),
    ("xterm", [:], true),
  ])
  func `GNU screen is not asked for the mouse, as it would keep Esc back`(
    name: String,
    environment: [String: String],
    takesMouse: Bool
  ) {
    #expect(kind(name, environment).takesMouse == takesMouse)
  }

  @Test(arguments: [nil, "", "dumb", "unknown"])
  func `a terminal that cannot position text is refused`(name: String?) {
    #expect(!kind(name).canDraw)
  }

  @Test func `a NO_COLOR that is not empty disables colours`() {
    #expect(kind("xterm", ["NO_COLOR": "1"]).refusesColors)
    #expect(!kind("xterm", ["NO_COLOR": ""]).refusesColors)
  }

  @Test(arguments: [
    (nil, true), ("15;0", true), ("0;15", false), ("0;default;15", false), ("12;8", true),
    ("x", true), ("0;7", false),
  ])
  func `the background is dark unless COLORFGBG is light`(value: String?, isDark: Bool) {
    #expect(kind("xterm", value.map { ["COLORFGBG": $0] } ?? [:]).isDark == isDark)
  }

  @Test(arguments: [
    (13 as UInt32, Key.enter), (10, .enter), (9, .tab), (27, .escape), (8, .backspace),
    (0x7F, .backspace), (3, .control("c")),
    (26, .control("z")), (0x71, .character("q")), (0xE9, .character("é")),
  ])
  func `characters are keys`(code: UInt32, key: Key) {
    #expect(Key(typed: code) == key)
  }

  @Test(arguments: [0 as UInt32, 0x1C, 0xD800, 0x11_0000, .max])
  func `an invalid code is not a key`(code: UInt32) {
    #expect(Key(typed: code) == nil)
  }
}
