import FoundationEssentials
import Testing

@testable import WidgetKitCore

@Suite struct `What can be pressed` {
  private func view(
    _ json: String,
    _ width: Int = 30,
    _ glyphs: GlyphSet = .unicode
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), glyphs: glyphs)
    return ViewLayout.layOut(node, width: width, in: environment)
  }

  /// The text whose cells satisfy a condition.
  private func text(_ view: LaidOutView, where isWanted: (CellStyle) -> Bool) -> String {
    view.runs.flatMap(\.cells).filter { isWanted($0.style) }.map(\.glyph.text).joined()
  }

  @Test func `is underlined, as text and as a part of one`() throws {
    let isUnderlined = { (style: CellStyle) in style.attributes.contains(.underline) }
    let link = try view(#"{"type":"text","text":"Read more","link":"https://example.com"}"#)
    #expect(text(link, where: isUnderlined) == "Read more")
    let spans = try view(#"{"type":"text","text":["Then ",{"text":"go","action":"go"}," on"]}"#)
    #expect(text(spans, where: isUnderlined) == "go")
    #expect(text(try view(#"{"type":"text","text":"plain"}"#), where: isUnderlined).isEmpty)
  }

  @Test func `is a button with a label in the colour of the focus`() throws {
    let button = try view(#"{"type":"button","label":"Start","action":"start"}"#)
    #expect(text(button) { $0.foreground == .accent } == "Start")
    #expect(text(button) { $0.foreground == .secondary } == "[  ]")
    let own = """
      {"type":"button","label":"Stop","action":"stop","style":{"foreground":"red"}}
      """
    #expect(text(try view(own)) { $0.foreground == .red } == "[ Stop ]")
  }

  @Test(arguments: [
    (GlyphSet.unicode, "☑ On", "☐ Off"), (.console, "[x] On", "[ ] Off"),
    (.ascii, "[x] On", "[ ] Off"),
  ])
  func `is a toggle with a box`(glyphs: GlyphSet, on: String, off: String) throws {
    for (state, label, expected) in [(true, "On", on), (false, "Off", off)] {
      let toggle = #"{"type":"toggle","label":"\#(label)","isOn":\#(state),"action":"a"}"#
      #expect(Golden.text(try view(toggle, 30, glyphs)) == expected + "\n")
    }
  }
}

@Suite struct `A large text` {
  private func text(_ json: String, _ width: Int, _ glyphs: GlyphSet = .unicode) throws -> String {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), glyphs: glyphs)
    return Golden.text(ViewLayout.layOut(node, width: width, in: environment))
  }

  private static func large(_ text: String) -> String {
    #"{"type":"text","text":"\#(text)","size":"large"}"#
  }

  @Test(arguments: [
    ("21.5 °C", 20, "▀▀█ ▀█    █▀▀\n█▄▄ ▄█▄ ▄ ▄▄█ °C\n"),
    ("7", 3, "▀▀█\n  █\n"),
    // No room, no number, or more than a number to look at.
    ("21.5 °C", 15, "21.5 °C\n"), ("warm", 20, "warm\n"), ("-", 20, "-\n"),
    ("1234567890123", 80, "1234567890123\n"), ("", 20, "\n"),
  ])
  func `has its number in two rows where there is room`(
    words: String,
    width: Int,
    expected: String
  ) throws {
    #expect(try text(Self.large(words), width) == expected)
  }

  @Test func `is plain in ASCII, and blocks on consoles`() throws {
    #expect(try text(Self.large("7 %"), 20, .ascii) == "7 %\n")
    #expect(try text(Self.large("7 %"), 20, .console) == "▀▀█\n  █ %\n")
  }

  @Test func `has digits that differ`() throws {
    let forms = try (0...9).map { try text(Self.large("\($0)"), 3) }
    #expect(Set(forms).count == 10)
  }

  @Test(arguments: [0, 1, 2, 3]) func `is drawn in any width`(width: Int) throws {
    _ = try text(Self.large("-12,5 €"), width)
    _ = try text(#"{"type":"hstack","children":["a",\#(Self.large("12:30"))]}"#, width)
  }
}

@Suite struct `A row with a colour` {
  private func text(_ width: Int, _ glyphs: GlyphSet) throws -> String {
    let list = """
      {"type":"list","rows":[{"id":"1","view":"backup failed","tint":"red"},{"id":"2","view":"mail"}]}
      """
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(list.utf8))
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), glyphs: glyphs)
    return Golden.text(ViewLayout.layOut(node, width: width, in: environment))
  }

  @Test(arguments: [
    (GlyphSet.unicode, "▎ backup failed\n  mail\n"), (.console, "│ backup failed\n  mail\n"),
    (.ascii, "| backup failed\n  mail\n"),
  ])
  func `has a mark in the margin`(glyphs: GlyphSet, expected: String) throws {
    #expect(try text(20, glyphs) == expected)
  }

  @Test func `has none where there is no room`() throws {
    #expect(try text(7, .unicode) == "backup\nfailed\nmail\n")
  }
}

@Suite struct `A clock` {
  @Test func `has hours and minutes before its seconds`() throws {
    let node = try JSONDecoder().decode(
      ViewNode.self,
      from: Data(#"{"type":"date","display":"time"}"#.utf8)
    )
    let environment = LayoutEnvironment(
      now: Date(timeIntervalSince1970: 3_723),
      dates: DateWording(offsetFromGMT: 0)
    )
    let cells = ViewLayout.layOut(node, width: 20, in: environment).runs.flatMap(\.cells)
    #expect(cells.map(\.glyph.text).joined() == "01:02:03")
    #expect(cells.prefix(5).allSatisfy { $0.style.attributes == .bold })
    #expect(cells.suffix(3).allSatisfy { $0.style.attributes == .dim })
  }
}
