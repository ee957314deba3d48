import Testing

@testable import WidgetKitCore

struct ViewNodeTests {
  @Test func `a copy of a node is changed alone`() {
    var node = ViewNode(.divider)
    node.id = "line"
    node.padding.top = 1
    var copy = node
    copy.id = "other"
    copy.style.bold = true
    #expect(node.id == "line")
    #expect(node.style == .inherited)
    #expect(copy.padding.top == 1)
    #expect(copy != node)
    copy.id = "line"
    copy.style.bold = nil
    #expect(copy == node)
    #expect(copy.hashValue == node.hashValue)
  }

  @Test func `a node whose members are all set back equals one that never had any`() {
    var node = ViewNode(.divider)
    node.link = "https://example.com"
    node.layoutPriority = 2
    #expect(node.hasTraits)
    node.link = nil
    node.layoutPriority = 0
    #expect(!node.hasTraits)
    #expect(node == ViewNode(.divider))
  }
}
