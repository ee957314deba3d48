import FoundationEssentials
import Testing

@testable import WidgetKitCore

/// What every type of node does; a new type has a ``NodeSample``.
struct NodeTypeTests {
  @Test func `there is a sample of every type with all of its members`() throws {
    for type in NodeType.all {
      let sample = try #require(
        NodeSample.all.first { $0.hasPrefix(#"{"type":"\#(type.name)""#) },
        "\(type.name)"
      )
      for name in type.memberNames {
        #expect(sample.contains("\"\(name)\":"), "\(name) of \(type.name)")
      }
    }
  }

  @Test func `two types do not have one name`() {
    #expect(Set(NodeType.all.map(\.name)).count == NodeType.all.count)
  }

  @Test(arguments: NodeSample.all) func `reads what it writes`(json: String) throws {
    let node = try decode(json)
    let written = try JSONEncoder().encode(node)
    #expect(try JSONDecoder().decode(ViewNode.self, from: written) == node)
    let names = try #require(JSONTree(Array(written)).members).map(\.name)
    #expect(Set(names).count == names.count)
    #expect(try Set(JSONTree(Array(json.utf8)).members?.map(\.name) ?? []).isSuperset(of: names))
  }

  @Test(arguments: NodeSample.all) func `is drawn inside its bounds, also in words`(
    json: String
  ) throws {
    var node = try decode(json)
    node.privacySensitive = true
    for (width, isPrivate, showsLabels) in [
      (0, false, false), (1, true, false), (7, false, true), (40, true, true), (200, false, false),
    ] {
      var environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0))
      environment.redactsPrivate = isPrivate
      environment.showsLabels = showsLabels
      let view = ViewLayout.layOut(node, width: width, in: environment)
      #expect(view.size.columns == width)
      #expect(
        view.runs.allSatisfy {
          $0.position.column + $0.cells.count <= width && $0.position.row < view.size.rows
        }
      )
    }
  }

  @Test func `changing the nodes inside a node reaches each of them`() throws {
    for json in NodeSample.all {
      var node = try decode(json)
      var count = 0
      node.content.changeChildren {
        $0.id = "changed"
        count += 1
      }
      #expect(count == node.children.count)
      #expect(node.children.allSatisfy { $0.id == "changed" })
    }
  }

  @Test func `a filter finds the names in a closed fold's chart and the text of its field`() throws
  {
    let fold = #"""
      {"type":"fold","label":"More","children":[{"type":"chart","series":[{"name":"Received",
      "values":[1]}]},{"type":"field","text":"Oslo","placeholder":"a city"}]}
      """#
    #expect(try decode(fold).texts == ["More", "Received", "Oslo", "a city"])
  }

  private func decode(_ json: String) throws -> ViewNode {
    try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
  }
}
