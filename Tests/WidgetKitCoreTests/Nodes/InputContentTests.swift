import FoundationEssentials
import Testing

@testable import WidgetKitCore

/// Reading and writing of lists, fields and folds.
@Suite struct InputContentTests {
  private func decode(_ json: String) throws -> ViewNode {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget()
    return try decoder.decode(ViewNode.self, from: Data(json.utf8))
  }

  private static func text(_ words: SafeText) -> ViewNode {
    ViewNode(.text(TextContent(spans: [TextSpan(words)])))
  }

  private static let samples: [(String, ViewNode.Content)] = [
    (
      #"{"type":"fold","label":"More","children":["a"],"isOpen":true}"#,
      .fold(FoldContent(label: text("More"), children: [text("a")], isOpen: true))
    ),
    (
      #"{"type":"fold","label":"More"}"#,
      .fold(FoldContent(label: text("More"), children: []))
    ),
    (#"{"type":"list"}"#, .list(ListContent(rows: []))),
    (
      #"{"type":"list","rows":[{"id":"a","view":"A"},{"id":"b","view":"B","action":"x","link":"y:z","#
        + #""canRemove":false,"canMove":false}],"minimumVisibleRowCount":3,"emptyText":"None","#
        + #""allowsAdding":false}"#,
      .list(
        ListContent(
          rows: [
            ListRow(id: "a", view: text("A")),
            ListRow(
              id: "b",
              view: text("B"),
              action: "x",
              link: "y:z",
              canRemove: false,
              canMove: false
            ),
          ],
          minimumVisibleRowCount: 3,
          emptyText: "None",
          allowsAdding: false
        )
      )
    ),
    (#"{"type":"field"}"#, .field(FieldContent())),
    (
      #"{"type":"field","text":"ab","placeholder":"Find","kind":"search"}"#,
      .field(FieldContent(text: "ab", placeholder: "Find", kind: .search))
    ),
    (#"{"type":"field","text":"a\u001b[2Jb"}"#, .field(FieldContent(text: "a␛[2Jb"))),
  ]

  @Test(arguments: samples)
  func `they are read, and written as they were read`(
    json: String,
    content: ViewNode.Content
  ) throws {
    let node = try decode(json)
    #expect(node.content == content)
    let again = try JSONDecoder().decode(ViewNode.self, from: JSONEncoder().encode(node))
    #expect(again == node)
  }

  @Test(arguments: [
    (#"{"type":"list","rows":[{"id":"a"}]}"#, "the view of a row: a node or a text"),
    (#"{"type":"list","rows":[{"view":"a"}]}"#, "the id of a row, a text"),
    (#"{"type":"list","rows":[{"id":1,"view":"a"}]}"#, "a text"),
    (#"{"type":"list","rows":7}"#, "an array of rows"),
    (#"{"type":"list","minimumVisibleRowCount":-1}"#, "a whole number from 0 to 10000"),
    (#"{"type":"list","minimumVisibleRowCount":1e300}"#, "a whole number from 0 to 10000"),
    (#"{"type":"field","kind":"secret"}"#, "text or search"),
    (#"{"type":"fold","children":["a"]}"#, "a label: a text or a node"),
  ])
  func `an invalid member is refused with what is expected`(json: String, words: String) {
    #expect {
      _ = try decode(json)
    } throws: { error in
      guard case .dataCorrupted(let context)? = error as? DecodingError else { return false }
      return context.debugDescription.contains(words)
    }
  }

  @Test func `rows count as nodes`() throws {
    func list(_ count: Int) -> String {
      let rows = (0..<count).map { #"{"id":"\#($0 % 7)","view":"a"}"# }
      return #"{"type":"list","rows":[\#(rows.joined(separator: ","))]}"#
    }
    #expect(try decode(list(4_095)).children.count == 4_095)
    #expect(throws: ViewLimitError.self) { try decode(list(4_096)) }
  }

  @Test func `private content is found in closed folds and in rows`() throws {
    let secret = #"{"type":"text","text":"a","privacySensitive":true}"#
    #expect(try decode(#"{"type":"fold","label":"x","children":[\#(secret)]}"#).hasPrivateContent)
    #expect(try decode(#"{"type":"list","rows":[{"id":"a","view":\#(secret)}]}"#).hasPrivateContent)
  }

  @Test(arguments: [
    (#"{"action":"a","value":true}"#, PerformActionRequest(action: "a", value: true)),
    (#"{"action":"a","value":"true"}"#, PerformActionRequest(action: "a", text: "true")),
    (#"{"action":"a"}"#, PerformActionRequest(action: "a")),
  ])
  func `the value of an action is a state or a text`(
    json: String,
    request: PerformActionRequest
  ) throws {
    #expect(try JSONDecoder().decode(PerformActionRequest.self, from: Data(json.utf8)) == request)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(request), as: UTF8.self) == json)
  }

  @Test func `a row that was moved to the end is before nothing`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let request = ListDidMoveRowRequest(list: "l", row: "r", before: nil)
    #expect(
      String(decoding: try encoder.encode(request), as: UTF8.self)
        == #"{"before":null,"list":"l","row":"r"}"#
    )
  }
}

@Suite struct InputBuilderTests {
  @Test func `lists, fields and folds are built from Swift`() {
    let view = VStack {
      List("todo", minimumVisibleRowCount: 2, emptyText: "None") {
        Row("1", action: "open") { Text("One") }
        Row("2", canRemove: false) {
          Text("Two")
          Text("more")
        }
        Text("loose")
      }
      Field("find", text: "a", placeholder: "Find", kind: .search, action: "go")
      Fold("Details", id: "d", isOpen: true) { Text("in it") }
    }
    let children = view.node.children
    guard case .list(let list) = children[0].content, case .field(let field) = children[1].content,
      case .fold(let fold) = children[2].content
    else {
      Issue.record("other nodes: \(children)")
      return
    }
    #expect(children.map(\.id) == ["todo", "find", "d"])
    #expect(list.rows.map(\.id) == ["1", "2", "#2"])
    #expect(list.rows.map(\.canRemove) == [true, false, false])
    #expect(list.rows[0].action == "open" && list.minimumVisibleRowCount == 2)
    #expect(field == FieldContent(text: "a", placeholder: "Find", kind: .search))
    #expect(children[1].action == "go")
    #expect(fold.isOpen && fold.children.count == 1)
  }
}
