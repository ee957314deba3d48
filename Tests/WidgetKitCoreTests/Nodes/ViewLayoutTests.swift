import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `Laying a view out` {
  private static let now = Date(timeIntervalSince1970: 1_795_181_527)

  private var environment: LayoutEnvironment {
    LayoutEnvironment(now: Self.now, dates: DateWording(offsetFromGMT: 0))
  }

  private func layOut(
    _ json: String,
    _ width: Int,
    _ height: Int? = nil,
    _ environment: LayoutEnvironment? = nil
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    return ViewLayout.layOut(
      node,
      width: width,
      height: height,
      in: environment ?? self.environment
    )
  }

  @Test(
    arguments: [
      (
        #"{"type":"hstack","children":["Left",{"type":"spacer"},"Right"]}"#, 12, nil,
        "Left   Right\n"
      ),
      (
        #"{"type":"hstack","children":["Left",{"type":"spacer"},"Right"]}"#, 10, nil, "Left Right\n"
      ),
      (
        #"""
        {"type":"hstack","children":[{"type":"text","text":"Description","lineLimit":1},
          {"type":"text","text":"42 kB","layoutPriority":1}]}
        """#, 12, nil, "Descr… 42 kB\n"
      ),
      (#"{"type":"vstack","children":["a",{"type":"spacer"},"b"]}"#, 3, 4, "a\n\n\nb\n"),
      (#"{"type":"vstack","children":["a",{"type":"spacer"},"b"]}"#, 3, nil, "a\nb\n"),
      (#"{"type":"vstack","children":["a","b","c"]}"#, 3, 2, "a\nb\n"),
      (#"{"type":"vstack","alignment":"center","children":["abc","x"]}"#, 5, nil, " abc\n  x\n"),
      (
        #"{"type":"vstack","alignment":"trailing","children":["abc","x"]}"#, 5, nil,
        "  abc\n    x\n"
      ),
      (#"{"type":"zstack","children":[{"type":"divider"},"x"]}"#, 5, nil, "──x──\n"),
      (#"{"type":"text","text":"x","padding":{"top":1,"left":2}}"#, 5, nil, "\n  x\n"),
      (#"{"type":"text","text":"a few words","frame":{"height":1}}"#, 7, nil, "a few…\n"),
      (
        #"{"type":"hstack","spacing":0,"children":[{"type":"text","text":"x","frame":{"width":4}},"y"]}"#,
        9, nil, "x   y\n"
      ),
      (#"{"type":"hologram","children":["a","b"]}"#, 5, nil, "a\nb\n"),
      (#"{"type":"hologram"}"#, 5, nil, ""),
      (#"{"type":"image","alt":"a clown","height":2}"#, 9, nil, "a clown\n\n"),
      (#"{"type":"gauge","value":0.5}"#, 8, nil, "━━━━────\n"),
      (#"{"type":"gauge","value":0.56}"#, 8, nil, "━━━━╾───\n"),
      (#"{"type":"gauge","value":0.0001}"#, 8, nil, "╾───────\n"),
      (#"{"type":"gauge","value":0.9999}"#, 8, nil, "━━━━━━━╾\n"),
      (#"{"type":"gauge","value":9}"#, 8, nil, "━━━━━━━━\n"),
      (#"{"type":"sparkline","values":[0,1,2,3,4,5,6,7]}"#, 10, nil, "  ▁▂▃▄▅▆▇█\n"),
      (#"{"type":"sparkline","values":[0,1,2,3,4,5,6,7]}"#, 4, nil, "▁▃▆█\n"),
      (#"{"type":"sparkline","values":[3,null,3]}"#, 3, nil, "▁ ▁\n"),
      (#"{"type":"sparkline","values":[]}"#, 3, nil, "\n"),
      (#"{"type":"chart","height":1,"series":[{"values":[0,3]}]}"#, 2, nil, "⡠⠊\n"),
      (#"{"type":"button","label":"More"}"#, 20, nil, "[ More ]\n"),
      (#"{"type":"button","label":"More"}"#, 7, nil, "[ Mo… ]\n"),
      (#"{"type":"toggle","label":"Milk","isOn":true}"#, 20, nil, "☑ Milk\n"),
    ] as [(String, Int, Int?, String)]
  )
  func `puts every cell in its place`(
    json: String,
    width: Int,
    height: Int?,
    text: String
  ) throws {
    let view = try layOut(json, width, height)
    #expect(Golden.text(view) == text)
    #expect(view.size.columns == width)
  }

  private static func letters(_ count: Int) -> String {
    "abcdefghijklmnopqrstuvwxyz".prefix(count).map { "\"\($0)\"" }.joined(separator: ",")
  }

  @Test(
    arguments: [
      ("16 letters, 31", 31, "a b c d e f g h i j k l m n o p\n"),
      ("16 letters, 16", 16, "a b c d e f g h\n"),
      ("16 letters, 30", 30, "a b c d e f g h i j k l m n o\n"),
      ("16 letters, 2", 2, "a\n"),
      ("16 letters, 1", 1, "a\n"),
    ]
  )
  func `drops the spacing of children without room`(name: String, width: Int, text: String) throws {
    let row = #"{"type":"hstack","children":[\#(Self.letters(16))]}"#
    #expect(Golden.text(try layOut(row, width)) == text)
    let grid = #"{"type":"grid","rows":[[\#(Self.letters(16))]]}"#
    #expect(Golden.text(try layOut(grid, width)) == text)
  }

  @Test(
    arguments: [
      (#"{"type":"hstack","children":[\#(letters(17))]}"#, 17, "a b c d e f g h i\n"),
      // A row in a grid in a row.
      (
        #"{"type":"hstack","children":[{"type":"grid","rows":[[{"type":"hstack","children":[\#(letters(4))]},"x"]]},"y"]}"#,
        5, "a x y\n"
      ),
      (
        #"{"type":"hstack","children":["a",{"type":"text","text":"b","layoutPriority":1}]}"#, 1,
        "b\n"
      ),
      (#"{"type":"hstack","children":["漢字","漢字"]}"#, 3, "… …\n"),
      (#"{"type":"hstack","children":["漢字","漢字"]}"#, 1, "…\n"),
      (
        #"{"type":"hstack","children":["words",{"type":"button","label":"x"}]}"#, 7,
        "w [ x ]\no\nr\nd\ns\n"
      ),
      (#"{"type":"hstack","children":["words",{"type":"button","label":"x"}]}"#, 6, "words\n"),
      (#"{"type":"hstack","children":["a",{"type":"spacer"},"b"]}"#, 3, "a b\n"),
      (#"{"type":"hstack","children":["a",{"type":"spacer"},"b"]}"#, 2, "a\n"),
      (#"{"type":"hstack","children":["a",{"type":"spacer"},"b"]}"#, 1, "a\n"),
      (#"{"type":"hstack","children":["a","",{"type":"divider"},"b"]}"#, 5, "a │ b\n"),
      (
        #"{"type":"hstack","children":[{"type":"text","text":"wide","frame":{"width":9}},"b"]}"#,
        6, "wide b\n"
      ),
      (
        #"{"type":"hstack","children":[{"type":"gauge","label":"CPU","value":1},"9"]}"#, 3,
        "━ 9\n"
      ),
      (#"{"type":"grid","rows":[["a","","b"],["c","","d"]]}"#, 3, "a b\nc d\n"),
      (
        #"{"type":"grid","columns":[{},{"width":0},{"priority":1}],"rows":[["a","x","b"]]}"#, 1,
        "b\n"
      ),
    ] as [(String, Int, String)]
  )
  func `shows as many children as there is room for`(json: String, width: Int, text: String) throws
  {
    #expect(Golden.text(try layOut(json, width)) == text)
  }

  @Test(
    arguments: [
      (20, "too narrow\n"), (10, "too narrow\n"), (9, "too narr…\n"), (5, "too…\n"), (1, "…\n"),
    ]
  )
  func `shows a message if there is too little room for anything`(width: Int, text: String) throws {
    let json = #"{"type":"vstack","padding":{"left":10,"right":10},"children":["words"]}"#
    let view = try layOut(json, width)
    #expect(Golden.text(view) == text)
    #expect(Golden.text(try layOut(json, 21)).hasPrefix("          w"))
  }

  @Test(
    arguments: [
      // What shows a part shows that, and what never shows anything says nothing.
      (#"{"type":"button","label":"More"}"#, 3, "Mo…\n"),
      (#"{"type":"button","label":"More"}"#, 1, "…\n"),
      (#"{"type":"toggle","label":"More","isOn":true}"#, 3, "☑ …\n"),
      (#"{"type":"gauge","label":"CPU","value":1}"#, 1, "━\n"),
      ("\"漢\"", 1, "…\n"),
      (#"{"type":"spacer"}"#, 3, ""),
      (#"{"type":"vstack","children":[]}"#, 3, ""),
    ] as [(String, Int, String)]
  )
  func `shows a part of a child if there is room for no more`(
    json: String,
    width: Int,
    text: String
  ) throws {
    #expect(Golden.text(try layOut(json, width)) == text)
  }

  @Test func `records pressable elements, the inner one last`() throws {
    let view = try layOut(
      #"""
      {"type":"vstack","children":[
        {"type":"hstack","id":"row","link":"x://row","children":["Corbin",
          {"type":"button","label":"More","action":"more"}]},
        {"type":"text","text":["see ",{"text":"this","action":"this"}]},
        {"type":"toggle","label":"Milk","isOn":true,"action":"milk","id":"milk"},
        {"type":"button","label":"No action"}]}
      """#,
      20
    )
    let frames = view.targets.map(\.frame)
    #expect(
      frames == [
        Rect(column: 0, row: 0, columns: 15, rows: 1),
        Rect(column: 7, row: 0, columns: 8, rows: 1),
        Rect(column: 4, row: 1, columns: 4, rows: 1),
        Rect(column: 0, row: 2, columns: 6, rows: 1),
      ]
    )
    #expect(view.targets.map(\.action) == [nil, "more", "this", "milk"])
    #expect(view.targets.map(\.elementID) == ["row", "row", nil, "milk"])
    #expect(view.targets.map(\.newValue) == [nil, nil, nil, false])
    #expect(view.targets.map(\.label.string) == ["Corbin More", "More", "this", "Milk"])
    #expect(view.elements.map(\.id) == ["row", "milk"])
  }

  @Test func `redacts private content`() throws {
    var hidden = environment
    hidden.redactsPrivate = true
    let json = #"""
      {"type":"vstack","children":["Balance",{"type":"vstack","privacySensitive":true,"children":[
        {"type":"text","text":"1 000 €","action":"open"},
        {"type":"gauge","value":0.5,"valueLabel":"50"}]}]}
      """#
    let view = try layOut(json, 10, nil, hidden)
    #expect(Golden.text(view) == "Balance\n▒ ▒▒▒ ▒\n─────── ▒▒\n")
    #expect(view.targets.map(\.label) == [""])
    hidden.glyphs = .ascii
    #expect(Golden.text(try layOut(json, 10, nil, hidden)) == "Balance\n* *** *\n------- **\n")
  }

  @Test func `knows when a visible date will change`() throws {
    let clock = #"{"type":"date","display":"time"}"#
    let past = #"{"type":"date","date":"2026-11-20T13:28:00Z","display":"relative"}"#
    #expect(try layOut(clock, 10).nextChange == Self.now.addingTimeInterval(1))
    #expect(try layOut(past, 10).nextChange == Self.now.addingTimeInterval(53))
    #expect(try layOut(#""still""#, 10).nextChange == nil)
    let clipped = #"{"type":"vstack","children":["a",\#(clock)]}"#
    #expect(try layOut(clipped, 10, 1).nextChange == nil)
  }

  @Test func `fills a container with its background`() throws {
    let json = #"{"type":"vstack","style":{"background":"blue"},"padding":1,"children":["x"]}"#
    let grid = Golden.grid(try layOut(json, 5))
    #expect(grid.count == 3)
    #expect(grid.joined().allSatisfy { $0.style.background == .blue })
  }
}
