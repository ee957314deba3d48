import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `Reading a view` {
  private func decode(_ json: String, _ limits: ViewLimits = .standard) throws -> ViewNode {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget(limits)
    return try decoder.decode(ViewNode.self, from: Data(json.utf8))
  }

  private static func text(_ words: SafeText) -> ViewNode {
    ViewNode(.text(TextContent(spans: [TextSpan(words)])))
  }

  private static func node(
    _ content: ViewNode.Content,
    _ change: (inout ViewNode) -> Void = { _ in }
  ) -> ViewNode {
    var node = ViewNode(content)
    change(&node)
    return node
  }

  @Test(arguments: [
    (#""Hello""#, text("Hello")),
    (#"{"type":"text","text":"Hello","unknown":[1,{"a":2}]}"#, text("Hello")),
    (
      #"{"type":"text","text":["a",{"text":"b","style":{"bold":true},"link":"x://y"}]}"#,
      node(
        .text(
          TextContent(spans: [
            TextSpan("a"), TextSpan("b", style: TextStyle(bold: true), link: "x://y"),
          ])
        )
      )
    ),
    (
      #"{"type":"vstack","children":["a",{"type":"divider"}],"spacing":2,"padding":1,"id":null}"#,
      node(.vstack(StackContent(children: [text("a"), ViewNode(.divider)], spacing: 2))) {
        $0.padding = EdgeInsets(top: 1, left: 1, bottom: 1, right: 1)
      }
    ),
    (
      #"{"type":"hstack","padding":{"left":3},"frame":{"width":9},"layoutPriority":-1.5}"#,
      node(.hstack(StackContent(children: []))) {
        $0.padding = EdgeInsets(left: 3)
        $0.frame = FrameBounds(width: 9)
        $0.layoutPriority = -1.5
      }
    ),
    (
      #"{"type":"grid","rows":[["a","1"],["b"]],"columns":[{},{"alignment":"trailing"}]}"#,
      node(
        .grid(
          GridContent(
            rows: [[text("a"), text("1")], [text("b")]],
            columns: [GridColumn(), GridColumn(alignment: .trailing)]
          )
        )
      )
    ),
    (
      #"{"type":"button","label":"More","action":"more"}"#,
      node(.button(ControlContent(label: text("More")))) { $0.action = "more" }
    ),
    (
      #"{"type":"toggle","label":{"type":"text","text":"Done"},"isOn":true}"#,
      node(.toggle(ToggleContent(label: text("Done"), isOn: true)))
    ),
    (
      #"{"type":"sparkline","values":[1,null,2.5]}"#,
      node(.sparkline(SparklineContent(values: [1, nil, 2.5])))
    ),
    (
      #"{"type":"date","display":"time","timeZone":"Asia/Tokyo"}"#,
      node(.date(DateContent(date: nil, display: .time, timeZone: "Asia/Tokyo")))
    ),
    (
      #"{"type":"date","date":"2026-11-20T14:32:07+01:00","display":"relative"}"#,
      node(
        .date(
          DateContent(
            date: Date(timeIntervalSince1970: 1_795_181_527),
            offsetFromGMT: 3600,
            display: .relative
          )
        )
      )
    ),
    (
      #"{"type":"ansi","text":"\u001b[1mbold\u001b[0m plain"}"#,
      node(
        .ansi(
          AnsiContent(spans: [
            TextSpan("bold", style: TextStyle(bold: true)), TextSpan(" plain"),
          ])
        )
      )
    ),
    (
      #"{"type":"hologram","alt":"a clown","children":["x"]}"#,
      node(.unknown(UnknownContent(type: "hologram", alt: "a clown", children: [text("x")])))
    ),
    (
      #"{"type":"hologram","alt":7,"children":{"a":1}}"#,
      node(.unknown(UnknownContent(type: "hologram")))
    ),
  ])
  func `an object becomes a node`(json: String, expected: ViewNode) throws {
    #expect(try decode(json) == expected)
  }

  @Test(arguments: [
    ("7", "expected a node: an object with a type, or a text"),
    ("{}", "expected the type of a node, such as text or vstack, found nothing"),
    (#"{"type":3}"#, "expected a text, found 3"),
    (#"{"type":"text"}"#, "expected a text or an array of spans, found nothing"),
    (#"{"type":"text","text":{}}"#, "expected a text or an array of spans, found an object"),
    (
      #"{"type":"text","text":"x","frame":{"width":-3}}"#,
      "expected a whole number from 0 to 10000, found -3"
    ),
    (
      #"{"type":"text","text":"x","lineLimit":1.5}"#,
      "expected a whole number from 0 to 10000, found 1.5"
    ),
    (
      #"{"type":"text","text":"x","truncation":"end"}"#,
      "expected tail, middle or head, found “end”"
    ),
    (
      #"{"type":"text","text":"x","style":{"foreground":"reddish"}}"#,
      "expected a colour: a semantic name, #rrggbb or an index from 0 to 255, found “reddish”"
    ),
    (#"{"type":"vstack","children":{}}"#, "expected an array of nodes, found an object"),
    (#"{"type":"vstack","children":[null]}"#, "expected an array of nodes, found null in it"),
    (#"{"type":"grid","rows":["a"]}"#, "expected an array of nodes"),
    (#"{"type":"gauge","value":"1"}"#, "expected a number, found “1”"),
    (#"{"type":"gauge"}"#, "expected a number, found nothing"),
    (
      #"{"type":"sparkline","values":[1,"2"]}"#,
      "expected an array of numbers and null, found an array"
    ),
    (#"{"type":"button"}"#, "expected a label: a text or a node, found nothing"),
    (#"{"type":"toggle","label":"x","isOn":1}"#, "expected true or false, found 1"),
    (
      #"{"type":"date","date":"tomorrow"}"#,
      "expected a date such as 2026-11-20T14:32:07+01:00, found “tomorrow”"
    ),
    (#"{"type":"ansi","text":5}"#, "expected a text, found 5"),
  ])
  func `an error contains what was expected and found`(json: String, message: String) throws {
    let error = try #require(throws: DecodingError.self) { try decode(json) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("another kind of error: \(error)")
      return
    }
    #expect(context.debugDescription == message)
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: #"{"type":"vstack","children":["#, count: depth - 1) + #""x""#
      + String(repeating: "]}", count: depth - 1)
  }

  private static func many(_ count: Int, _ item: String = #""x""#) -> String {
    repeatElement(item, count: count).joined(separator: ",")
  }

  @Test func `the limits are those of the protocol`() throws {
    _ = try decode(Self.nested(32))
    _ = try decode(#"{"type":"vstack","children":[\#(Self.many(4095))]}"#)
    _ = try decode(#"{"type":"grid","rows":[\#(Self.many(1000, "[]"))]}"#)
    _ = try decode(#"{"type":"grid","rows":[[\#(Self.many(64))]]}"#)
    _ = try decode("\"" + String(repeating: "x", count: 16_384) + "\"")
  }

  @Test(arguments: [
    (nested(33), ViewLimitError(limit: "view depth", allowed: 32, found: 33)),
    (
      #"{"type":"vstack","children":[\#(many(4096))]}"#,
      ViewLimitError(limit: "nodes", allowed: 4096, found: 4097)
    ),
    (
      #"{"type":"grid","rows":[\#(many(1001, "[]"))]}"#,
      ViewLimitError(limit: "grid rows", allowed: 1000, found: 1001)
    ),
    (
      #"{"type":"grid","rows":[[\#(many(65))]]}"#,
      ViewLimitError(limit: "grid columns", allowed: 64, found: 65)
    ),
    (
      "\"" + String(repeating: "x", count: 16_385) + "\"",
      ViewLimitError(limit: "bytes of text", allowed: 16_384, found: 16_385)
    ),
    (
      #"{"type":"hologram","children":[\#(nested(32))]}"#,
      ViewLimitError(limit: "view depth", allowed: 32, found: 33)
    ),
  ])
  func `a view above a limit is refused`(json: String, expected: ViewLimitError) throws {
    let error = try #require(throws: ViewLimitError.self) { try decode(json) }
    #expect(error == expected)
  }

  @Test func `a budget counts each view separately`() throws {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget(ViewLimits(nodes: 2))
    let views = Data(#"["a","b",{"type":"vstack","children":["c"]}]"#.utf8)
    #expect(try decoder.decode([ViewNode].self, from: views).count == 3)
  }

  @Test(arguments: 0..<200)
  func `a view is read as it was written`(seed: UInt64) throws {
    var tree = RandomTree(seed: seed)
    let node = tree.node()
    let data = try JSONEncoder().encode(node)
    let back = try JSONDecoder().decode(ViewNode.self, from: data)
    #expect(back == node, "seed \(seed)")
  }

  @Test func `only values that differ from a default are written`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let node = Self.node(.vstack(StackContent(children: [Self.text("x"), ViewNode(.divider)])))
    let json = String(decoding: try encoder.encode(node), as: UTF8.self)
    #expect(
      json == #"{"children":[{"text":"x","type":"text"},{"type":"divider"}],"type":"vstack"}"#
    )
  }
}
