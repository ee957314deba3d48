import Testing

@testable import WidgetKitCore

struct MemberNamesTests {
  @Test func `finds every name at its place, and no other name`() throws {
    let names = ViewNode.memberNames
    let list = MemberNames(names)
    func place(_ name: String) -> Int? {
      Array(name.utf8).withUnsafeBufferPointer(list.place)
    }
    for (index, name) in names.enumerated() {
      #expect(place(name) == index)
      for other in [name + "s", String(name.dropLast()), name.uppercased()] {
        #expect(place(other) == names.firstIndex(of: other))
      }
    }
    #expect(place("") == nil)
    #expect(place("Type") == nil)
  }

  @Test func `a member whose name is written with escape sequences is read`() throws {
    let view = #"{"ty\u0070e":"text","\u0074ext":"Hello"}"#
    let node = try JSONDocumentDecoder().decode(ViewNode.self, from: Array(view.utf8)[...])
    #expect(node == ViewNode(.text(TextContent(spans: [TextSpan("Hello")]))))
  }
}
