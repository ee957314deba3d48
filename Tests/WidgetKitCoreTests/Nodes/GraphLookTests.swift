import FoundationEssentials
import Testing

@testable import WidgetKitCore

@Suite struct `The look of a graph` {
  private func view(
    _ json: String,
    _ width: Int,
    _ glyphs: GlyphSet = .unicode
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), glyphs: glyphs)
    return ViewLayout.layOut(node, width: width, in: environment)
  }

  private func text(_ json: String, _ width: Int, _ glyphs: GlyphSet = .unicode) throws -> String {
    Golden.text(try view(json, width, glyphs))
  }

  /// The styles of the visible cells of each row, from the top.
  private func styles(_ view: LaidOutView) -> [[CellStyle]] {
    (0..<view.size.rows).map { row in
      view.runs.filter { $0.position.row == row }.flatMap(\.cells)
        .filter { $0.glyph != .space }.map(\.style)
    }
  }

  @Test(arguments: ["area", "bar"]) func `fades towards the bottom`(kind: String) throws {
    let chart = #"{"type":"chart","kind":"\#(kind)","height":4,"series":[{"values":[9,9]}]}"#
    let shades = styles(try view(chart, 4)).map { Set($0.map(\.attributes.shade)) }
    #expect(shades == [[0], [1], [1], [2]])
  }

  @Test func `of lines is the same at all heights`() throws {
    let chart = #"{"type":"chart","height":4,"series":[{"values":[0,9]}]}"#
    #expect(styles(try view(chart, 8)).joined().allSatisfy { $0.attributes.shade == 0 })
  }

  @Test func `has the colours of its gradient from the bottom to the top`() throws {
    let chart = """
      {"type":"chart","kind":"bar","height":3,"gradient":["green","orange","red"],
        "series":[{"values":[9]}]}
      """
    let colors = styles(try view(chart, 3)).map { Set($0.map(\.foreground)) }
    #expect(colors == [[.red], [.orange], [.green]])
    let low = #"{"type":"sparkline","gradient":["green","red"],"values":[0,9],"minimum":0}"#
    #expect(styles(try view(low, 2)) == [[.green, .red].map { CellStyle(foreground: $0) }])
  }

  @Test func `of one row has no stripes`() throws {
    let bars = try view(#"{"type":"sparkline","values":[0,5,9],"minimum":0}"#, 3)
    #expect(styles(bars)[0].allSatisfy { $0.attributes.shade == 0 })
  }

  @Test(arguments: GlyphSet.allCases)
  func `of several rows has two values in a column of dots`(set: GlyphSet) throws {
    let bars = #"{"type":"sparkline","height":2,"minimum":0,"values":[0,2,4,6,8,null,8]}"#
    let rows = try text(bars, 8, set).split(separator: "\n", omittingEmptySubsequences: false)
    let drawn = rows.prefix(2).map { row in row.filter { $0 != " " }.count }
    // Seven values: four columns of dots, of which the upper row has those above the middle.
    #expect(drawn[1] == (set == .unicode ? 4 : 6))
    #expect(drawn[0] < drawn[1])
  }

  @Test(arguments: [
    (30, "%", "▁▂▃▄▅▆▇█ 0–7%\n"), (30, "B/s", "▁▂▃▄▅▆▇█ 0–7 B/s\n"),
    // No room beside eight bars.
    (12, "B/s", "▁▂▃▄▅▆▇█\n"),
  ])
  func `has its least and greatest value at the end`(width: Int, unit: String, expected: String)
    throws
  {
    let bars = """
      {"type":"sparkline","showsRange":true,"unit":"\(unit)","values":[0,1,2,3,4,5,6,7]}
      """
    let drawn = try text(bars, width).drop { $0 == " " }
    #expect(drawn == expected)
    #expect(try !text(bars, width, .ascii).contains("–"))
  }

  @Test(arguments: GlyphSet.allCases)
  func `that is mirrored goes up and down from one line`(glyphs: GlyphSet) throws {
    let chart = """
      {"type":"chart","kind":"area","height":4,"mirrored":true,
        "series":[{"values":[8,8]},{"values":[0.5,0.25]}]}
      """
    let rows = try text(chart, 2, glyphs).split(separator: "\n", omittingEmptySubsequences: false)
    // Each has a scale of its own, so that what is small is seen too.
    let full =
      switch glyphs {
      case .unicode: "⣿⣿"
      case .console: "██"
      case .ascii: "##"
      }
    #expect(rows[0] == full && rows[1] == full && rows[2].first == full.first)
    #expect(rows[3] != full)
    if glyphs == .unicode { #expect(rows[3].contains { "⠉⠋⠛⠏⠟⠿⡏⠇⠁⠃⡇⢻".contains($0) }) }
  }

  @Test func `that is mirrored has both greatest values on its axis`() throws {
    let chart = """
      {"type":"chart","kind":"area","height":4,"mirrored":true,"showsAxis":true,"unit":"B/s",
        "series":[{"values":[4000000,1]},{"values":[2000,1000]}]}
      """
    let rows = try text(chart, 40).split(separator: "\n")
    #expect(rows[0].hasPrefix("4 MB/s ┤") && rows[3].hasPrefix("2 kB/s ┤"))
  }

  @Test(arguments: [0, 1, 2, 9], ["area", "bar", "line"])
  func `is drawn for any numbers`(width: Int, kind: String) throws {
    for values in ["", "null", "0,0", "1e308,-1e308", "-1,-2,null,1e-300", "5"] {
      for height in [0, 1, 2, 7] {
        let members = #""height":\#(height),"showsRange":true,"gradient":["red"]"#
        _ = try view(#"{"type":"sparkline",\#(members),"values":[\#(values)]}"#, width)
        let chart = """
          {"type":"chart","kind":"\(kind)","mirrored":true,"showsAxis":true,\(members),
            "series":[{"values":[\(values)]},{"values":[\(values)]}]}
          """
        _ = try view(chart, width, width == 9 ? .ascii : .unicode)
      }
    }
  }

  @Test func `is written as it was read`() throws {
    for json in [
      #"{"type":"sparkline","values":[1],"gradient":["green",12],"showsRange":true,"unit":"%"}"#,
      #"{"type":"chart","series":[{"values":[1]}],"gradient":["red"],"mirrored":true}"#,
      #"{"type":"text","text":"21","size":"large"}"#,
      #"{"type":"list","rows":[{"id":"1","view":"x","tint":"red"}]}"#,
    ] {
      let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
      let again = try JSONDecoder().decode(ViewNode.self, from: JSONEncoder().encode(node))
      #expect(again == node)
    }
  }
}
