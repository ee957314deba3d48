import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `A chart` {
  private func text(
    of json: String,
    _ width: Int,
    _ glyphs: GlyphSet = .unicode,
    isRedacted: Bool = false
  ) throws -> String {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let environment = LayoutEnvironment(
      now: Date(timeIntervalSince1970: 0),
      glyphs: glyphs,
      redactsPrivate: isRedacted
    )
    return Golden.text(ViewLayout.layOut(node, width: width, in: environment))
  }

  private static func chart(_ members: String, _ values: String) -> String {
    #"{"type":"chart",\#(members),"series":[{"values":[\#(values)]}]}"#
  }

  @Test(
    arguments: [
      (GlyphSet.unicode, " ⢀⣴⣾⣦⣄\n⣠⣿⣿⣿⣿⣿⣷⣄\n"),
      (.console, " ▄██▄▄\n▄██████▄\n"),
      (.ascii, " :+#+:\n=#####*:\n"),
    ]
  )
  func `of an area is filled below its line`(glyphs: GlyphSet, expected: String) throws {
    let chart = Self.chart(#""kind":"area","height":2"#, "0,4,8,4,0")
    #expect(try text(of: chart, 8, glyphs) == expected)
  }

  @Test func `of an area leaves gaps open`() throws {
    let chart = Self.chart(#""kind":"area","height":1,"minimum":0"#, "1,1,null,1,1")
    #expect(try text(of: chart, 5) == "⣿⡇ ⣿⣿\n")
  }

  @Test func `of an area begins at zero`() throws {
    let chart = Self.chart(#""kind":"area","height":1,"showsAxis":false"#, "4,4")
    #expect(try text(of: chart, 2) == "⣿⣿\n")
  }

  @Test(
    arguments: [
      (#""kind":"bar","height":2,"showsAxis":true"#, "1,2", 14, "2 ┤       ████\n0 ┤  ████ ████\n"),
      (
        #""kind":"bar","height":2,"showsAxis":true,"unit":"%""#, "50,100", 14,
        "100% ┤     ███\n  0% ┤ ███ ███\n"
      ),
      (
        #""kind":"bar","height":5,"showsAxis":true,"unit":"B/s""#, "0,4000000", 20,
        "4 MB/s ┤       █████\n       │       █████\n2 MB/s ┤       █████\n       │       █████\n 0 B/s ┤       █████\n"
      ),
      (
        #""kind":"bar","height":6,"showsAxis":true"#, "0,4", 14,
        "4 ┤       ████\n  │       ████\n  │       ████\n2 ┤       ████\n  │       ████\n0 ┤       ████\n"
      ),
      // Too narrow, or too low: the plot alone.
      (#""kind":"bar","height":2,"showsAxis":true"#, "1,2", 10, "      ████\n ████ ████\n"),
      (#""kind":"bar","height":1,"showsAxis":true"#, "1,2", 20, " ▄▄▄▄▄▄▄▄▄ █████████\n"),
      // One value: the axis says which.
      (#""height":2,"showsAxis":true"#, "7,7", 14, "  │\n7 ┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀\n"),
      // Bounds that need more than three digits to differ.
      (
        #""height":2,"showsAxis":true"#, "100000,100400", 20,
        "100.4k ┤      ⣀⡠⠤⠔⠒⠉\n100.0k ┤⣀⠤⠔⠒⠊⠉\n"
      ),
      // The same decimals, except for zero.
      (
        #""height":2,"showsAxis":true,"unit":"%""#, "2.79,2.9", 20,
        "2.90% ┤      ⢀⣀⡠⠤⠒⠒⠉\n2.79% ┤⣀⠤⠤⠒⠊⠉⠁\n"
      ),
      (
        #""kind":"bar","height":5,"showsAxis":true"#, "0,3", 14,
        "3.0 ┤      ███\n    │      ███\n1.5 ┤      ███\n    │      ███\n  0 ┤      ███\n"
      ),
      (
        #""height":2,"showsAxis":true"#, "-1e300,1e300", 24,
        " 1e+300 ┤       ⢀⣀⡠⠤⠔⠒⠊⠉\n-1e+300 ┤⣀⡠⠤⠔⠒⠊⠉⠁\n"
      ),
      (
        #""height":2,"showsAxis":true"#, "-0.00025,999999", 24,
        "      1M ┤       ⣀⣀⠤⠤⠒⠒⠉\n-0.00025 ┤⣀⠤⠤⠒⠒⠉⠉\n"
      ),
    ]
  )
  func `shows its values on the left if there is room`(
    members: String,
    values: String,
    width: Int,
    expected: String
  ) throws {
    #expect(try text(of: Self.chart(members, values), width) == expected)
  }

  @Test func `has an axis of plain characters without Unicode`() throws {
    let chart = Self.chart(#""kind":"bar","height":3,"showsAxis":true"#, "1,2")
    let expected = """
      2 +       ####
        |  ==== ####
      0 +  #### ####

      """
    #expect(try text(of: chart, 14, .ascii) == expected)
  }

  @Test func `shows no values while it is redacted`() throws {
    let chart = Self.chart(#""height":2,"privacySensitive":true,"showsAxis":true"#, "123,456")
    #expect(!(try text(of: chart, 30, isRedacted: true)).contains { $0.isNumber })
  }

  @Test func `names its series unless the legend is hidden`() throws {
    let named = #""series":[{"name":"in","values":[1,2]}]"#
    #expect(try text(of: #"{"type":"chart","height":1,\#(named)}"#, 8).contains("in"))
    let hidden = #"{"type":"chart","height":1,"showsLegend":false,\#(named)}"#
    #expect(try text(of: hidden, 8).split(separator: "\n").count == 1)
  }
}
