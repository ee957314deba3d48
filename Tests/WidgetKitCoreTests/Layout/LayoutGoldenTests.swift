import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `Pictures of layouts` {
  private static let widths = [0, 1, 20, 40, 80, 120]

  private static let environment = LayoutEnvironment(
    now: Date(timeIntervalSince1970: 1_795_181_527),
    dates: DateWording(offsetFromGMT: 3600)
  )

  /// The trees as JSON.
  private static let subjects = [
    "text": #"""
    {"type":"vstack","spacing":1,"children":[
      "A paragraph of text that goes on for long enough to be wrapped at the boundaries of words.",
      {"type":"text","text":["One line with a ",{"text":"link","style":{"underline":true},
        "link":"https://example.com"}," in it, and cut at its end"],"lineLimit":1},
      {"type":"text","text":"The middle of this line is what goes, both of its ends stay",
        "lineLimit":1,"truncation":"middle"},
      {"type":"text","text":"Right","alignment":"trailing","style":{"foreground":"accent"}},
      {"type":"text","text":"Centre","alignment":"center","style":{"background":"blue"}}]}
    """#,
    "grid": #"""
    {"type":"grid","columnSpacing":2,"columns":[{"priority":1},{"minWidth":6},
      {"alignment":"trailing","priority":2}],"rows":[
      [{"type":"text","text":"Name","style":{"bold":true}},"What it is about","Size"],
      ["Corbin",{"type":"text","text":"Multicoloured suspenders, free!","lineLimit":1},"12"],
      ["Ida",{"type":"text","text":"Three weddings this weekend","lineLimit":1},"1 024"],
      ["日本語",{"type":"divider"},"7"]]}
    """#,
    "figures": #"""
    {"type":"vstack","children":[
      {"type":"hstack","children":[{"type":"text","text":"CPU","frame":{"width":6}},
        {"type":"sparkline","values":[1,3,null,5,2,8,4,7,9,1,2,3,6,7],"minimum":0},
        {"type":"text","text":"23 %","layoutPriority":1}]},
      {"type":"gauge","label":"Memory","value":7.1,"maximum":24,"valueLabel":"7.1 of 24 GB"},
      {"type":"gauge","label":"Disk /","value":0.95,"valueLabel":"95 %",
        "thresholds":[{"at":0.8,"foreground":"yellow"},{"at":0.9,"foreground":"red"}]},
      {"type":"sparkline","values":[0,1,2,3,4,5,6,7,8,7,6,5,4,3,2,1,0],"height":2},
      {"type":"divider"},
      {"type":"chart","height":3,"series":[{"name":"in","values":[1,4,2,8,5,7,1]},
        {"name":"out","values":[8,7,6,5,4,3,2],"style":{"foreground":"red"}}]},
      {"type":"chart","kind":"bar","height":2,"series":[{"values":[1,2,3,null,5,4]}]}]}
    """#,
    "controls": #"""
    {"type":"vstack","padding":{"left":1,"right":1},"children":[
      {"type":"toggle","label":"Buy milk","isOn":true,"action":"t1"},
      {"type":"toggle","label":"Water the plants on the balcony","action":"t2"},
      {"type":"hstack","action":"row","children":["More of them",{"type":"spacer"},
        {"type":"button","label":"More","action":"more","id":"more"}]},
      {"type":"hstack","children":["a",{"type":"divider"},
        {"type":"vstack","children":["b","c"]},{"type":"spacer"},
        {"type":"date","display":"time"},
        {"type":"date","date":"2026-11-20T13:28:00Z","display":"relative"}]}]}
    """#,
    "cells": #"""
    {"type":"vstack","children":[
      "日本語のテキストは二つのセルを使う",
      {"type":"text","text":"👩‍🚀 emoji 👨‍👩‍👧 that 👍🏽 join 🇩🇰 into one","lineLimit":1},
      {"type":"hstack","children":["Zoë e\u0301\u0301\u0301\u0301\u0301\u0301",
        {"type":"spacer"},"한국어"]},
      {"type":"zstack","style":{"background":"indigo"},"padding":1,"children":[
        "in the middle"]},
      {"type":"ansi","text":"\u001b[31mred\u001b[0m and \u001b[1;44mbold\u001b[m\nsecond row"}]}
    """#,
  ]

  private func tree(_ subject: String) throws -> ViewNode {
    let json = try #require(Self.subjects[subject])
    return try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
  }

  @Test(arguments: subjects.keys.sorted(), widths)
  func `look as they were recorded`(subject: String, width: Int) throws {
    let view = ViewLayout.layOut(try tree(subject), width: width, in: Self.environment)
    try Golden.check(view, subject)
  }

  @Test(arguments: [GlyphSet.ascii, .console])
  func `look as recorded with few characters`(glyphs: GlyphSet) throws {
    var environment = Self.environment
    environment.glyphs = glyphs
    let tree = ViewNode(
      .vstack(
        StackContent(children: [
          try tree("figures"), try tree("controls"),
        ])
      )
    )
    let view = ViewLayout.layOut(tree, width: 40, in: environment)
    try Golden.check(view, glyphs.rawValue)
    if glyphs == .ascii { #expect(Golden.text(view).utf8.allSatisfy { $0 < 0x80 }) }
  }
}
