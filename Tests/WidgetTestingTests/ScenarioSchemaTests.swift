import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetTesting

/// The JSON Schema of scenarios, held against the reader.
@Suite struct ScenarioSchemaTests {
  private func schema() throws -> [String: Any] {
    let path = BuiltTool.package.appending(path: "Docs/Schemas/scenario.json")
    let value = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
    return try #require(value as? [String: Any])
  }

  private func properties(_ value: Any?) throws -> [String: Any] {
    let object = try #require(value as? [String: Any])
    return try #require(object["properties"] as? [String: Any])
  }

  @Test func `the schema has the members and steps that are read, and no others`() throws {
    let top = try properties(try schema())
    #expect(Set(top.keys) == Set(ScenarioReader.memberNames))
    let items = (top["steps"] as? [String: Any])?["items"]
    let steps = try properties(items)
    #expect(Set(steps.keys) == Set(ScenarioReader.stepNames))
    let expectation = try properties(steps["expect"])
    #expect(Set(expectation.keys) == Set(ScenarioReader.expectationNames))
  }

  @Test func `what the schema forbids in steps is refused by the reader`() throws {
    let world = try TestWorld()
    let steps = try properties(
      (try properties(try schema())["steps"] as? [String: Any])?["items"]
    )
    for (name, rule) in steps {
      guard let rule = rule as? [String: Any], rule["additionalProperties"] as? Bool == false else {
        continue
      }
      let path = "\(world.path)/\(name).json"
      try world.write(
        #"{"name": "n", "steps": [{"\#(name)": {"no such member": 1}}]}"#,
        to: path
      )
      #expect(throws: HarnessFailure.self) { try ScenarioReader.read(path, name: name) }
    }
  }

  @Test func `a notice has the members of today post`() throws {
    let world = try TestWorld()
    let path = "\(world.path)/notice.json"
    try world.write(
      """
      { notice: { title: "Done", body: "12 GB", urgency: "low", tag: "t", progress: 40, app: "make",
        action: ["Log=https://example.com/?a=b", "Again"] } }
      """,
      to: path
    )
    let step = try #require(try ScenarioReader.steps(path, name: "notice.json").first)
    guard case .notice(let notice, let application) = step.action else {
      Issue.record("another step")
      return
    }
    #expect(application == "make" && notice.title == "Done" && notice.body == "12 GB")
    #expect(notice.urgency == .low && notice.tag == "t" && notice.progress == 40)
    #expect(notice.actions?.map(\.name) == ["Log", "Again"])
    #expect(notice.actions?.map(\.url) == ["https://example.com/?a=b", nil])
  }
}
