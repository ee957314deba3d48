import Testing
import WidgetKitCore

@testable import WidgetScripts

/// Names of members that JSONPath takes in quotes alone.
@Suite struct `Names in the JSON of a script` {
  private static let text = """
    [{"last-run": 3, "a b": 4, "$ref": "x", "0": 5, "state": {"exit-code": 6}}]
    """

  @Test(arguments: [
    ("last-run", "3"), ("a b", "4"), ("$ref", "x"), ("0", "5"), ("state.exit-code", "6"),
    ("$['last-run']", "3"), ("$.last-run", "3"),
  ])
  func `need no quotes`(name: String, value: String) {
    var script = PrintedScript(.json, ["columns": "\(name) as v"])
    #expect(script.run(Self.text).rows() == ["v", value])
    script = PrintedScript(.json, ["rows": "$[*]", "template": "is {\(name)}"])
    #expect(script.run(Self.text).rows() == ["is \(value)"])
  }

  @Test(arguments: ["last-run[", "a..b-c", "$..last-run", ".a-b", "a-b.", "a/b", "-'"])
  func `are no other queries`(query: String) {
    var script = PrintedScript(.json, ["columns": query])
    let failure = script.run(Self.text).failure ?? ""
    #expect(failure.hasPrefix("columns: "), "\(failure)")
  }
}
